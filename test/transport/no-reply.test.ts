import { PassThrough } from 'node:stream'
import type { Exchange, Reply } from 'rondo'
import { connect } from 'rondo/client'
import { fetchHandler } from 'rondo/fetch'
import { listen } from 'rondo/node'
import { serve } from 'rondo/stdio'
import { describe, expect, it } from 'vitest'
import { MODERN, send } from '../support/http.ts'

/** What something wrapped around a server may give in place of a reply. */
const GIVEN: [string, () => unknown][] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a promise of nothing', () => Promise.resolve()],
  ['a body that is a number', () => ({ status: 200, body: 7 })],
  ['a promise of one', () => Promise.resolve({ status: 200, body: 7 })],
  ['a status that is a text', () => ({ status: 'ok', body: '{}' })],
  ['a status that HTTP does not have', () => ({ status: 1000, body: '{}' })],
  [
    'what cannot be read',
    () => ({
      status: 200,
      get body() {
        throw new Error('hidden')
      },
    }),
  ],
]

describe.each(GIVEN)('a server that gives %s', (_what, give) => {
  const handle = give as (message: unknown, exchange: Exchange) => Reply
  const log = () => undefined

  it('H1 is a 500 on node:http, and the process goes on', async () => {
    const listening = await listen({ handle }, { port: 0, log })
    expect((await send(listening.url, { body: '{}' })).status).toBe(500)
    expect((await send(listening.url, { body: '{}' })).status).toBe(500)
    await listening.close()
  })

  it('H1 is a 500 on fetch', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: '{}', headers: MODERN })
    expect((await fetchHandler({ handle }, { log })(request)).status).toBe(500)
  })

  it('HS1 is -32603 on standard streams, so that nobody waits for a reply', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = serve({ handle }, { stdin, stdout, log })
    stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n')
    await new Promise((resolve) => stdout.once('readable', resolve))
    await serving.close()
    const lines = String(stdout.read()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ id: 1, error: { code: -32603 } }])
  })

  it('is RESPONSE_INVALID for a client in the same process', async () => {
    const client = await connect({ handle }, { lazy: true })
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })
})
