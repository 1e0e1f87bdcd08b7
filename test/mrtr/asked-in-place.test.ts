import { Server, type Context, type Exchange, inputRequired, RondoError, type Server as ServerType } from 'rondo'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, readReply, type RpcReply, textOf } from '../support/rpc.ts'

type Request = { method: string; params?: Record<string, unknown> }
type Legacy = NonNullable<Exchange['legacy']>

const accept = (content: object) => ({ action: 'accept', content })
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A client of the legacy era: what it is asked, and its answers by what the question says. */
class Client {
  readonly asked: Request[] = []
  readonly signals: AbortSignal[] = []
  readonly #answer: (request: Request) => unknown
  readonly #more: Partial<Legacy>

  constructor(answer: (request: Request) => unknown, more: Partial<Legacy> = {}) {
    this.#answer = answer
    this.#more = more
  }

  async call(server: ServerType, method: string, params: object, exchange: Exchange = {}): Promise<RpcReply> {
    const legacy: Legacy = {
      protocolVersion: '2025-11-25',
      capabilities: EVERYTHING,
      request: async (request, signal) => {
        this.asked.push(request as Request)
        this.signals.push(signal)
        return this.#answer(request as Request)
      },
      ...this.#more,
    }
    const message = { jsonrpc: '2.0', id: 1, method, params }
    return readReply(await server.handle(message, { ...exchange, legacy }))
  }

  tool(server: ServerType, args: object = {}): Promise<RpcReply> {
    return this.call(server, 'tools/call', { name: 'it', arguments: args })
  }
}

function serverOf(handler: (ctx: Context) => unknown): Server {
  const server = new Server({ name: 'test', version: '1.0.0' }, { log: () => undefined })
  server.tool('it', {}, (_args, ctx) => handler(ctx) as string)
  return server
}

