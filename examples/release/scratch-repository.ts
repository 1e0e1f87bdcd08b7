import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A repository made for a test, in a folder of its own. */
export interface ScratchRepository {
  /** Folder that holds it. */
  readonly root: string
  /** Its name in the folder, and its path. */
  readonly name: string
  readonly path: string
  git(...args: string[]): string
  /** Makes an empty commit with this message. */
  commit(message: string): string
  write(file: string, text: string): void
  remove(): void
}

/** Makes an empty repository whose settings are those of nobody's machine. */
export function scratchRepository(name = 'shop'): ScratchRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'rondo-release-')))
  const path = join(root, name)
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: path, env, encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', '--', path], { cwd: root, env })
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.org')
  return {
    root,
    name,
    path,
    git,
    commit: (message) => {
      git('commit', '--quiet', '--allow-empty', '--message', message)
      return git('rev-parse', 'HEAD')
    },
    write: (file, text) => writeFileSync(join(path, file), text),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
