import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  fail,
  isRondoError,
  result,
  Server,
  ToolError,
  WireError,
  type ServerLog,
  type ServerOptions,
} from '../entry/index.ts'
import { callTool, rpc, textOf } from '../../test/support/rpc.ts'

const make = (options: ServerOptions = {}) => new Server({ name: 'server', version: '1.0.0' }, options)

describe('what a tool returns', () => {
  it.each<[string, unknown, object]>([
    ['text', 'hi', { content: [{ type: 'text', text: 'hi' }] }],
    ['nothing', undefined, { content: [] }],
    ['a block', { type: 'text', text: 'b' }, { content: [{ type: 'text', text: 'b' }] }],
    ['blocks', [{ type: 'text', text: 'b' }], { content: [{ type: 'text', text: 'b' }] }],
    ['fail()', fail('because'), { content: [{ type: 'text', text: 'because' }], isError: true }],
    ['a full result', result({ content: [], _meta: { 'com.example/a': 1 } }), { content: [] }],
  ])('%s', async (_what, value, expected) => {
    const server = make()
    server.tool('t', {}, () => value as string)
    expect((await callTool(server, 't')).result).toMatchObject(expected)
  })

  it.each([[{ a: 1 }], [7], [null], [[1]]])(
    '%j without an output schema is -32603, and the log says what to do',
    async (value) => {
      const logs: ServerLog[] = []
      const server = make({ log: (event) => logs.push(event) })
      server.tool('t', {}, () => value as unknown as string)
      expect((await callTool(server, 't')).error?.code).toBe(-32603)
      expect(logs.find(({ code }) => code === 'RESULT_INVALID')?.message).toContain('output')
    },
  )

  it.each([[{ sum: 3 }], [[1, 2]], ['text'], [null], [false], [0]])(
    'spec server/tools: with an output schema %j is the structured content, and goes out as text too',
    async (value) => {
      const server = make()
      server.tool('t', { output: z.unknown() }, () => value)
      const { result: got } = await callTool(server, 't')
      expect(got?.['structuredContent']).toEqual(value)
      expect(got?.content).toEqual([{ type: 'text', text: JSON.stringify(value) }])
    },
  )

  it('spec server/tools: a value that misses the output schema is an error, never sent', async () => {
    const server = make()
    server.tool('t', { output: z.object({ sum: z.number() }) }, () => ({ sum: 'secret' }) as unknown as { sum: number })
    const reply = await callTool(server, 't')
    expect(reply.error?.code).toBe(-32603)
    expect(JSON.stringify(reply)).not.toContain('secret')
  })
})

describe('what a tool throws', () => {
  const thrown = async (error: unknown, logs: ServerLog[] = []) => {
    const server = make({ log: (event) => logs.push(event) })
    server.tool('t', {}, () => {
      throw error
    })
    return callTool(server, 't')
  }

  it('a ToolError is a tool error with its text', async () => {
    expect((await thrown(new ToolError('disk full'))).result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'disk full' }],
    })
  })

  it('a WireError is a JSON-RPC error with its code and data', async () => {
    expect((await thrown(new WireError(4711, 'nope', { data: { a: 1 } }))).error).toEqual({
      code: 4711,
      message: 'nope',
      data: { a: 1 },
    })
  })

  it.each([[new Error('secret')], ['secret'], [{ secret: 'secret' }], [undefined]])(
    'a stranger is -32603 without its text, and the log has it: %j',
    async (error) => {
      const logs: ServerLog[] = []
      const reply = await thrown(error, logs)
      expect(reply.error).toEqual({ code: -32603, message: 'Internal error' })
      expect(logs).toContainEqual(expect.objectContaining({ level: 'error', code: 'handler-failed', error }))
    },
  )

  it('spec basic/index: an author’s own code must lie outside what JSON-RPC reserves', () => {
    for (const code of [-32000, -32768, -32021, 1.5]) expect(() => new WireError(code, 'x')).toThrow(RangeError)
    expect(new WireError(-31999, 'x').wire).toBe(-31999)
  })

  it('a log that throws does not fail the call', async () => {
    const server = make({
      log: () => {
        throw new Error('log is broken')
      },
    })
    server.tool('t', {}, () => 'fine')
    expect(textOf(await callTool(server, 't'))).toBe('fine')
  })
})

