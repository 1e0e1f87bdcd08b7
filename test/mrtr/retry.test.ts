import { type Context, generateKey, Server } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, EVERYTHING, rpc, type RpcReply, textOf } from '../support/rpc.ts'
import { asking, askingServer, type AskingCall, CALLS, FILLED, METHODS } from './asking-server.ts'

const ROOTS_ANSWER = { roots: [{ uri: 'file:///srv' }] }
const ANSWERS = { which: FILLED, dirs: ROOTS_ANSWER }

/** Runs a call to its end in two rounds, and gives what the handler's context showed in each. */
async function twoRounds(
  { method, params }: AskingCall,
  look: (ctx: Context, given: unknown) => unknown,
  answers: object = ANSWERS,
) {
  const seen: unknown[] = []
  const server = askingServer((ctx, given) => {
    seen.push(look(ctx, given))
    return seen.length === 1 ? asking('step 1') : 'done'
  })
  const first = await rpc(server, method, params)
  const requestState = first.result?.requestState
  const second = await rpc(server, method, { ...params, inputResponses: answers, requestState })
  return { seen, first, second }
}

describe('keys of steps', () => {
  it('E14 the same token gives a step the same key with the same answers, and another with others', async () => {
    const keys: string[] = []
    const server = new Server({ name: 'test', version: '1.0.0' })
    server.tool('pay', {}, async (_args, ctx) => {
      const sum = await ctx.ask.number('sum', 'How much?', { orEnd: 'Nothing.' })
      await ctx.step('charge', ({ idempotencyKey }) => void keys.push(idempotencyKey))
      return `Charged ${sum}.`
    })
    const requestState = (await callTool(server, 'pay')).result?.requestState
    const pay = (value: number) =>
      callTool(server, 'pay', {}, { requestState, inputResponses: { sum: { action: 'accept', content: { value } } } })
    await pay(1)
    await pay(1)
    await pay(1000)
    expect(keys).toHaveLength(3)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })
})

describe('the retry', () => {
  it.each(METHODS)('S1.42 $method shows answers, state and one answer by key', async (call) => {
    const { seen, second } = await twoRounds(call, (ctx) => ({
      answers: ctx.inputResponses && { ...ctx.inputResponses },
      state: ctx.requestState,
      which: ctx.inputResponse('which'),
      dirs: ctx.inputResponse('dirs'),
    }))
    expect(seen[0]).toEqual({
      answers: undefined,
      state: undefined,
      which: { kind: 'missing' },
      dirs: { kind: 'missing' },
    })
    expect(seen[1]).toEqual({
      answers: ANSWERS,
      state: 'step 1',
      which: { kind: 'elicit', response: FILLED },
      dirs: { kind: 'roots', response: ROOTS_ANSWER },
    })
    expect(second.result).toHaveProperty(call.member)
    expect(second.result?.resultType).toBe('complete')
  })

  it('S0.10 every round enters the handler once, from its start', async () => {
    for (const call of CALLS) {
      const { seen } = await twoRounds(call, () => 'entered')
      expect(seen).toEqual(['entered', 'entered'])
    }
  })

  it('S0.11 the context has answers and state in the second round and neither in the first', async () => {
    for (const call of CALLS) {
      const { seen } = await twoRounds(call, (ctx) => [ctx.inputResponses === undefined, ctx.requestState])
      expect(seen).toEqual([
        [true, undefined],
        [false, 'step 1'],
      ])
    }
  })

  it.each(CALLS)('S1.30 $name goes on at another instance, which starts it from the top', async (call) => {
    const keys = generateKey()
    const entered: string[] = []
    const instance = (name: string) =>
      askingServer(
        (ctx) => {
          entered.push(`${name} ${String(ctx.requestState)}`)
          return ctx.inputResponses === undefined ? asking('from a') : 'done'
        },
        { state: { keys } },
      )
    const first = await rpc(instance('a'), call.method, call.params)
    const { requestState } = first.result ?? {}
    const second = await rpc(instance('b'), call.method, { ...call.params, inputResponses: ANSWERS, requestState })
    expect(second.result?.resultType).toBe('complete')
    expect(entered).toEqual(['a undefined', 'b from a'])
  })

  it('S0.9 a call of either form goes on at another instance', async () => {
    const keys = generateKey()
    const instance = () => {
      const server = new Server({ name: 'asking', version: '1.0.0' }, { state: { keys } })
      server.tool('it', {}, async (_args, ctx) => {
        const go = await ctx.ask.confirm('go', 'Go?')
        const sure = await ctx.ask.confirm('sure', 'Sure?')
        return `${go} ${sure}`
      })
      return server
    }
    const answer = (reply: RpcReply): object => {
      const [[key, ask] = ['', undefined]] = Object.entries(reply.result?.inputRequests ?? {})
      const schema = ask?.params['requestedSchema'] as { properties: object }
      const content = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, true]))
      return { [key]: { action: 'accept', content } }
    }
    const first = await callTool(instance(), 'it')
    const second = await callTool(
      instance(),
      'it',
      {},
      { inputResponses: answer(first), requestState: first.result?.requestState },
    )
    const third = await callTool(
      instance(),
      'it',
      {},
      { inputResponses: answer(second), requestState: second.result?.requestState },
    )
    expect(textOf(third)).toBe('true true')
  })

  it('S1.24 the answers are as received, frozen, and without a prototype', async () => {
    const odd = { ...ANSWERS, extra: { anything: [1, { deep: null }] }, constructor: FILLED }
    const [call] = METHODS
    const { seen } = await twoRounds(
      call as AskingCall,
      (ctx) => {
        const answers = ctx.inputResponses
        if (answers === undefined) return undefined
        return {
          all: { ...answers },
          frozen: Object.isFrozen(answers),
          prototype: Object.getPrototypeOf(answers) as unknown,
          same: ctx.inputResponses === answers,
          toString: answers['toString'],
          hasOwnProperty: answers['hasOwnProperty'],
        }
      },
      odd,
    )
    expect(seen[1]).toEqual({
      all: odd,
      frozen: true,
      prototype: null,
      same: true,
      toString: undefined,
      hasOwnProperty: undefined,
    })
  })

  it('S1.24 an answer called __proto__ is an answer', async () => {
    const server = askingServer((ctx) =>
      ctx.inputResponses === undefined ? asking('x') : JSON.stringify(Object.keys(ctx.inputResponses)),
    )
    const { result } = await callTool(server, 'it', { a: '1' })
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': EVERYTHING,
    }
    const params = { name: 'it', arguments: { a: '1' }, requestState: result?.requestState, _meta, inputResponses: 0 }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }).replace(
      '"inputResponses":0',
      '"inputResponses":{"__proto__":{"action":"cancel"}}',
    )
    const reply = await server.handle(text)
    expect(reply.body).toContain('[\\"__proto__\\"]')
  })

  it('S1.25 the state is the text the author wrote, and absent in the first round', async () => {
    for (const state of ['', 'plain', '{"json":true}', 'é\u2028\u{1f600}', 'r1.looks.sealed', ' padded ']) {
      const seen: unknown[] = []
      const server = askingServer((ctx) => (seen.push(ctx.requestState) === 1 ? asking(state) : 'done'))
      const { result } = await callTool(server, 'it', { a: '1' })
      expect(result?.requestState).not.toContain(state === '' ? 'never' : state)
      const more = { inputResponses: ANSWERS, requestState: result?.requestState }
      expect(textOf(await callTool(server, 'it', { a: '1' }, more))).toBe('done')
      expect(seen).toEqual([undefined, state])
    }
  })

  it('S1.25 a null state is an absent one', async () => {
    const server = askingServer((ctx) => `${String(ctx.requestState)}`)
    expect(textOf(await callTool(server, 'it', { a: '1' }, { requestState: null }))).toBe('undefined')
  })

  it('S1.26 one answer is read by string or number, as a value that says its kind', async () => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'one' }, model: 'm' }
    const answers = { 1: FILLED, sampled, dirs: ROOTS_ANSWER, odd: { nothing: 'known' }, none: null, text: 'x' }
    const server = askingServer((ctx) => {
      const read = (key: string | number) => ctx.inputResponse(key)
      const views = [read(1), read('1'), read('sampled'), read('dirs'), read('odd'), read('none'), read('text')]
      return JSON.stringify([...views, read('absent'), read('toString'), read('__proto__')])
    })
    const reply = await callTool(server, 'it', { a: '1' }, { inputResponses: answers })
    const missing = { kind: 'missing' }
    expect(JSON.parse(textOf(reply) ?? '')).toEqual([
      { kind: 'elicit', response: FILLED },
      { kind: 'elicit', response: FILLED },
      { kind: 'sampling', response: sampled },
      { kind: 'roots', response: ROOTS_ANSWER },
      ...Array.from({ length: 6 }, () => missing),
    ])
  })
})

