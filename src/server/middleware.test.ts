import { describe, expect, it } from 'vitest'
import { inputRequired, isInputRequired, Server, WireError, type Middleware, type Outcome } from '../entry/index.ts'
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
      await next()
      return { kind: 'completed', result: { replaced: true } }
    }
    const reply = await rpc(makeServer(replace), method, params)
    expect(reply.result).toMatchObject({ resultType: 'complete', replaced: true })
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
