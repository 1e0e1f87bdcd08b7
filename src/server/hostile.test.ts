import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputRequired, Server, ToolError } from '../entry/index.ts'
import { callTool, readReply, rpc, textOf, type RpcReply } from '../../test/support/rpc.ts'

const DEEP = 7_400
const nest = (inside = '') => `${'['.repeat(DEEP)}${inside}${']'.repeat(DEEP)}`
const withMeta = (params: object): object => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  },
})

/** A request as text and as a framework would have parsed it, with `"DEEP"` replaced by deep nesting. */
async function both(server: Server, method: string, params: object): Promise<RpcReply[]> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: withMeta(params) }).replace('"DEEP"', nest())
  expect(text.length).toBeLessThan(16 * 1024)
  return Promise.all(
    [text, JSON.parse(text) as unknown].map(async (message) => readReply(await server.handle(message))),
  )
}

describe('what is nested too deep', () => {
  const accepted = { action: 'accept', content: { value: true } }

  it('E17 makes an answer count as missing, and the others good, whichever form reads it', async () => {
    const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
    server.tool('asks', {}, async (_args, ctx) => {
      const told = await Promise.all([ctx.ask.confirm('a', '?'), ctx.ask.confirm('b', '?')])
      return told.join()
    })
    server.tool('returns', {}, (_args, ctx) => {
      if (ctx.inputResponses === undefined) {
        return inputRequired({ inputRequests: { a: { method: 'roots/list' } }, requestState: 's' })
      }
      return ['a', 'b'].map((key) => ctx.inputResponse(key).kind).join()
    })
    for (const hidden of [{ ...accepted, x: 'DEEP' }, { action: 'accept', content: { value: 'DEEP' } }, 'DEEP']) {
      const inputResponses = { a: hidden, b: accepted }
      const { result } = await callTool(server, 'asks')
      const state = { requestState: result?.requestState }
      for (const reply of await both(server, 'tools/call', { name: 'asks', arguments: {}, ...state, inputResponses })) {
        expect(Object.keys(reply.result?.inputRequests ?? {})).toEqual(['a'])
        const more = { requestState: reply.result?.requestState, inputResponses: { a: accepted } }
        expect(textOf(await callTool(server, 'asks', {}, more))).toBe('true,true')
      }
      for (const reply of await both(server, 'tools/call', { name: 'returns', inputResponses })) {
        expect(textOf(reply)).toBe('missing,elicit')
      }
    }
  })

  it('E6 is one reply, wherever it stands', async () => {
    const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
    const tree = { $ref: '#/$defs/tree' }
    const $defs = { tree: { type: 'array', items: tree } }
    interface Tree extends Array<Tree> {}
    const zodTree: z.ZodType<Tree> = z.array(z.lazy(() => zodTree))
    server.tool('plain', { input: { type: 'object', properties: { x: tree }, $defs } }, () => 'plain')
    server.tool('zod', { input: z.object({ x: zodTree }) }, () => 'zod')
    server.tool('any', {}, () => 'any')
    server.tool('echo', {}, async (args, ctx) => ctx.step('s', () => JSON.stringify(args)))
    server.prompt('p', { arguments: { x: {} } } as never, () => 'p')
    server.method('acme/m', { params: z.object({ x: zodTree }) }, () => ({}))
    const calls: [string, object][] = [
      ...['plain', 'zod', 'any', 'echo'].map((name): [string, object] => [
        'tools/call',
        { name, arguments: { x: 'DEEP' } },
      ]),
      ['tools/call', { name: 'any', arguments: 'DEEP' }],
      ['tools/call', { name: 'any', requestState: 'DEEP' }],
      ['tools/call', { name: 'DEEP' }],
      ['tools/call', { name: 'any', other: 'DEEP' }],
      ['prompts/get', { name: 'p', arguments: { x: 'DEEP' } }],
      ['resources/read', { uri: 'DEEP' }],
      ['completion/complete', { ref: 'DEEP', argument: 'DEEP' }],
      ['tools/list', { cursor: 'DEEP' }],
      ['acme/m', { x: 'DEEP' }],
    ]
    for (const [method, params] of calls) {
      for (const reply of await both(server, method, params)) {
        expect(reply.error === undefined ? reply.result : reply.error).toBeDefined()
        // Nobody's bug: it fits, or the caller is told that it does not.
        if ('name' in params && ['plain', 'zod', 'any'].includes(String(params.name))) {
          expect([method, JSON.stringify(params), reply.error?.code ?? -32602]).toEqual([
            method,
            JSON.stringify(params),
            -32602,
          ])
        }
      }
    }
    expect((await rpc(server, 'tools/list')).result).toBeDefined()
  })
})

