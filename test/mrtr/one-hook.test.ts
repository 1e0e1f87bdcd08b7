import { readdirSync, readFileSync } from 'node:fs'
import { type Exchange, InputRequiredResult, isInputRequired, type Outcome, Server } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, requestText, rpc } from '../support/rpc.ts'
import { asking, askingServer, CALLS, FORM, METHODS } from './asking-server.ts'

describe('the one place that gates and serialises', () => {
  it.each(METHODS)('S1.18 middleware around $method sees the typed value', async ({ method, params }) => {
    const seen: Outcome[] = []
    const server = askingServer(() => asking('mine'))
    server.use(async (_call, next) => {
      const outcome = await next()
      seen.push(outcome)
      return outcome
    })
    await rpc(server, method, params)
    const [outcome] = seen
    if (outcome?.kind !== 'suspended') return expect.fail('was not suspended')
    expect(outcome.result).toBeInstanceOf(InputRequiredResult)
    expect(Object.isFrozen(outcome.result)).toBe(true)
    expect(outcome.result.requestState).toBe('mine')
    expect(Object.keys(outcome.result.inputRequests ?? {})).toEqual(['which', 'dirs'])
  })

  it('E11 asks that middleware puts in the place of a suspended round’s are held to the same declaration', async () => {
    const server = new Server({ name: 'test', version: '1.0.0' })
    server.tool('it', {}, (_args, ctx) => ctx.ask.text('who', 'Who?', { orEnd: 'Nobody.' }))
    server.use(async (_call, next) => {
      const outcome = await next()
      if (outcome.kind !== 'suspended') return outcome
      const result = new InputRequiredResult({
        inputRequests: { dirs: { method: 'roots/list' } },
        requestState: 'mine',
      })
      return { kind: 'suspended', result }
    })
    const declared = await callTool(server, 'it', {}, {}, { capabilities: { elicitation: { form: {} }, roots: {} } })
    expect(declared.result?.inputRequests).toEqual({ dirs: { method: 'roots/list' } })
    const { status, error } = await callTool(server, 'it', {}, {}, { capabilities: { elicitation: { form: {} } } })
    expect([status, error?.code, error?.data]).toEqual([400, -32021, { requiredCapabilities: { roots: {} } }])
  })

  it('S1.18 middleware sees a literal and another copy of the class as the same kind of value', async () => {
    const brand = Symbol.for('rondo.input-required-result')
    const foreign = Object.freeze({ [brand]: true, inputRequests: { which: FORM }, requestState: undefined })
    const literal = { resultType: 'input_required', inputRequests: { which: FORM } }
    for (const given of [literal, foreign]) {
      const seen: boolean[] = []
      const server = askingServer(() => given)
      server.use(async (_call, next) => {
        const outcome = await next()
        seen.push(outcome.kind === 'suspended' && isInputRequired(outcome.result))
        return outcome
      })
      const { result } = await callTool(server, 'it', { a: '1' })
      expect(result?.inputRequests).toEqual({ which: FORM })
      expect(seen).toEqual([true])
    }
  })

  it('S1.18 what middleware puts in its place is gated too', async () => {
    const server = askingServer(() => 'done')
    server.use(async () => ({ kind: 'suspended', result: asking() }))
    for (const { method, params } of CALLS) {
      expect((await rpc(server, method, params, { capabilities: {} })).error?.code).toBe(-32021)
      expect((await rpc(server, method, params)).result?.resultType).toBe('input_required')
    }
  })

  it('S1.18 middleware may take an ask back', async () => {
    const server = askingServer(() => asking())
    server.use(async (_call, next) => {
      const outcome = await next()
      return outcome.kind === 'suspended' ? { kind: 'completed', result: { content: [] } } : outcome
    })
    const { result } = await callTool(server, 'it', { a: '1' }, {}, { capabilities: {} })
    expect(result).toMatchObject({ resultType: 'complete', content: [] })
  })

  it('S1.18 one function writes the result type of such a result, called from one place', () => {
    const folder = new URL('../../src/server/', import.meta.url)
    const source = readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.includes('.test'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n')
    const count = (pattern: RegExp) => [...source.matchAll(pattern)].length
    expect(count(/\$\{ResultType\.inputRequired\}/g)).toBe(1)
    expect(count(/\badmit\(this\.#request/g)).toBe(1)
    expect(count(/kind === 'suspended'|case 'suspended'/g)).toBeGreaterThan(0)
  })
})

/** An exchange whose caller can go away. */
function leaving(): { exchange: Exchange; leave: () => void; sent: string[] } {
  const listeners: ((reason?: string) => void)[] = []
  const sent: string[] = []
  const exchange: Exchange = {
    notify: (message) => void sent.push(message),
    onCancel: (listener) => void listeners.push(listener),
  }
  return { exchange, leave: () => listeners.forEach((listener) => listener('gone')), sent }
}

describe('cancellation comes first', () => {
  /** Cancels while the handler runs; the handler then gives `after`. */
  async function cancelled(
    method: string,
    params: object,
    after: () => unknown,
    capabilities: object,
    prepare: (server: Server) => void = () => undefined,
  ) {
    const { exchange, leave, sent } = leaving()
    const server = askingServer(async (ctx) => {
      leave()
      expect(ctx.signal.aborted).toBe(true)
      await Promise.resolve()
      return after()
    })
    prepare(server)
    return { reply: await server.handle(requestText(method, params, { capabilities }), exchange), sent }
  }

  it.each(CALLS)('S1.19 $name that asks beyond the capabilities gives no response', async ({ method, params }) => {
    const { reply, sent } = await cancelled(method, params, () => asking('x'), {})
    expect(reply).toEqual({ status: 0, body: undefined })
    expect(sent).toEqual([])
  })

  it.each(CALLS)('S1.19 $name that gives anything else gives no response either', async ({ method, params }) => {
    const afters = [() => asking('x'), () => ({ resultType: 'input_required' }), () => 'done', () => 42]
    const throws = () => {
      throw new Error('late')
    }
    for (const after of [...afters, throws]) {
      const { reply } = await cancelled(method, params, after, { elicitation: {}, roots: {} })
      expect(reply).toEqual({ status: 0, body: undefined })
    }
  })

  it('S1.19 what middleware puts in the place of a cancelled call is not sent', async () => {
    const outcomes: Outcome[] = [
      { kind: 'suspended', result: asking() },
      { kind: 'completed', result: { content: [] } },
      { kind: 'failed', error: new Error('x') },
    ]
    for (const outcome of outcomes) {
      const { reply } = await cancelled(
        'tools/call',
        { name: 'it' },
        () => 'done',
        {},
        (server) =>
          server.use(async (_call, next) => {
            await next()
            return outcome
          }),
      )
      expect(reply).toEqual({ status: 0, body: undefined })
    }
  })

  it('S1.19 a call cancelled after its handler ended, while middleware goes on, gives no response', async () => {
    for (const given of [() => asking('x'), () => 'done', () => 42]) {
      const { exchange, leave } = leaving()
      const server = askingServer(given)
      server.use(async (_call, next) => {
        const outcome = await next()
        leave()
        return outcome
      })
      expect(await callTool(server, 'it', {}, {}, { exchange, capabilities: {} })).toEqual({ status: 0 })
    }
  })

  it('S1.19 a call cancelled in its second round gives no response', async () => {
    const { exchange, leave } = leaving()
    const server = askingServer((ctx) => {
      if (ctx.requestState === undefined) return asking('x')
      leave()
      return asking('y')
    })
    const { result } = await callTool(server, 'it')
    const more = { requestState: result?.requestState, inputResponses: {} }
    const reply = await callTool(server, 'it', {}, more, { exchange, capabilities: {} })
    expect(reply).toEqual({ status: 0 })
  })
})
