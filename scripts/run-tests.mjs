// Runs every suite, each after the last whatever came of it, and ends with one line that adds them up.
// Usage: node scripts/run-tests.mjs [--quick]   (--quick: what needs no other program, for `scripts/check`)
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineNode } from './machine-node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const quick = process.argv.includes('--quick')
let passed = 0
let failed = 0

prepare()
checks()
vitest()
if (!quick) conformance()
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Installs when the lockfile is newer than what is there, and builds. Neither counts; both end the run when they fail. */
function prepare() {
  const installed = 'node_modules/.package-lock.json'
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync('package-lock.json').mtimeMs) {
    must('install', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  must('build', 'npx', ['tsdown', '--log-level', 'warn'])
}

/** What has no test names of its own: each command counts as one test. */
function checks() {
  count('format', 'npx', ['prettier', '--check', '.', '--log-level', 'warn'])
  count('lint', 'npx', ['eslint', '.'])
  count('layers', 'node', ['scripts/check-layers.mjs'])
  count('types', 'npx', ['tsc', '--noEmit'])
  count('unused', 'npx', ['knip'])
  count('package', 'npx', ['publint', '--strict'])
  count('package types', 'npx', ['attw', '--pack', '.', '--profile', 'esm-only', '--quiet'])
}

function vitest() {
  const report = '.tmp/vitest.json'
  mkdirSync('.tmp', { recursive: true })
  rmSync(report, { force: true })
  // Not through npx, whose path begins with the newer Node that the conformance suite runs on.
  run(machineNode(), [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(quick ? ['src'] : []),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] }
  passed += numPassedTests
  // A skipped test, and a file that could not be loaded, are failures here: nothing may skip.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  failed += numFailedTests + numPendingTests + broken.length
  if (numPendingTests > 0) console.error(`${numPendingTests} tests were skipped; nothing may skip`)
}

/** The official suite: a scenario is a test. */
function conformance() {
  console.log('\n── conformance')
  const { stdout } = spawnSync('node', ['conformance/run.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  process.stdout.write(stdout)
  const totals = /^\d+ scenarios: (\d+) passed, (\d+) failed/m.exec(stdout)
  passed += Number(totals?.[1] ?? 0)
  failed += Number(totals?.[2] ?? 1)
}

function count(name, command, args) {
  const { status } = run(command, args, name)
  if (status === 0) passed += 1
  else {
    failed += 1
    console.error(`✗ ${name}`)
  }
}

function must(name, command, args) {
  const { status } = run(command, args, name)
  if (status === 0) return
  console.error(`\n${name} failed\n0 passed, 1 failed`)
  process.exit(1)
}

function run(command, args, name = `${command} ${args[0]}`) {
  console.log(`\n── ${name}`)
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
}
