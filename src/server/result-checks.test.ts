import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fail, result, Server, type Middleware, type ServerLog } from '../entry/index.ts'
import { callTool, rpc, type RpcReply } from '../../test/support/rpc.ts'

const events: ServerLog[] = []
const make = (): Server => {
  events.length = 0
  return new Server({ name: 'odd', version: '1.0.0' }, { log: (event) => void events.push(event) })
}

/** The one thing that may come of a result nobody can send: a fixed text for the caller, the cause for the operator. */
function expectRefused(reply: RpcReply, cause: RegExp): void {
  expect(reply.error).toEqual({ code: -32603, message: 'Internal error (RESULT_INVALID)' })
  const told = events.find(({ level }) => level === 'error')
  expect(told?.code).toBe('RESULT_INVALID')
  expect(told?.message).toMatch(cause)
}

const cyclic = (): object => {
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  return loop
}
const shows = (what: unknown, more: object = {}): object => ({ ...more, toJSON: () => what })
const text = { type: 'text', text: 'x' } as const

/** Things that JSON has no object for. */
const NO_OBJECTS: readonly [string, () => unknown][] = [
  ['null', () => null],
  ['a number', () => 7],
  ['a text', () => 'text'],
  ['an array', () => [1]],
  ['a function', () => () => 1],
  ['a symbol', () => Symbol('s')],
  ['a BigInt', () => 1n],
  ['a date', () => new Date(0)],
  ['a map', () => new Map([['a', 1]])],
  ['an error', () => new Error('x')],
  ['bytes', () => new Uint8Array(2)],
  ['what shows a number', () => shows(5)],
  ['what shows nothing', () => shows(undefined)],
  ['what shows an array', () => shows([1])],
  ['what shows something that shows more', () => shows(shows(1))],
  ['a cycle', cyclic],
  ['a BigInt within', () => ({ n: 1n })],
  ['what throws when shown', () => ({ n: { toJSON: () => { throw new Error('no') } } })], // prettier-ignore
  ['_meta that is no object', () => ({ _meta: 5 })],
  ['_meta that is a text', () => ({ _meta: 'abc' })],
  ['_meta that is null', () => ({ _meta: null })],
  ['_meta that shows a text', () => ({ _meta: shows('x') })],
  ['_meta with no server info in its place', () => ({ _meta: { 'io.modelcontextprotocol/serverInfo': 'me' } })],
]

describe.each(NO_OBJECTS)('%s as a result', (_what, value) => {
  it('of a custom method is -32603, and the log says why', async () => {
    const server = make()
    server.method('acme/m', {}, value as never)
    expectRefused(await rpc(server, 'acme/m'), /result|Method acme\/m/)
  })

  it('in result() is -32603, and the log says why', async () => {
    const server = make()
    const body = (more: object) => {
      const given = value()
      return typeof given === 'object' && given !== null && Object.getPrototypeOf(given) === Object.prototype
        ? Object.assign(given, more)
        : (given as object)
    }
    server.tool('t', {}, () => result(body({ content: [text] })))
    server.prompt('p', {}, () => result(body({ messages: [{ role: 'user', content: text }] })) as never)
    server.resource('r', { uri: 'a:b' }, () => result(body({ contents: [{ uri: 'a:b', text: 'x' }] })) as never)
    for (const [method, params] of [
      ['tools/call', { name: 't' }],
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'a:b' }],
    ] as const) {
      events.length = 0
      expectRefused(await rpc(server, method, params), /result|returned/)
    }
  })

  it.each(['tools/call', 'tools/list', 'acme/m'])('E6 from middleware around %s is -32603', async (method) => {
    const server = make()
    server.tool('t', {}, () => 'x')
    server.method('acme/m', {}, () => ({}))
    server.use(() => ({ kind: 'completed', result: value() as never }))
    expectRefused(await rpc(server, method, method === 'tools/call' ? { name: 't' } : {}), /result|Middleware/)
  })
})

it('an instance that shows an object is that object', async () => {
  const server = make()
  class Row {
    readonly hidden = 1
    toJSON(): object {
      return { id: 7, resultType: 'odd', _meta: { a: 1 } }
    }
  }
  server.method('acme/m', {}, () => new Row())
  const body = (await server.handle(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'acme/m', params: { _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    } } }),
  )) // prettier-ignore
  expect(body.body?.match(/resultType/g)).toHaveLength(1)
  expect(JSON.parse(body.body ?? '')).toMatchObject({ result: { id: 7, resultType: 'complete', _meta: { a: 1 } } })
})

