import { PassThrough } from 'node:stream'
import { type Server } from 'rondo'
import { connect } from 'rondo/client'
import { listen } from 'rondo/node'
import { serve } from 'rondo/stdio'
import { describe, expect, it } from 'vitest'
import { MODERN, send } from '../support/http.ts'
import { requestText } from '../support/rpc.ts'
import { asking, askingServer, CALLS } from './asking-server.ts'
import { plainServer, REQUESTS } from './plain-server.ts'

/** Every message a server may be brought to send, in either form of handler and with every kind of ask. */
function askingInEveryWay(): Server {
  const server = askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done'))
  server.tool('ask', {}, async (_args, ctx) => {
    ctx.progress(1)
    ctx.log.error('here')
    await Promise.all([
      ctx.ask.confirm('go', 'Go?'),
      ctx.ask.url('look', { message: 'Look', url: 'https://example.com/look' }),
      ctx.ask.roots('dirs'),
    ])
    return 'done'
  })
  return server
}

const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
const requests = [
  ...CALLS.map(({ method, params }) => [method, params] as const),
  ['tools/call', { name: 'ask' }] as const,
  ...REQUESTS,
]

function expectNoRequest(text: string): void {
  const messages = text
    .split('\n')
    .map((line) => line.replace(/^data: /, ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(messages.length).toBeGreaterThan(0)
  for (const message of messages) expect('method' in message && 'id' in message, JSON.stringify(message)).toBe(false)
}

describe('the server starts no request', () => {
  it('S1.1 not through an exchange', async () => {
    for (const server of [askingInEveryWay(), plainServer()]) {
      const out: string[] = []
      for (const [method, params] of requests) {
        const exchange = { notify: (message: string) => void out.push(message) }
        const { body } = await server.handle(requestText(method, params, { meta }), exchange)
        if (body !== undefined) out.push(body)
      }
      expectNoRequest(out.join('\n'))
    }
  })

  it('S1.1 not over HTTP', async () => {
    await using listening = await listen(askingInEveryWay(), { port: 0, log: () => undefined })
    const out: string[] = []
    for (const [method, params] of requests) {
      const { name, uri } = params as { name?: string; uri?: string }
      const headers = { ...MODERN, 'mcp-method': method, 'mcp-name': name ?? uri }
      out.push((await send(listening.url, { body: requestText(method, params, { meta }), headers })).text)
    }
    expectNoRequest(out.join('\n'))
  })

  it('S1.1 not over stdio', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = serve(askingInEveryWay(), { stdin, stdout })
    for (const [method, params] of requests) stdin.write(`${requestText(method, params, { meta })}\n`)
    stdin.end()
    await serving.closed
    expectNoRequest(String(stdout.read() as Buffer))
  })

  it('S1.1 a client that cannot answer at once is asked by results alone', async () => {
    const client = await connect(askingInEveryWay(), { asks: ['form', 'url', 'roots'] })
    const round = await client.startTool('ask')
    expect(round.kind === 'input_required' && Object.keys(round.asks).sort()).toEqual(['dirs', 'go', 'look'])
  })
})
