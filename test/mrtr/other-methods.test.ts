import { InputRequiredResult, Server, type ServerLog } from 'rondo'
import { describe, expect, it } from 'vitest'
import { rpc } from '../support/rpc.ts'
import { asking } from './asking-server.ts'

/** What a method that may not ask gives back when its handler tries, whatever types say. */
const ASKS = () => asking('x') as never

function server(log: ServerLog[]): Server {
  const made = new Server({ name: 'asking', version: '1.0.0' }, { log: (event) => void log.push(event) })
  made.prompt('it', { arguments: { a: { complete: ASKS } } }, () => 'text')
  made.resourceTemplate('one', { uriTemplate: 'it://{a}', complete: { a: async () => ASKS() } }, () => 'text')
  made.method('acme/sync', {}, ASKS)
  made.method('acme/async', {}, async () => ASKS())
  made.method('acme/literal', {}, () => ({ resultType: 'input_required', requestState: 'x' }))
  made.resources(async () => ASKS())
  return made
}

describe('methods that may not ask', () => {
  const complete = (ref: object) => ({ ref, argument: { name: 'a', value: '' } })
  it.each([
    { method: 'completion/complete', params: complete({ type: 'ref/prompt', name: 'it' }) },
    { method: 'completion/complete', params: complete({ type: 'ref/resource', uri: 'it://{a}' }) },
    { method: 'acme/sync', params: {} },
    { method: 'acme/async', params: {} },
    { method: 'acme/literal', params: {} },
    { method: 'resources/list', params: {} },
  ])('S1.3 $method ends in an internal error and a clear log', async ({ method, params }) => {
    const log: ServerLog[] = []
    const reply = await rpc(server(log), method, params)
    expect(reply.error?.code).toBe(-32603)
    expect(JSON.stringify(reply)).not.toContain('inputRequests')
    const errors = log.filter(({ level }) => level === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.method).toBe(method)
    expect(errors[0]?.message).toMatch(/must give|tools\/call|input-required/)
  })

  it.each(['tools/list', 'prompts/list', 'resources/templates/list', 'server/discover', 'acme/fine'])(
    'S1.3 middleware cannot make %s ask',
    async (method) => {
      const log: ServerLog[] = []
      const made = server(log)
      made.method('acme/fine', {}, () => ({}))
      made.use(async () => ({ kind: 'suspended', result: new InputRequiredResult({ requestState: 'x' }) }))
      const reply = await rpc(made, method)
      expect(reply.error?.code).toBe(-32603)
      expect(log.some(({ message }) => message.includes(method) && message.includes('tools/call'))).toBe(true)
    },
  )
})
