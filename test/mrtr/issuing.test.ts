import { type Context, InputRequiredResult, Server } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, rpc, type RpcReply } from '../support/rpc.ts'
import { asking, askingServer, CALLS, FORM, METHODS, ROOTS } from './asking-server.ts'

const ASKED = { which: FORM, dirs: ROOTS }

function expectAsked(reply: RpcReply): void {
  expect(reply.status).toBe(200)
  expect(reply.error).toBeUndefined()
  expect(reply.result).toMatchObject({ resultType: 'input_required', inputRequests: ASKED })
}

describe('issuing', () => {
  const [tool, prompt, ...resources] = CALLS

  it('S0.2 a tool may ask in place of its result', async () => {
    const reply = await rpc(
      askingServer(() => asking('x')),
      'tools/call',
      tool?.params,
    )
    expectAsked(reply)
    expect(reply.result).not.toHaveProperty('content')
  })

  it('S0.3 a prompt may ask in place of its result', async () => {
    const reply = await rpc(
      askingServer(() => asking('x')),
      'prompts/get',
      prompt?.params,
    )
    expectAsked(reply)
    expect(reply.result).not.toHaveProperty('messages')
    expect(reply.result).not.toHaveProperty('description')
  })

  it.each(resources)('S0.4 $name may ask in place of its result', async ({ params }) => {
    const reply = await rpc(
      askingServer(() => asking('x')),
      'resources/read',
      params,
    )
    expectAsked(reply)
    expect(reply.result).not.toHaveProperty('contents')
  })

  it.each(CALLS)('S0.5 what $name asks is no error and not final', async ({ method, params }) => {
    const events: string[] = []
    const server = askingServer(() => asking('x'), { log: ({ level }) => void events.push(level) })
    const { result } = await rpc(server, method, params)
    expect(result?.resultType).toBe('input_required')
    for (const key of ['isError', 'ttlMs', 'cacheScope']) expect(result).not.toHaveProperty(key)
    expect(events).not.toContain('error')
    // Nothing was kept as an outcome: the same request again enters the handler again.
    expect((await rpc(server, method, params)).result?.resultType).toBe('input_required')
  })

  it.each(METHODS.flatMap((call) => ['requests', 'state', 'both'].map((shape) => ({ ...call, shape }))))(
    'S1.2 $method answers with $shape',
    async ({ method, params, shape }) => {
      const given = {
        ...(shape === 'state' ? {} : { inputRequests: ASKED }),
        ...(shape === 'requests' ? {} : { requestState: 'mine' }),
      }
      const { result } = await rpc(
        askingServer(() => new InputRequiredResult(given)),
        method,
        params,
      )
      expect(result?.resultType).toBe('input_required')
      expect('inputRequests' in (result ?? {})).toBe(shape !== 'state')
      expect('requestState' in (result ?? {})).toBe(shape !== 'requests')
    },
  )

  it.each(METHODS)('S1.2 $method never answers with neither', async ({ method, params }) => {
    for (const literal of [{ resultType: 'input_required' }, { resultType: 'input_required', inputRequests: {} }]) {
      const reply = await rpc(
        askingServer(() => literal),
        method,
        params,
      )
      expect(reply.error?.code).toBe(-32603)
      expect(reply.result).toBeUndefined()
    }
  })

  it.each(METHODS)('S1.41 $method has the wire shape of an input-required result', async ({ method, params }) => {
    const server = askingServer(() => asking('mine'), { requestState: 'unprotected', log: () => undefined })
    const reply = await rpc(server, method, params, { id: 'seven' })
    expect(reply).toEqual({
      jsonrpc: '2.0',
      status: 200,
      id: 'seven',
      result: {
        resultType: 'input_required',
        inputRequests: ASKED,
        requestState: 'mine',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'asking', version: '1.0.0' } },
      },
    })
  })

  it('S1.14 no content is made up for it', async () => {
    for (const result of [asking(), asking('x'), new InputRequiredResult({ requestState: '' })]) {
      const reply = await rpc(
        askingServer(() => result),
        'tools/call',
        tool?.params,
      )
      const keys = Object.keys(reply.result ?? {})
      expect(keys.filter((key) => ['content', 'structuredContent', 'isError'].includes(key))).toEqual([])
    }
  })

  it('S1.16 what a resource asks is not wrapped into contents', async () => {
    const server = askingServer(() => asking('x'), { requestState: 'unprotected', log: () => undefined })
    for (const { params } of resources) {
      const reply = await rpc(server, 'resources/read', params)
      const keys = Object.keys(reply.result ?? {})
      expect(keys.sort()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType'])
    }
  })
})

describe('shapes of tool handlers', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const
  const shapes: readonly [string, object, (...given: never[]) => unknown][] = [
    ['sync, without context or schema', {}, () => asking()],
    ['sync, with context', {}, (_args: unknown, _ctx: Context) => asking()],
    ['async, without context or schema', {}, async () => asking()],
    ['async, with context', {}, async (_args: unknown, _ctx: Context) => asking()],
    ['sync, with a schema', { input: schema }, () => asking()],
    ['sync, with a schema and context', { input: schema }, (_args: unknown, _ctx: Context) => asking()],
    ['async, with a schema', { input: schema }, async () => asking()],
    ['async, with a schema and context', { input: schema }, async (_args: unknown, _ctx: Context) => asking()],
    ['a promise by hand', {}, () => Promise.resolve(asking())],
    ['a literal', {}, () => ({ resultType: 'input_required', inputRequests: ASKED })],
  ]

  it.each(shapes)('S1.11 a tool passes it through: %s', async (_name, options, handler) => {
    const server = new Server({ name: 'asking', version: '1.0.0' })
    server.tool('it', options, handler as () => string)
    expectAsked(await callTool(server, 'it', { a: '1' }))
  })
})

describe('shapes of prompt handlers', () => {
  const shapes: readonly [string, object, (...given: never[]) => unknown][] = [
    ['without arguments', {}, () => asking()],
    ['without arguments, with context', {}, async (_args: unknown, _ctx: Context) => asking()],
    ['with arguments', { arguments: { a: { required: true } } }, async () => asking()],
    ['with arguments and context', { arguments: { a: {} } }, (_args: unknown, _ctx: Context) => asking()],
  ]

  it.each(shapes)('S1.12 a prompt passes it through: %s', async (_name, options, handler) => {
    const server = new Server({ name: 'asking', version: '1.0.0' })
    server.prompt('it', options, handler as () => string)
    const args = 'arguments' in options ? { arguments: { a: '1' } } : {}
    expectAsked(await rpc(server, 'prompts/get', { name: 'it', ...args }))
  })
})
