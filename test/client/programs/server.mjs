// A server by hand, for what a real one never does. `node server.mjs <mode>`.
import { closeSync } from 'node:fs'

const mode = process.argv[2] ?? 'plain'
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const result = (id, value) => send({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } })
const say = (id, text) => result(id, { content: [{ type: 'text', text }] })
const log = []

process.stderr.write(`started ${mode}\n`)
if (mode === 'stubborn') {
  process.on('SIGTERM', () => process.stderr.write('not me\n'))
  setInterval(() => undefined, 1000)
}
if (mode === 'deaf') setInterval(() => undefined, 1000)
if (mode === 'dies-at-once') process.exit(3)

let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  lines.forEach(take)
})

function take(line) {
  const message = JSON.parse(line)
  const { id, method, params } = message
  log.push(method)
  if (mode === 'silent') return
  if (method === 'server/discover') {
    if (mode === 'legacy') return send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    return result(id, { supportedVersions: ['2026-07-28'], capabilities: {} })
  }
  if (method === 'notifications/cancelled') return
  const name = params.name
  if (name === 'log') return say(id, JSON.stringify(log))
  if (name === 'pid') return say(id, String(process.pid))
  if (name === 'env')
    return say(id, `${process.env.RONDO_TEST_VALUE} ${process.env.PATH === undefined} ${process.cwd()}`)
  if (name === 'argv') return say(id, JSON.stringify(process.argv.slice(3)))
  if (name === 'never') return
  if (name === 'die') {
    process.stderr.write('first\nsecond\n')
    return process.stderr.write('last words é\n', () => process.exit(7))
  }
  if (name === 'mute') return closeSync(1)
  if (name === 'deaf') return closeSync(0)
  if (name === 'raw') return process.stdout.write(params.arguments.bytes.replaceAll('$ID', String(id)))
  if (name === 'split') {
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'é😀' }] } })}\r\n`,
    )
    let at = 0
    const step = () => {
      if (at < bytes.length) process.stdout.write(bytes.subarray(at, (at += 1)), () => setImmediate(step))
    }
    return step()
  }
  if (name === 'progress') {
    for (const progress of [1, 2]) {
      send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: params._meta.progressToken, progress },
      })
    }
    return say(id, 'ok')
  }
  say(id, 'ok')
}
