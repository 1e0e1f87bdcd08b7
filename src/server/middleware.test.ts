import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { inputRequired, isInputRequired, Server, WireError, type Middleware, type Outcome } from '../entry/index.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { callTool, rpc, type RpcReply } from '../../test/support/rpc.ts'

function makeServer(middleware?: Middleware): Server {
  const server = new Server({ name: 'around', version: '1.0.0' })
  server.tool('say', {}, () => 'said')
  server.tool('ask', {}, async (_args, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
  server.tool('ask-low', {}, (_args, ctx) =>
    ctx.inputResponse('go').kind === 'missing'
      ? inputRequired({ inputRequests: { go: { method: 'roots/list' } }, requestState: 'mine' })
      : 'gone',
  )
  server.tool('boom', {}, () => {
    throw new Error('secret reason')
  })
  server.prompt('poem', { arguments: { topic: { complete: () => ['rain'] } } }, () => 'Write a poem')
  server.resource('note', { uri: 'note://today' }, () => 'rain')
  server.resourceTemplate('day', { uriTemplate: 'day://{day}' }, ({ day }) => day)
  server.method('acme/count', {}, () => ({ count: 3 }))
  if (middleware !== undefined) server.use(middleware)
  return server
}

const OPERATIONS: [string, object][] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'poem' }, argument: { name: 'topic', value: 'r' } }],
  ['tools/call', { name: 'say' }],
  ['prompts/get', { name: 'poem' }],
  ['resources/read', { uri: 'note://today' }],
  ['resources/read', { uri: 'day://monday' }],
  ['acme/count', {}],
]

const withoutId = ({ id: _id, ...reply }: RpcReply) => reply

describe('middleware around every operation', () => {
  it.each(OPERATIONS)('%s %j passes through it unchanged', async (method, params) => {
    const seen: string[] = []
    const pass: Middleware = async (call, next) => {
      seen.push(call.method)
      return next()
    }
    const plain = await rpc(makeServer(), method, params)
    const passed = await rpc(makeServer(pass), method, params)
    expect(withoutId(passed)).toEqual(withoutId(plain))
    expect(plain.result).toBeDefined()
    expect(seen).toEqual([method])
  })

  it.each(OPERATIONS)('%s %j may have its result replaced', async (method, params) => {
    const replace: Middleware = async (_call, next) => {
      const outcome = await next()
      if (outcome.kind !== 'completed') return outcome
      return { kind: 'completed', result: { ...outcome.result, replaced: true } }
    }
    const reply = await rpc(makeServer(replace), method, params)
    expect(reply.result).toMatchObject({ resultType: 'complete', replaced: true })
  })

  it.each(OPERATIONS)('%s %j may have its result changed in place', async (method, params) => {
    const change: Middleware = async (_call, next) => {
      const outcome = await next()
      if (outcome.kind === 'completed') outcome.result['added'] = { to: method }
      return outcome
    }
    const { result, ...reply } = withoutId(await rpc(makeServer(change), method, params))
    const plain = withoutId(await rpc(makeServer(), method, params))
    expect({ ...reply, result }).toEqual({ ...plain, result: { ...plain.result, added: { to: method } } })
  })

  it.each(OPERATIONS)('E6 %s %j gives an outcome that nobody can turn into another', async (method, params) => {
    const turn: Middleware = async (_call, next) => {
      const outcome = await next()
      ;(outcome as { kind: string }).kind = 'done'
      return outcome
    }
    const reply = await rpc(makeServer(turn), method, params)
    expect(reply.error?.code).toBe(-32603)
  })

  it.each(OPERATIONS.filter(([method]) => method !== 'acme/count' && method !== 'tools/call'))(
    '%s %j is -32603 when what it is replaced with is not what the method gives',
    async (method, params) => {
      for (const ran of [true, false]) {
        for (const result of [{}, { tools: 'x', messages: [7], contents: 'x', completion: { values: [7] } }]) {
          const replace: Middleware = async (_call, next) => {
            if (ran) await next()
            return { kind: 'completed', result }
          }
          const reply = await rpc(makeServer(replace), method, params)
          expect(reply.error).toEqual({ code: -32603, message: 'Internal error (RESULT_INVALID)' })
        }
      }
    },
  )

  it.each<[string, object]>([
    ['content that is no array', { content: 'x' }],
    ['an odd block', { content: [{ type: 'text', text: 7 }] }],
    ['isError that is no boolean', { content: [], isError: 'yes' }],
    ['a number JSON does not have', { content: [], structuredContent: { n: NaN } }],
    ['what the output schema refuses', { content: [], structuredContent: { n: 'x' } }],
    ['no structured content', { content: [] }],
  ])('a tool’s result may not be replaced with %s', async (_what, result) => {
    const server = makeServer(
      async (_call, next) => (await next(), { kind: 'completed', result: result as JsonObject }),
    )
    const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
    server.tool('count', { output }, () => ({ n: 3 }))
    expect((await callTool(server, 'count')).error).toMatchObject({ code: -32603 })
  })

  it('a tool’s structured content is kept as it was validated, whatever its schema transforms', async () => {
    const server = makeServer(async (_call, next) => {
      const outcome = await next()
      return outcome.kind === 'completed' ? { ...outcome, result: { ...outcome.result, extra: 1 } } : outcome
    })
    server.tool('count', { output: z.object({ n: z.string().transform(Number).pipe(z.number()) }) }, () => ({ n: '3' }))
    expect((await callTool(server, 'count')).result).toMatchObject({ structuredContent: { n: 3 }, extra: 1 })
  })

  it.each(OPERATIONS)('%s %j may be refused without running', async (method, params) => {
    const refuse: Middleware = () => ({
      kind: 'failed',
      error: new WireError(1403, 'Not today', { data: { until: 'monday' } }),
    })
    const reply = await rpc(makeServer(refuse), method, params)
    expect(reply.error).toEqual({ code: 1403, message: 'Not today', data: { until: 'monday' } })
  })

  it.each(OPERATIONS)('%s %j answers -32603 without the text of what middleware throws', async (method, params) => {
    const broken: Middleware = () => {
      throw new Error('secret reason')
    }
    const reply = await rpc(makeServer(broken), method, params)
    expect(reply.error?.code).toBe(-32603)
    expect(JSON.stringify(reply)).not.toContain('secret reason')
  })
})

