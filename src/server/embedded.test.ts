import { describe, expect, it } from 'vitest'
import { inputRequired, InputRequiredResult, Server, type ServerLog } from '../entry/index.ts'
import { EVERYTHING, rpc } from '../../test/support/rpc.ts'

const UNUSABLE = [
  ['a form without a schema', { method: 'elicitation/create', params: { message: 'x' } }, /needs a requestedSchema/],
  ['a page without a URL', { method: 'elicitation/create', params: { mode: 'url', message: 'x' } }, /valid URL/],
  ['a sample without messages', { method: 'sampling/createMessage', params: { maxTokens: 1 } }, /messages must be/],
  ['roots with odd _meta', { method: 'roots/list', params: { _meta: 1 } }, /_meta must be an object/],
] as const

describe.each(UNUSABLE)('the return form with %s', (_what, request, told) => {
  const serverWith = (logs: ServerLog[]): Server => {
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    const inputRequests = { fine: { method: 'roots/list' }, odd: request } as never
    server.tool('literal', {}, () => ({ resultType: 'input_required', inputRequests }))
    server.tool('class', {}, () => inputRequired({ inputRequests, requestState: 's' }))
    server.prompt('p', {}, () => new InputRequiredResult({ inputRequests }))
    server.resource('r', { uri: 'a:b' }, () => new InputRequiredResult({ inputRequests }))
    return server
  }

  it.each([
    ['tools/call', { name: 'literal' }],
    ['tools/call', { name: 'class' }],
    ['prompts/get', { name: 'p' }],
    ['resources/read', { uri: 'a:b' }],
  ])('is -32603 at %s %o, whatever the client declares, and the log names the key', async (method, params) => {
    for (const capabilities of [EVERYTHING, {}]) {
      const logs: ServerLog[] = []
      const reply = await rpc(serverWith(logs), method, params, { capabilities })
      expect(reply.error).toEqual({ code: -32603, message: 'Internal error (RESULT_INVALID)' })
      const error = logs.find(({ level }) => level === 'error')
      expect(error?.code).toBe('RESULT_INVALID')
      expect(error?.message).toMatch(told)
      expect(error?.message).toContain(`inputRequests["odd"] (${request.method})`)
    }
  })

  it('E6 is -32603 from middleware too', async () => {
    const server = new Server({ name: 's', version: '1.0.0' }, { log: () => undefined })
    server.tool('t', {}, () => 'x')
    server.use(() => ({
      kind: 'suspended',
      result: new InputRequiredResult({ inputRequests: { odd: request as never } }),
    }))
    expect((await rpc(server, 'tools/call', { name: 't' })).error?.code).toBe(-32603)
  })
})