describe('where the retry fields are read', () => {
  const server = askingServer((ctx, given) =>
    JSON.stringify({ given, answers: ctx.inputResponses ?? null, state: ctx.requestState ?? null }),
  )

  it('S1.27 fields of the same names inside arguments are ordinary data', async () => {
    const args = { requestState: 'mine', inputResponses: { a: 1 } }
    const reply = await callTool(server, 'it', args)
    expect(JSON.parse(textOf(reply) ?? '')).toEqual({ given: args, answers: null, state: null })
  })

  it('S1.27 fields of the same names inside _meta are ordinary data', async () => {
    const meta = { requestState: 'mine', inputResponses: ANSWERS }
    const reply = await callTool(server, 'it', {}, {}, { meta })
    expect(JSON.parse(textOf(reply) ?? '')).toEqual({ given: {}, answers: null, state: null })
  })

  it('S1.28 a handler without context never sees them, and a strict schema passes', async () => {
    const strict = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false } as const
    const made = new Server({ name: 'asking', version: '1.0.0' })
    made.tool('it', { input: strict }, (args) => JSON.stringify(args))
    made.tool('rest', {}, (...all: unknown[]) => JSON.stringify(all[0]))
    for (const name of ['it', 'rest']) {
      const reply = await callTool(made, name, { a: '1' }, { inputResponses: ANSWERS })
      expect(reply.result?.isError).toBeUndefined()
      expect(textOf(reply)).toBe('{"a":"1"}')
    }
  })

  it('S1.29 version, client and capabilities are read off the context in the same way', async () => {
    const seen: unknown[] = []
    const made = askingServer((ctx) => {
      seen.push([ctx.protocolVersion, ctx.client, ctx.clientCapabilities, ctx.meta['com.example/own']])
      return 'done'
    })
    for (const { method, params } of CALLS) {
      await rpc(made, method, params, { capabilities: { roots: {} }, meta: { 'com.example/own': 7 } })
    }
    expect(seen).toEqual(CALLS.map(() => ['2026-07-28', { name: 'test', version: '1.0.0' }, { roots: {} }, 7]))
  })
})
