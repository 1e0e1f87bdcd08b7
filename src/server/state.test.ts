import { describe, expect, it, vi } from 'vitest'
import { generateKey, inputRequired, isRondoError, Server, type ServerLog, type ServerOptions } from '../entry/index.ts'
import { callTool, rpc, textOf, type RpcReply } from '../../test/support/rpc.ts'

const HOUR = 3_600_000
const key = generateKey()
const YES = { go: { action: 'accept', content: { value: true } } }

function makeServer(options: ServerOptions = {}, name = 'stateful'): Server {
  const server = new Server({ name, version: '1.0.0' }, { state: { keys: key }, ...options })
  server.tool('ask', { version: '1' }, async (_args, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
  server.tool('other', {}, async (_args, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
  server.tool('low', {}, (args, ctx) => {
    if (ctx.requestState !== undefined) return `state ${JSON.stringify(ctx.requestState)}`
    const { state } = args as { state?: string }
    return inputRequired({
      inputRequests: { go: { method: 'roots/list' } },
      ...(state === undefined ? {} : { requestState: state }),
    })
  })
  server.prompt('poem', {}, async (_args, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'yes' : 'no'))
  return server
}

async function suspended(server: Server, tool = 'ask', args: object = {}, exchange = {}): Promise<string> {
  const { result } = await callTool(server, tool, args, {}, { exchange })
  if (typeof result?.requestState !== 'string') throw new Error('no state')
  return result.requestState
}

const resume = (server: Server, requestState: unknown, tool = 'ask', args: object = {}, exchange = {}) =>
  callTool(server, tool, args, { requestState, inputResponses: YES }, { exchange, id: 'again' })

describe('the one refusal', () => {
  const REFUSAL: RpcReply = {
    status: 200,
    ...{ jsonrpc: '2.0' },
    id: 'again',
    error: { code: -32602, message: 'Invalid or expired requestState' },
  }

  it('T3 is the same, byte for byte, whatever the cause', async () => {
    let now = 0
    const logs: ServerLog[] = []
    const server = makeServer({ now: () => now, log: (event) => logs.push(event) })
    const state = await suspended(server)
    const foreign = await suspended(makeServer({ state: { keys: generateKey() } }))
    const elsewhere = await suspended(makeServer({ state: { keys: key } }, 'another-name'))
    const other = await suspended(server, 'other')
    const attempts: (() => Promise<RpcReply>)[] = [
      () => resume(server, 'nonsense'),
      () => resume(server, 42),
      () => resume(server, ''),
      () => resume(server, { a: 1 }),
      () => resume(server, state.slice(0, -4)),
      () => resume(server, `${state}-TAMPERED`),
      () => resume(server, foreign),
      () => resume(server, elsewhere),
      () => resume(server, other),
      () => resume(server, state, 'ask', { changed: true }),
      () => resume(server, state, 'ask', {}, { principal: 'mallory' }),
      () => resume(server, 'x'.repeat(300_000)),
      () => {
        now = 2 * HOUR
        return resume(server, state)
      },
    ]
    for (const attempt of attempts) expect(await attempt()).toEqual(REFUSAL)
    const reasons = logs
      .filter(({ code }) => code === 'state-refused')
      .map(({ data }) => (data as { reason: string }).reason)
    expect(reasons).toHaveLength(attempts.length)
    expect(new Set(reasons).size).toBeGreaterThan(6)
  })

  it.each([42, {}, [], true])('T3 refuses a state that is no text without protection too: %j', async (requestState) => {
    const server = makeServer({ requestState: 'unprotected', log: () => {} })
    const reply = await callTool(server, 'low', {}, { requestState, inputResponses: YES }, { id: 'again' })
    expect(reply).toEqual(REFUSAL)
  })

  it('T3 keeps the handler from being entered', async () => {
    let entered = 0
    const server = makeServer()
    server.tool('count', {}, () => String(++entered))
    await callTool(server, 'count', {}, { requestState: 'nonsense' })
    expect(entered).toBe(0)
  })

  it('T3 takes null for absent', async () => {
    const reply = await callTool(makeServer(), 'ask', {}, { requestState: null })
    expect(reply.result?.resultType).toBe('input_required')
  })

  it('T2 refuses the state of one version of a handler to another', async () => {
    const old = makeServer()
    const state = await suspended(old)
    const next = new Server({ name: 'stateful', version: '1.0.1' }, { state: { keys: key } })
    next.tool('ask', { version: '2' }, async (_args, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
    expect((await resume(next, state)).error?.message).toBe('Invalid or expired requestState')
  })
})

describe('what is sealed', () => {
  it('T4 every suspended round of the ask form has a state that only the server can read', async () => {
    const state = await suspended(makeServer())
    expect(state).toMatch(/^r1\./)
    expect(state).not.toContain('Go?')
  })

  it.each(['', 'plain', ' \u0000é\u2028%2B== '])(
    'T4 the state of the return form is sealed and comes back: %j',
    async (state) => {
      const server = makeServer()
      const sealed = await suspended(server, 'low', { state })
      if (state !== '') expect(sealed).not.toContain(state)
      expect(textOf(await resume(server, sealed, 'low', { state }))).toBe(`state ${JSON.stringify(state)}`)
    },
  )

  it('T4 a result of the return form without a state stays without one', async () => {
    expect((await callTool(makeServer(), 'low')).result).not.toHaveProperty('requestState')
  })

  it('T4 unprotected state goes out as it is, and the server says so once', async () => {
    const logs: ServerLog[] = []
    const server = makeServer({ requestState: 'unprotected', log: (event) => logs.push(event) })
    expect(await suspended(server, 'low', { state: 'plain' })).toBe('plain')
    const state = await suspended(server)
    expect(textOf(await resume(server, state))).toBe('gone')
    expect(logs.filter(({ code }) => code === 'state-unprotected')).toHaveLength(1)
  })

  it.each(['u1.', 'u1.x\ny', 'u0.', 'u0.u1.', 'u', ''])(
    'T4 unprotected state of an author’s own comes back as it was, whatever it looks like: %j',
    async (state) => {
      const server = makeServer({ requestState: 'unprotected', log: () => {} })
      const sent = await suspended(server, 'low', { state })
      expect(textOf(await resume(server, sent, 'low', { state }))).toBe(`state ${JSON.stringify(state)}`)
    },
  )

  it.each([Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, '100000000 d'] as const)(
    'T2 a time to live of %s is as long as there are dates',
    async (ttl) => {
      const state = { keys: key, roundTtl: ttl, callTtl: ttl }
      for (const server of [makeServer({ state }), makeServer()]) {
        server.tool('long', { ttl: { round: ttl, call: ttl } }, async (_args, ctx) =>
          ctx.ask.confirm('go', 'Go?').then(String),
        )
        const { result } = await callTool(server, 'long')
        const expires = (result?._meta as Record<string, unknown>)['dev.rondo/requestStateExpires']
        expect(expires).toBe('+275760-09-13T00:00:00.000Z')
        expect(textOf(await resume(server, result?.requestState, 'long'))).toBe('true')
      }
    },
  )

  it('tells hosts until when a round is taken', async () => {
    const server = makeServer({ now: () => Date.parse('2026-08-01T00:00:00Z') })
    const { result } = await callTool(server, 'ask')
    expect((result?._meta as Record<string, unknown>)['dev.rondo/requestStateExpires']).toBe('2026-08-01T01:00:00.000Z')
  })

  it('T5 an outbound state over the size ends the call with -32603', async () => {
    const server = makeServer({ state: { keys: key, maxBytes: 2_000 } })
    const reply = await callTool(server, 'low', { state: 'x'.repeat(4_000) })
    expect(reply.error?.code).toBe(-32603)
  })
})

describe('keys and lifetimes', () => {
  it('T7 any node that has the key takes any round', async () => {
    const state = await suspended(makeServer())
    expect(textOf(await resume(makeServer(), state))).toBe('gone')
  })

  it('T7 keys may be a function of the environment that comes with the request', async () => {
    const keyed = () => makeServer({ state: { keys: (env) => String(env['SECRET']) } })
    const exchange = { env: { SECRET: key } }
    const state = await suspended(keyed(), 'ask', {}, exchange)
    expect(textOf(await resume(keyed(), state, 'ask', {}, exchange))).toBe('gone')
  })

  it('T7 without keys a host that lives for one request refuses to suspend, and says what to set', async () => {
    const logs: ServerLog[] = []
    const server = makeServer({ state: {}, log: (event) => logs.push(event) })
    const reply = await callTool(server, 'ask', {}, {}, { exchange: { perRequestHost: true, env: {} } })
    expect(reply.error).toEqual({ code: -32603, message: 'Internal error (STATE_KEYS_MISSING)' })
    const logged = logs.find(({ code }) => code === 'STATE_KEYS_MISSING')
    expect(isRondoError(logged?.error, 'STATE_KEYS_MISSING')).toBe(true)
  })

  it("T7 who says 'ephemeral' need not be warned", () => {
    const ephemeral = (state: ServerOptions['state'] & object) => makeServer({ state }).ephemeral
    expect([ephemeral({}), ephemeral({ keys: 'ephemeral' }), ephemeral({ keys: key })]).toEqual([true, false, false])
  })

  it.each([{ state: {} }, { state: { keys: (env) => String(env['RONDO_STATE_KEYS']) } }] as ServerOptions[])(
    'T7 keys of the process are found where a request brings something else than an environment: %j',
    async (options) => {
      vi.stubEnv('RONDO_STATE_KEYS', key)
      const exchange = { env: { remoteAddr: '127.0.0.1' } }
      const state = await suspended(makeServer(options), 'ask', {}, exchange)
      vi.unstubAllEnvs()
      expect(textOf(await resume(makeServer(), state))).toBe('gone')
    },
  )

  it('T7 keys that come later are refused with what to do, and their failure ends nothing', async () => {
    const keys = (async () => Promise.reject(new Error('no vault'))) as unknown as () => string
    const logs: ServerLog[] = []
    const server = makeServer({ state: { keys }, log: (event) => logs.push(event) })
    expect((await callTool(server, 'ask')).error?.message).toBe('Internal error (STATE_KEYS_INVALID)')
    expect(logs.find(({ code }) => code === 'STATE_KEYS_INVALID')?.message).toContain('gave a promise')
    await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it.each([{ crypto: {} }, { crypto: null }, { maxBytes: 0 }, { maxBytes: '9' }, { audience: 7 }])(
    'what cannot seal is refused where it is written: %j',
    (state) => {
      expect(() => makeServer({ state: { keys: key, ...state } as never })).toThrow(/^Option state\./)
    },
  )

  it('T4 an unprotected journal nested too deep to be read ends its call, and not the process', async () => {
    const server = makeServer({ requestState: 'unprotected', log: () => {} })
    server.tool('steps', {}, async (_args, ctx) => {
      await ctx.step('s', () => 1)
      await ctx.waitFor('w', () => 1)
      return (await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'
    })
    const state = await suspended(server, 'steps')
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const entry of ['["s","s",1]', '["w","w",1]']) {
      expect(state).toContain(entry)
      const reply = await resume(server, state.replace(entry, entry.replace('1]', `${deep}]`)), 'steps')
      expect(reply.error?.code).toBeLessThan(-32600)
    }
  })

  it("T7 'ephemeral' lets it", async () => {
    const server = makeServer({ state: { keys: 'ephemeral' } })
    const reply = await callTool(server, 'ask', {}, {}, { exchange: { perRequestHost: true, env: {} } })
    expect(reply.result?.resultType).toBe('input_required')
  })

  it('T8 a ring takes what an older key sealed', async () => {
    const next = generateKey()
    const state = await suspended(makeServer())
    expect(textOf(await resume(makeServer({ state: { keys: [next, key] } }), state))).toBe('gone')
    expect((await resume(makeServer({ state: { keys: [next] } }), state)).error?.code).toBe(-32602)
  })

  it.each([
    ['by keys', undefined],
    [
      'by crypto of its own',
      {
        seal: (plain: Uint8Array) => Buffer.from(plain).toString('hex'),
        open: (text: string) => Buffer.from(text, 'hex'),
      },
    ],
  ])('T8 the idempotency key of a round that is sent again outlives a rotation, sealed %s', async (_how, crypto) => {
    const next = generateKey()
    const keyed = (keys: readonly string[]) => {
      const server = makeServer({ state: { keys, ...(crypto && { crypto }) } })
      server.tool('steps', {}, async (_args, ctx) => {
        await ctx.ask.confirm('go', 'Go?')
        return ctx.step('s', ({ idempotencyKey }) => idempotencyKey)
      })
      return server
    }
    const state = await suspended(keyed([key]), 'steps')
    const rings = [[key], [key, next], [next, key]]
    const keys = await Promise.all(rings.map(async (ring) => textOf(await resume(keyed(ring), state, 'steps'))))
    expect(keys[0]).toMatch(/^[\w-]{43}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('T2 a call ends at its lifetime however fresh its rounds are', async () => {
    let now = 0
    const server = makeServer({ now: () => now, state: { keys: key, roundTtl: '1 h', callTtl: '90 min' } })
    server.tool('loop', {}, async (_args, ctx) => {
      for (let i = 0; ; i += 1) await ctx.ask.confirm(`q${i}`, 'More?')
    })
    let state = await suspended(server, 'loop')
    for (let round = 0; round < 3; round += 1) {
      now += 29 * 60_000
      const answers = { [`q${round}`]: { action: 'accept', content: { value: true } } }
      const reply = await callTool(server, 'loop', {}, { requestState: state, inputResponses: answers })
      state = reply.result?.requestState ?? ''
      expect(state).not.toBe('')
    }
    now += 29 * 60_000
    const reply = await callTool(server, 'loop', {}, { requestState: state, inputResponses: {} })
    expect(reply.error?.code).toBe(-32602)
  })

  it('binds a prompt like a tool', async () => {
    const server = makeServer()
    const first = await rpc(server, 'prompts/get', { name: 'poem' })
    const again = { name: 'poem', requestState: first.result?.requestState, inputResponses: YES }
    expect((await rpc(server, 'prompts/get', again)).result).toHaveProperty('messages')
    expect((await resume(server, first.result?.requestState)).error?.code).toBe(-32602)
  })
})