describe('what middleware sees', () => {
  async function outcomes(tool: string): Promise<Outcome[]> {
    const seen: Outcome[] = []
    const watch: Middleware = async (_call, next) => {
      const outcome = await next()
      seen.push(outcome)
      return outcome
    }
    await callTool(makeServer(watch), tool)
    return seen
  }

  it.each(['ask', 'ask-low'])('E6 a suspended call is a value with the frozen result: %s', async (tool) => {
    const [outcome] = await outcomes(tool)
    if (outcome?.kind !== 'suspended') throw new Error(`is ${outcome?.kind}`)
    expect(isInputRequired(outcome.result)).toBe(true)
    expect(Object.isFrozen(outcome.result)).toBe(true)
    expect(Object.keys(outcome.result.inputRequests ?? {})).toEqual(['go'])
  })

  it('E6 a failed call is a value with the error itself', async () => {
    const [outcome] = await outcomes('boom')
    expect(outcome).toMatchObject({ kind: 'failed', error: { message: 'secret reason' } })
  })

  it('E6 a cancelled call is a value, and stays cancelled whatever middleware returns', async () => {
    const seen: string[] = []
    const server = makeServer(async (_call, next) => {
      seen.push((await next()).kind)
      return { kind: 'completed', result: {} }
    })
    let cancel: ((reason?: string) => void) | undefined
    server.tool(
      'wait',
      {},
      (_args, ctx) => new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('aborted'))),
    )
    const reply = callTool(server, 'wait', {}, {}, { exchange: { onCancel: (listener) => void (cancel = listener) } })
    await Promise.resolve()
    cancel?.('bored')
    expect(await reply).toEqual({ status: 0 })
    expect(seen).toEqual(['cancelled'])
  })

  const CALLED: [string, object][] = [
    ['tools/call', { name: 'count' }],
    ['acme/counted', {}],
  ]

  /** A server whose handlers count how often they ran. */
  function counting(middleware: Middleware): { server: Server; ran: () => number } {
    let ran = 0
    const server = makeServer(middleware)
    server.tool('count', {}, () => `${(ran += 1)}`)
    server.method('acme/counted', {}, () => ({ count: (ran += 1) }))
    return { server, ran: () => ran }
  }

  it.each(CALLED)(
    'E6 next() called again, at once or later, gives the same outcome of one run: %s',
    async (...call) => {
      const seen: Outcome[] = []
      const { server, ran } = counting(async (_call, next) => {
        for (const outcome of await Promise.all([next(), next()])) seen.push(outcome)
        seen.push(await next())
        return next()
      })
      expect((await rpc(server, ...call)).result).toBeDefined()
      expect(ran()).toBe(1)
      expect(seen.map((outcome) => outcome === seen[0] && outcome.kind)).toEqual([
        'completed',
        'completed',
        'completed',
      ])
    },
  )

  it.each(CALLED)(
    'E6 a throw after next(), also where middleware catches, is a failed outcome: %s',
    async (...call) => {
      const seen: unknown[] = []
      const { server, ran } = counting(async (_call, next) => {
        const outcome = await next()
        seen.push(outcome)
        return outcome
      })
      const late = new WireError(1403, 'Not today')
      server.use(async (_call, next) => {
        try {
          await next()
          throw new Error('first')
        } catch {
          throw late
        }
      })
      expect((await rpc(server, ...call)).error).toEqual({ code: 1403, message: 'Not today' })
      expect(seen).toEqual([{ kind: 'failed', error: late }])
      expect(ran()).toBe(1)
    },
  )

  it.each<[string, Middleware]>([
    ['passes it on', (_call, next) => next()],
    ['replaces it', async (_call, next) => (await next(), { kind: 'completed', result: {} })], // prettier-ignore
    ['says that it failed', async (_call, next) => (await next(), { kind: 'failed', error: new Error('x') })], // prettier-ignore
    ['throws', async (_call, next) => Promise.reject(new Error((await next()).kind))],
  ])(
    'E6 a cancelled call is seen as cancelled all the way out, and not answered, when middleware %s',
    async (_what, inner) => {
      const seen: string[] = []
      const watch: Middleware = async (_call, next) => {
        const outcome = await next()
        seen.push(outcome.kind)
        return outcome
      }
      const server = makeServer(watch).use(inner).use(watch)
      const whenAborted = (_given: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise<object>((resolve) => signal.addEventListener('abort', () => resolve({})))
      server.method('acme/wait', {}, whenAborted)
      server.tool('wait', { output: {} }, whenAborted as never)
      for (const [method, params] of [
        ['tools/call', { name: 'wait' }],
        ['acme/wait', {}],
      ] as const) {
        // prettier-ignore
        seen.length = 0
        let cancel: ((reason?: string) => void) | undefined
        const reply = rpc(server, method, params, { exchange: { onCancel: (listener) => void (cancel = listener) } })
        await new Promise((resolve) => setTimeout(resolve, 1))
        cancel?.('bored')
        expect(await reply).toEqual({ status: 0 })
        expect(seen).toEqual(['cancelled', 'cancelled'])
      }
    },
  )

  it('may put an ask of its own before every call, and gets its answer back', async () => {
    const gate: Middleware = (call, next) => {
      const answers = call.params['inputResponses'] as Record<string, unknown> | undefined
      if (answers?.['sure'] !== undefined) return next()
      const result = inputRequired({ inputRequests: { sure: { method: 'roots/list' } } })
      return { kind: 'suspended', result }
    }
    const server = makeServer(gate)
    const first = await callTool(server, 'say')
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { sure: { method: 'roots/list' } },
    })
    const second = await callTool(server, 'say', {}, { inputResponses: { sure: { roots: [] } } })
    expect(second.result?.content?.[0]?.text).toBe('said')
  })

  it('runs in the order it was put, the first outermost', async () => {
    const order: string[] = []
    const named =
      (name: string): Middleware =>
      async (_call, next) => {
        order.push(`${name} in`)
        const outcome = await next()
        order.push(`${name} out`)
        return outcome
      }
    await callTool(makeServer(named('a')).use(named('b')), 'say')
    expect(order).toEqual(['a in', 'b in', 'b out', 'a out'])
  })
})