describe('a client of the legacy era is asked while the handler waits', () => {
  it.each<[string, (ctx: Context) => PromiseLike<unknown>, string, unknown, unknown]>([
    [
      'form',
      (ctx) =>
        ctx.ask.form('why', { message: 'Why?', schema: { type: 'object', properties: { a: { type: 'string' } } } }),
      'elicitation/create',
      accept({ a: 'b' }),
      accept({ a: 'b' }),
    ],
    [
      'url',
      (ctx) => ctx.ask.url('pay', { message: 'Pay', url: 'https://example.com/' }),
      'elicitation/create',
      accept({}),
      { action: 'accept' },
    ],
    ['confirm', (ctx) => ctx.ask.confirm('go', 'Go?'), 'elicitation/create', accept({ value: true }), true],
    [
      'text',
      (ctx) => ctx.ask.text('who', 'Who?', { orEnd: 'No.' }),
      'elicitation/create',
      accept({ value: 'Ada' }),
      'Ada',
    ],
    [
      'sample',
      (ctx) =>
        ctx.ask.sample('say', { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 }),
      'sampling/createMessage',
      { role: 'assistant', content: { type: 'text', text: 'Ho' }, model: 'm' },
      { role: 'assistant', content: { type: 'text', text: 'Ho' }, model: 'm' },
    ],
    [
      'roots',
      (ctx) => ctx.ask.roots(),
      'roots/list',
      { roots: [{ uri: 'file:///a' }] },
      { roots: [{ uri: 'file:///a' }] },
    ],
  ])('%s', async (_kind, ask, method, answer, seen) => {
    let runs = 0
    const server = serverOf(async (ctx) => {
      runs++
      return JSON.stringify(await ask(ctx))
    })
    const client = new Client(() => answer)
    const reply = await client.tool(server)
    expect(JSON.parse(textOf(reply) ?? '')).toEqual(seen)
    expect(client.asked.map((request) => request.method)).toEqual([method])
    expect(reply.result).not.toHaveProperty('resultType')
    expect(runs).toBe(1)
  })

  it('asks awaited together go out together, and later ones later', async () => {
    const server = serverOf(async (ctx) => {
      const both = await Promise.all([ctx.ask.confirm('a', 'A?'), ctx.ask.confirm('b', 'B?')])
      return JSON.stringify([...both, await ctx.ask.confirm('c', 'C?')])
    })
    const client = new Client(({ params }) => accept({ value: params?.['message'] !== 'B?' }))
    expect(textOf(await client.tool(server))).toBe('[true,false,true]')
    expect(client.asked.map(({ params }) => params?.['message'])).toEqual(['A?', 'B?', 'C?'])
  })

  it('prompts and resources ask, too', async () => {
    const server = new Server({ name: 'test', version: '1.0.0' })
    server.prompt('it', {}, async (_args, ctx) => ((await ctx.ask.confirm('a', 'A?')) ? 'yes' : 'no'))
    server.resource('it', { uri: 'note:it' }, async (_uri, ctx) => ((await ctx.ask.confirm('a', 'A?')) ? 'yes' : 'no'))
    const client = new Client(() => accept({ value: true }))
    const prompt = await client.call(server, 'prompts/get', { name: 'it' })
    const resource = await client.call(server, 'resources/read', { uri: 'note:it' })
    expect(JSON.stringify([prompt.result, resource.result])).toMatch(/"text":"yes".*"text":"yes"/)
  })

  it.each([
    ['an error in place of an answer', () => Promise.reject(new RondoError('REQUEST_CANCELLED', 'The client refused'))],
    ['a client that is gone', () => Promise.reject(new RondoError('TRANSPORT_CLOSED', 'The client is gone'))],
    ['what no error is', () => Promise.reject(Object.create(null) as Error)],
  ])('E4 %s ends the call: nothing after the ask runs', async (_what, answer) => {
    let wrote = false
    const server = serverOf(async (ctx) => {
      try {
        await Promise.all([ctx.ask.confirm('a', 'A?'), ctx.ask.confirm('b', 'B?')])
      } catch {}
      wrote = true
      return 'done'
    })
    const client = new Client(({ params }) => (params?.['message'] === 'A?' ? answer() : new Promise(() => undefined)))
    const reply = await client.tool(server)
    expect(reply.error).toMatchObject({ code: -32603 })
    expect(client.signals[1]?.aborted).toBe(true)
    await turn()
    expect(wrote).toBe(false)
  })

  it('E11 a client that did not declare it is not asked', async () => {
    const server = serverOf((ctx) => ctx.ask.confirm('a', 'A?'))
    const client = new Client(() => accept({ value: true }), { capabilities: {} })
    expect((await client.tool(server)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
    expect(client.asked).toEqual([])
  })

  it('E5 a cancelled call withdraws what is out', async () => {
    const server = serverOf((ctx) => ctx.ask.confirm('a', 'A?'))
    let cancel: ((reason?: string) => void) | undefined
    const client = new Client(() => new Promise(() => undefined))
    const reply = client.call(server, 'tools/call', { name: 'it' }, { onCancel: (listener) => (cancel = listener) })
    await turn()
    await turn()
    cancel?.('gone')
    expect(await reply).toEqual({ status: 0 })
    expect(client.signals[0]?.aborted).toBe(true)
  })

  it('knows the client, its log level and its answers of old not', async () => {
    const sent: string[] = []
    const server = serverOf((ctx) => {
      ctx.log.info('hello')
      return JSON.stringify([ctx.client?.name, ctx.protocolVersion, ctx.inputResponses ?? null])
    })
    const client = new Client(() => undefined, { clientInfo: { name: 'old', version: '1' }, logLevel: 'info' })
    const params = { name: 'it', inputResponses: { a: accept({}) }, requestState: 'mine' }
    const reply = await client.call(server, 'tools/call', params, { notify: (text) => void sent.push(text) })
    expect(textOf(reply)).toBe('["old","2025-11-25",null]')
    expect(sent).toHaveLength(1)
  })
})

describe('the return form in the legacy era', () => {
  const ask = (key: string) => ({
    [key]: {
      method: 'elicitation/create' as const,
      params: {
        mode: 'form' as const,
        message: `${key}?`,
        requestedSchema: { type: 'object' as const, properties: {} },
      },
    },
  })

  it('is run again with the answers and its own state, within the one request', async () => {
    const seen: unknown[] = []
    const server = serverOf((ctx) => {
      seen.push([ctx.requestState, ctx.inputResponses && Object.keys(ctx.inputResponses)])
      if (ctx.requestState === 'two') return 'done'
      return inputRequired({
        inputRequests: ask(ctx.requestState === undefined ? 'a' : 'b'),
        requestState: ctx.requestState === undefined ? 'one' : 'two',
      })
    })
    const client = new Client(() => accept({}))
    expect(textOf(await client.tool(server))).toBe('done')
    expect(seen).toEqual([
      [undefined, undefined],
      ['one', ['a']],
      ['two', ['b']],
    ])
  })

  it('comes again later when it gave a state alone', async () => {
    const server = serverOf((ctx) =>
      ctx.requestState === undefined ? inputRequired({ requestState: 'wait' }) : 'done',
    )
    expect(textOf(await new Client(() => undefined).tool(server))).toBe('done')
  })

  it('asks eight times at most', async () => {
    const server = serverOf(() => inputRequired({ inputRequests: ask('a') }))
    const client = new Client(() => accept({}))
    expect((await client.tool(server)).error).toMatchObject({
      code: -32603,
      message: 'Internal error (ROUNDS_EXCEEDED)',
    })
    expect(client.asked).toHaveLength(8)
  })

  it('the first ask that fails withdraws the others', async () => {
    const server = serverOf(() => inputRequired({ inputRequests: { ...ask('a'), ...ask('b') } }))
    const client = new Client(({ params }) =>
      params?.['message'] === 'a?' ? Promise.reject(new Error('no')) : new Promise(() => undefined),
    )
    expect((await client.tool(server)).error).toMatchObject({ code: -32603 })
    expect(client.signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('a cancelled call waits for nothing', async () => {
    const server = serverOf(() => inputRequired({ inputRequests: ask('a') }))
    let cancel: ((reason?: string) => void) | undefined
    const client = new Client(
      () =>
        new Promise((_resolve, reject) =>
          client.signals[0]?.addEventListener('abort', () => reject(new Error('withdrawn'))),
        ),
    )
    const reply = client.call(server, 'tools/call', { name: 'it' }, { onCancel: (listener) => (cancel = listener) })
    await turn()
    cancel?.('gone')
    expect(await reply).toEqual({ status: 0 })
  })
})
