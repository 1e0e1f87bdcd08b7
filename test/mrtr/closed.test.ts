import { type Exchange, generateKey } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, requestText, textOf } from '../support/rpc.ts'
import { asking, askingServer } from './asking-server.ts'

describe('a stopped server', () => {
  it('refuses what comes later, and another instance takes it up', async () => {
    const state = { keys: generateKey() }
    const entered: string[] = []
    const log: string[] = []
    const instance = (name: string) =>
      askingServer(
        (ctx) => {
          entered.push(name)
          return ctx.requestState === undefined ? asking('x') : 'done'
        },
        { state, log: ({ code }) => void log.push(code) },
      )
    const [a, b] = [instance('a'), instance('b')]
    const { result } = await callTool(a, 'it')
    a.close()
    const more = { requestState: result?.requestState, inputResponses: {} }
    const refused = await callTool(a, 'it', {}, more)
    expect(refused).toMatchObject({ status: 503, error: { code: -32603 } })
    expect(log).toContain('SERVER_CLOSED')
    expect(textOf(await callTool(b, 'it', {}, more))).toBe('done')
    expect(entered).toEqual(['a', 'b'])
  })

  it('takes notifications, so that a cancellation still arrives', async () => {
    const server = askingServer(() => 'done')
    server.close()
    const cancelled: unknown[] = []
    const exchange: Exchange = { cancel: (id) => void cancelled.push(id) }
    const text = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}'
    expect(await server.handle(text, exchange)).toEqual({ status: 202, body: undefined })
    expect(cancelled).toEqual([7])
    expect((await server.handle(requestText('tools/list'))).status).toBe(503)
  })
})