describe('outcomes that are none', () => {
  const ODD: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['a text', 'completed'],
    ['an array', []],
    ['no kind', {}],
    ['an unknown kind', { kind: 'complete', result: {} }],
    ['completed without a result', { kind: 'completed' }],
    ['suspended without a result', { kind: 'suspended' }],
    ['suspended with {}', { kind: 'suspended', result: {} }],
    ['suspended with a text', { kind: 'suspended', result: 'x' }],
    ['suspended with a brand alone', { kind: 'suspended', result: { [Symbol.for('rondo.input-required-result')]: true } }],
    ['suspended with asks that are none', { kind: 'suspended', result: { inputRequests: { a: 1 } } }],
    ['cancelled, which nobody was', { kind: 'cancelled' }],
  ] // prettier-ignore

  it.each(ODD)('E6 %s from middleware is a failed outcome for what is around it, and -32603', async (_what, odd) => {
    for (const [method, params] of [
      ['tools/call', { name: 't' }],
      ['tools/list', {}],
      ['acme/m', {}],
    ] as const) {
      // prettier-ignore
      for (const inner of [() => odd, async () => odd] as unknown as Middleware[]) {
        const server = make()
        const seen: unknown[] = []
        server.tool('t', {}, () => 'x')
        server.method('acme/m', {}, () => ({}))
        server.use(async (_call, next) => {
          const outcome = await next()
          seen.push(outcome.kind)
          return outcome
        })
        server.use(inner)
        expectRefused(await rpc(server, method, params), /Middleware/)
        expect(seen).toEqual(['failed'])
      }
    }
  })

  it('E6 a suspended outcome of another copy of the class is taken', async () => {
    const server = make()
    server.tool('t', {}, () => 'x')
    const brand = { [Symbol.for('rondo.input-required-result')]: true }
    server.use(() => ({ kind: 'suspended', result: { ...brand, inputRequests: { a: { method: 'roots/list' } } } as never }))
    const { result: given } = await callTool(server, 't')
    expect(given).toMatchObject({ resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } })
  }) // prettier-ignore
})

it('a handler’s result that only has the brand of one that asks is -32603', async () => {
  const brand = { [Symbol.for('rondo.input-required-result')]: true }
  for (const odd of [brand, { ...brand, inputRequests: { a: 1 } }, { ...brand, requestState: 5 }]) {
    const server = make()
    server.tool('t', {}, () => odd as never)
    expectRefused(await callTool(server, 't'), /unusable/)
  }
})

it('results of the legacy era are held to the same', async () => {
  const legacy = { protocolVersion: '2025-11-25', capabilities: {} }
  for (const body of [{ _meta: 5 }, { _meta: shows(1) }, { content: [{ ...text, _meta: { n: 1n } }] }]) {
    const server = make()
    server.tool('t', {}, () => result(body as never))
    expectRefused(await callTool(server, 't', {}, {}, { exchange: { legacy } }), /result|returned/)
  }
})

