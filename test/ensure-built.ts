import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Where the repository is. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const lock = join(root, 'node_modules', '.rondo-build')

/**
 * Builds the package if a source is newer than what was built: processes that a test starts load it from `dist`.
 * Test files run side by side, so one builds and the others wait.
 */
export async function ensureBuilt(): Promise<void> {
  while (!take()) await pause(200)
  try {
    if (isStale()) execFileSync(join(root, 'node_modules', '.bin', 'tsdown'), { cwd: root, stdio: 'pipe' })
  } finally {
    rmdirSync(lock)
  }
}

function take(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    // Left behind by a run that was killed.
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 180_000) rmdirSync(lock)
    return false
  }
}

function isStale(): boolean {
  const built = join(root, 'dist', 'index.js')
  if (!existsSync(built)) return true
  const since = statSync(built).mtimeMs
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(path))
    .map((path) => join(root, 'src', path))
  return [...sources, join(root, 'tsdown.config.ts'), join(root, 'package.json')].some(
    (path) => statSync(path).mtimeMs > since,
  )
}