describe('registering', () => {
  it('refuses two of one name, and a name that belongs to MCP', () => {
    const server = make()
    server.tool('t', {}, () => 'a')
    for (const again of [() => server.tool('t', {}, () => 'b'), () => server.method('tools/list', {}, () => ({}))]) {
      expect(again).toThrow(expect.toSatisfy((error) => isRondoError(error, 'DEFINITION_INVALID')))
    }
  })

  it('takes tools, prompts, resources and methods while it runs, and away again', async () => {
    const server = make()
    const added = [
      server.tool('t', {}, () => 'a'),
      server.prompt('p', {}, () => 'a'),
      server.resource('r', { uri: 'r://r' }, () => 'a'),
      server.resources([{ uri: 'r://listed', name: 'listed' }]),
      server.method('acme/m', {}, () => ({})),
    ]
    const probes: [string, object][] = [
      ['tools/call', { name: 't' }],
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'r://r' }],
      ['acme/m', {}],
    ]
    for (const [method, params] of probes) expect((await rpc(server, method, params)).result).toBeDefined()
    for (const one of added) expect(one.remove()).toBe(true)
    for (const one of added) expect(one.remove()).toBe(false)
    for (const [method, params] of probes) expect((await rpc(server, method, params)).error).toBeDefined()
    expect((await rpc(server, 'tools/list')).result).toMatchObject({ tools: [] })
  })

  it.each<[object, string]>([
    [{ loger: console.log }, 'there is no option `loger`'],
    [{ log: 'yes' }, 'Option log'],
    [{ limits: { round: 3 } }, 'there is no option `round`'],
    [{ limits: { rounds: 'x' } }, 'limits.rounds'],
    [{ state: { roundTtl: '1 hours ago' } }, 'state.roundTtl'],
    [{ state: { key: 'k' } }, 'there is no option `key`'],
    [{ requestState: 'plain' }, 'requestState'],
  ])('an option that is none is refused where it is written: %j', (options, text) => {
    expect(() => make(options)).toThrow(text)
  })

  it('a shape of schemas is told to be wrapped', () => {
    expect(() => make().tool('t', { input: { n: z.number() } as never }, () => 'a')).toThrow('z.object')
  })

  it('a server needs a name and a version', () => {
    expect(() => new Server({ name: '', version: '1' })).toThrow('name')
    expect(() => new Server({ name: 'a' } as never)).toThrow('version')
  })

  it('a list that was never offered is an unknown method', async () => {
    const reply = await rpc(make(), 'tools/list')
    expect([reply.status, reply.error?.code]).toEqual([404, -32601])
  })
})

describe('visible', () => {
  it('hides from every method what a principal may not see', async () => {
    const server = make()
    const visible = ({ principal }: { principal: string }) => principal === 'root'
    server.tool('t', { visible }, () => 'a')
    server.prompt('p', { visible, arguments: { a: { complete: () => ['x'] } } }, () => 'a')
    server.resource('r', { uri: 'r://r', visible }, () => 'a')
    server.resourceTemplate('rt', { uriTemplate: 't://{a}', visible, complete: { a: () => ['x'] } }, () => 'a')
    const complete = (ref: object) => ['completion/complete', { ref, argument: { name: 'a', value: '' } }] as const
    const probes: (readonly [string, object])[] = [
      ['tools/call', { name: 't' }],
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'r://r' }],
      ['resources/read', { uri: 't://1' }],
      complete({ type: 'ref/prompt', name: 'p' }),
      complete({ type: 'ref/resource', uri: 't://{a}' }),
    ]
    for (const [method, params] of probes) {
      expect((await rpc(server, method, params, { exchange: { principal: 'root' } })).error).toBeUndefined()
      expect((await rpc(server, method, params, { exchange: { principal: 'guest' } })).error?.code).toBe(-32602)
    }
    const hidden = (await rpc(server, 'tools/call', { name: 't' }, { id: 1 })).error
    const unknown = (await rpc(server, 'tools/call', { name: 'u' }, { id: 1 })).error
    expect(hidden?.message.replace('"t"', '"u"')).toBe(unknown?.message)
  })
})