it('a visible rule that is async and rejects hides the tool, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  const visible = (async () => {
    throw new Error('no database')
  }) as unknown as () => boolean
  server.tool('t', { visible }, () => 'a')
  expect((await callTool(server, 't')).error?.code).toBe(-32602)
})

it('a step that rejects with what cannot be read has failed, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  server.tool('t', {}, async (_args, ctx) => {
    const thrown = Object.assign(new Error('x'), { name: Object.create(null) as string })
    return ctx
      .step('s', () => Promise.reject(thrown))
      .then(
        () => 'went well',
        () => 'failed',
      )
  })
  expect((await callTool(server, 't')).result?.content?.[0]?.text).toBe('failed')
})

it('a lister that throws what cannot be printed is an error reply, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  server.resources(() => {
    throw Object.create(null) as Error
  })
  expect((await rpc(server, 'resources/list')).error).toEqual({ code: -32603, message: 'Internal error' })
})

const unreadable = (): object =>
  new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
      getPrototypeOf() {
        throw new Error('no')
      },
    },
  )
const silent = (): Error =>
  Object.defineProperties(new Error('x'), {
    message: { get: () => Object.create(null) as string },
    name: { get: () => Symbol('s') as unknown as string },
    stack: {
      get() {
        throw new Error('no')
      },
    },
  })
const HOSTILE: readonly [string, () => unknown][] = [
  ['null', () => null],
  ['undefined', () => undefined],
  ['a symbol', () => Symbol('s')],
  ['an object without prototype', () => Object.create(null) as unknown],
  ['a proxy that throws', unreadable],
  ['an error that cannot be read', silent],
  ['a tool error whose message is none', () => Object.assign(new ToolError('x'), { message: unreadable() })],
  ['an error of another release', () => ({ [Symbol.for('rondo.error')]: true, code: 'FROM_THE_FUTURE' })],
  ['half an error of another release', () => ({ [Symbol.for('rondo.error')]: true, code: 'WIRE_CUSTOM', wire: 7 })],
  ['a bare BigInt', () => 1n],
]

describe.each(HOSTILE)('%s', (_what, make) => {
  const thrower = async (): Promise<never> => {
    throw make()
  }
  const server = () => new Server({ name: 'hostile', version: '1.0.0' })

  it('E6 thrown by a handler is one error reply', async () => {
    for (const log of [undefined, () => {}]) {
      const given = new Server({ name: 'hostile', version: '1.0.0' }, log === undefined ? {} : { log })
      given.tool('t', {}, thrower)
      given.prompt('p', {}, thrower)
      given.method('acme/m', {}, thrower)
      for (const reply of [
        await callTool(given, 't'),
        await rpc(given, 'prompts/get', { name: 'p' }),
        await rpc(given, 'acme/m'),
      ]) {
        const told =
          reply.error?.message ?? (reply.result?.isError === true ? reply.result.content?.[0]?.text : undefined)
        expect(told).toEqual(expect.any(String))
      }
    }
  })

  it('E10 thrown by a step, before or after a turn, is a recorded failure', async () => {
    const given = server()
    given.tool('t', {}, async (_args, ctx) => {
      const sync = (): never => {
        throw make()
      }
      const failed = [ctx.step('a', thrower), ctx.step('b', sync)]
      const told = await Promise.allSettled(failed)
      return told.map(({ status }) => status).join()
    })
    expect((await callTool(given, 't')).result?.content?.[0]?.text).toBe('rejected,rejected')
  })

  it('E10 thrown while a step’s result is read ends the call', async () => {
    for (const result of [
      {
        toJSON() {
          throw make()
        },
      },
      {
        get then(): never {
          throw make()
        },
      },
    ]) {
      const given = server()
      let went = false
      given.tool('t', {}, async (_args, ctx) => {
        await ctx.step('s', () => result)
        went = true
        return 'went on'
      })
      const reply = await callTool(given, 't')
      expect(reply.error?.code).toBe(-32603)
      expect(went).toBe(false)
    }
  })

  it('rejected by an asynchronous log changes nothing', async () => {
    const given = new Server({ name: 'hostile', version: '1.0.0' }, { log: thrower })
    given.tool('t', {}, () => 'fine')
    expect((await callTool(given, 't')).result?.content?.[0]?.text).toBe('fine')
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
})
