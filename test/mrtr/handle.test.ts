import { describe, expect, it } from 'vitest'
import { readReply, requestText, rpc } from '../support/rpc.ts'
import { asking, askingServer, CALLS } from './asking-server.ts'

describe('server.handle', () => {
  it('S1.40 takes the modern envelope without any transport, as text or as a value', async () => {
    const server = askingServer(() => asking(), { requestState: 'unprotected', log: () => undefined })
    for (const { method, params } of CALLS) {
      const text = requestText(method, params, { id: 1 })
      const [fromText, fromValue] = [await server.handle(text), await server.handle(JSON.parse(text))]
      expect(fromText.status).toBe(200)
      expect(fromValue).toEqual(fromText)
      expect(readReply(fromText).result?.resultType).toBe('input_required')
    }
  })

  it('S1.40 needs no exchange, and takes an empty one', async () => {
    const server = askingServer(() => 'done')
    const text = requestText('tools/call', { name: 'it' }, { id: 1 })
    expect(await server.handle(text)).toEqual(await server.handle(text, {}))
  })

  it('S1.40 never throws and never rejects, whatever it is given', async () => {
    const server = askingServer(() => {
      throw null
    })
    const given: unknown[] = ['', '{', 'null', '[]', '42', undefined, null, 42, [], {}, Symbol('x'), () => 1, new Map()]
    for (const message of [
      ...given,
      ...given.map((params) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })),
    ]) {
      const { status, body } = await server.handle(message)
      expect(status).toBeGreaterThanOrEqual(200)
      expect(body === undefined || JSON.parse(body)).toBeTruthy()
    }
    expect((await rpc(server, 'tools/call', { name: 'it' })).error?.code).toBe(-32603)
  })
})