describe('running calls', () => {
  const waiting = (server: Server) =>
    new Promise<AbortSignal>((started) => {
      server.tool('wait', {}, async (_args, { signal }) => {
        started(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'aborted'
      })
    })

  it('spec basic/patterns/cancellation: a cancelled request gets no response', async () => {
    const server = make()
    const started = waiting(server)
    let cancel: ((reason?: string) => void) | undefined
    const reply = callTool(server, 'wait', {}, {}, { exchange: { onCancel: (listener) => void (cancel = listener) } })
    const signal = await started
    cancel?.('bored')
    expect(await reply).toEqual({ status: 0 })
    expect(signal.aborted).toBe(true)
  })

  it('closing the server signals what still runs', async () => {
    const server = make()
    const started = waiting(server)
    const reply = callTool(server, 'wait')
    const signal = await started
    expect(server.healthy).toBe(true)
    server.close()
    expect([server.healthy, signal.aborted]).toEqual([false, true])
    expect((await reply).status).toBe(0)
  })

  it('spec server/tools: calls are limited per principal, and others go on', async () => {
    const server = make({ rateLimit: { perSecond: 1, burst: 2 } })
    server.tool('t', {}, () => 'a')
    const call = (principal: string) => callTool(server, 't', {}, {}, { exchange: { principal } })
    await call('ada')
    await call('ada')
    const refused = await call('ada')
    expect(refused).toMatchObject({ status: 200, error: { data: { retryAfterMs: expect.any(Number) as number } } })
    expect((await call('bob')).error).toBeUndefined()
  })

  it('tells standard error what failed when there is no log', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const server = make()
    server.tool('broken', {}, () => {
      throw new Error('database is down')
    })
    await callTool(server, 'broken')
    expect(printed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('broken: Error: database is down'))
    printed.mockRestore()
  })

  it('says of a failure which call of what it was', async () => {
    const logs: ServerLog[] = []
    const server = make({ log: (event) => logs.push(event) })
    server.tool('broken', {}, () => {
      throw new Error('database is down')
    })
    await callTool(server, 'broken')
    const [round, failure] = [logs.find(({ code }) => code === 'round'), logs.find(({ level }) => level === 'error')]
    expect(failure).toMatchObject({ code: 'handler-failed', target: 'broken', callId: round?.callId })
  })

  it('says one thing per round to the operator', async () => {
    const logs: ServerLog[] = []
    const server = make({ log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx) => ((await ctx.ask.confirm('go', '?')) ? 'a' : 'b'))
    const first = await callTool(server, 't')
    const inputResponses = { go: { action: 'accept', content: { value: true } } }
    await callTool(server, 't', {}, { requestState: first.result?.requestState, inputResponses })
    const rounds = logs.filter(({ code }) => code === 'round')
    expect(rounds.map(({ message }) => message)).toEqual(['tools/call t: suspended (go)', 'tools/call t: completed'])
    expect(rounds[0]?.callId).toBe(rounds[1]?.callId)
  })
})

it('takes and gives as many resources as there are', async () => {
  const many = Array.from({ length: 130_000 }, (_, n) => ({ uri: `x:${n}`, name: 'n' }))
  const fixed = new Server({ name: 's', version: '1.0.0' }, { pageSize: 1_000_000 })
  fixed.resources(many)
  expect((await rpc(fixed, 'resources/list')).result?.['resources']).toHaveLength(many.length)
  const listed = new Server({ name: 's', version: '1.0.0' })
  listed.resources(() => ({ resources: many }))
  expect((await rpc(listed, 'resources/list')).result?.['resources']).toHaveLength(many.length)
})