describe('tools', () => {
  const invalid: readonly [string, unknown, RegExp][] = [
    ['fail() of nothing', fail(undefined as never), /no text/],
    ['fail() of a number', fail(42 as never), /no text/],
    ['fail() of null', fail(null as never), /no text/],
    ['content that is a text', result({ content: 'x' }), /content is no array/],
    ['content that is null', result({ content: null }), /content is no array/],
    ['content that shows something else', result({ content: Object.assign([text], { toJSON: () => 1 }) }), /no array/],
    ['isError that is a text', result({ isError: 'yes', content: [text] }), /isError/],
    ['isError that is null', result({ isError: null, content: [text] }), /isError/],
    ['a function as structured content', result({ structuredContent: () => 1 }), /structured/],
    ['NaN in structured content', result({ structuredContent: { a: [1, NaN] } }), /NaN/],
    ['NaN in structured content beside content', result({ content: [text], structuredContent: NaN }), /NaN/],
    ['a BigInt in structured content', result({ structuredContent: { a: 1n } }), /BigInt/],
    ['a block that shows a number', [{ ...text, toJSON: () => 1 }], /block 0 is no/],
  ]
  it.each(invalid)('%s is -32603', async (_what, value, cause) => {
    const server = make()
    server.tool('t', {}, () => value as never)
    expectRefused(await callTool(server, 't'), cause)
  })

  it.each<[string, unknown, RegExp]>([
    ['undefined', undefined, /undefined/],
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('s'), /symbol/],
    ['Infinity', { n: Infinity }, /Infinity/],
    ['NaN', [NaN], /NaN/],
    ['a BigInt', { n: 1n }, /BigInt/],
    ['a cycle', cyclic(), /circular|cycl/i],
  ])('%s that an output schema lets through is -32603', async (_what, value, cause) => {
    for (const given of [value, result({ structuredContent: value }), result({ structuredContent: value, content: [text] })]) {
      const server = make()
      server.tool('t', { output: z.any() }, () => given as never)
      expectRefused(await callTool(server, 't'), cause)
    }
  }) // prettier-ignore

  it.each<[unknown, object]>([
    [result({}), { content: [] }],
    [result({ content: undefined }), { content: [] }],
    [result({ isError: undefined, content: [text] }), { content: [text] }],
    [result({ structuredContent: null }), { content: [{ type: 'text', text: 'null' }], structuredContent: null }],
    [result({ content: undefined, structuredContent: { a: null } }), { structuredContent: { a: null }, content: [{ type: 'text', text: '{"a":null}' }] }],
  ])('%j is whole', async (value, body) => {
    const server = make()
    server.tool('t', {}, () => value as never)
    expect((await callTool(server, 't')).result).toMatchObject(body)
  }) // prettier-ignore
})

describe('resources', () => {
  it.each<[string, unknown, RegExp]>([
    ['no contents', result({}), /contents/],
    ['contents that are a text', result({ contents: 'x' }), /contents/],
    ['contents that hold a text', result({ contents: ['x'] }), /no object/],
    ['no URI', { text: 'x', uri: undefined }, /no URI/],
    ['no URI beside bytes', { blob: new Uint8Array(1), uri: undefined }, /no URI/],
    ['a MIME type that is none beside bytes', { blob: new Uint8Array(1), mimeType: 5 }, /mimeType/],
    ['_meta that is none', { text: 'x', _meta: 'x' }, /_meta/],
    ['contents that show something else', { text: 'x', toJSON: () => 1 }, /no object/],
  ])('%s is -32603', async (_what, value, cause) => {
    const server = make()
    server.resource('r', { uri: 'a:b' }, () => value as never)
    expectRefused(await rpc(server, 'resources/read', { uri: 'a:b' }), cause)
  })

  it('MUST-resources-05 one that is there may hold nothing, and one that is not is never empty contents', async () => {
    const server = make()
    server.resource('empty', { uri: 'a:empty' }, () => [])
    server.resource('gone', { uri: 'a:gone' }, () => undefined)
    expect((await rpc(server, 'resources/read', { uri: 'a:empty' })).result).toMatchObject({ contents: [] })
    expect((await rpc(server, 'resources/read', { uri: 'a:gone' })).error?.code).toBe(-32602)
  })

  it('how long it may be kept is said once, by the server', async () => {
    const server = make()
    server.resource('r', { uri: 'a:b' }, () => result({ contents: [], ttlMs: -5, cacheScope: 'all' }) as never)
    const reply = await server.handle({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'a:b', _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    } } }) // prettier-ignore
    expect(reply.body?.match(/ttlMs|cacheScope/g)).toHaveLength(2)
    expect(JSON.parse(reply.body ?? '')).toMatchObject({ result: { ttlMs: 0 } })
  })
})

describe('prompts', () => {
  it.each<[string, unknown, RegExp]>([
    ['no messages', result({}), /message/],
    ['messages that are null', result({ messages: null }), /message/],
    ['a description that is a number', result({ messages: 'x', description: 7 }), /description/],
    ['a description that is null', result({ messages: 'x', description: null }), /description/],
    ['a role that is none', { role: 'system', content: text }, /message/],
    ['a message that shows a number', { role: 'user', content: text, toJSON: () => 1 }, /message/],
    ['content that is an array', { role: 'user', content: [text] }, /message/],
  ])('%s is -32603', async (_what, value, cause) => {
    const server = make()
    server.prompt('p', { description: 'It' }, () => value as never)
    expectRefused(await rpc(server, 'prompts/get', { name: 'p' }), cause)
  })
})
