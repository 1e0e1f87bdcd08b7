import { createHash } from 'node:crypto'
import { generateKey, InputRequiredResult, Server, type ServerLog, type ServerOptions } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, requestText, rpc, type RpcReply, textOf } from '../support/rpc.ts'
import { asking, askingServer, type AskingCall, CALLS, METHODS } from './asking-server.ts'

const MINUTE = 60_000
const KEYS = generateKey()

/** A server whose calls take two rounds, the clock it reads, and what it logged. */
function guarded(options: ServerOptions = {}) {
  const clock = { now: Date.UTC(2026, 6, 28) }
  const log: ServerLog[] = []
  const entered: string[] = []
  const server = askingServer(
    (ctx) => {
      entered.push(ctx.requestState ?? 'first')
      return ctx.requestState === undefined ? asking('mine') : 'done'
    },
    { state: { keys: KEYS }, now: () => clock.now, log: (event) => void log.push(event), ...options },
  )
  return { server, clock, log, entered }
}

const REFUSAL = { code: -32602, message: 'Invalid or expired requestState' }

describe('the sealed state', () => {
  it('S1.31 is on without any option, for every kind of call', async () => {
    for (const { method, params } of CALLS) {
      const { result } = await rpc(
        askingServer(() => asking('in the clear')),
        method,
        params,
      )
      expect(result?.requestState).toMatch(/^r1\.[\w-]{8}\.[\w-]+$/)
      expect(Buffer.from(result?.requestState?.slice(12) ?? '', 'base64url').toString('latin1')).not.toContain('clear')
    }
  })

  it.each(METHODS)('S1.31 $method refuses every bad state with one and the same error', async ({ method, params }) => {
    const { server, clock, entered } = guarded()
    const issue = async (other: object = params, principal = 'ada'): Promise<string> => {
      const reply = await rpc(server, method, other, { exchange: { principal } })
      return reply.result?.requestState ?? ''
    }
    const token = await issue()
    const others = CALLS.filter((call) => call.method !== method)
    const elsewhere = await rpc(server, others[0]?.method ?? '', others[0]?.params, { exchange: { principal: 'ada' } })
    const rounds = entered.length
    const bad: [string, unknown, number?][] = [
      ['changed', token.slice(0, -3) + (token.endsWith('AAA') ? 'BBB' : 'AAA')],
      ['cut', token.slice(0, -1)],
      ['stretched', `${token}A`],
      ['of another key', (await rpc(guarded({ state: {} }).server, method, params)).result?.requestState],
      ['of another caller', await issue(params, 'eve')],
      ['of another call', elsewhere.result?.requestState],
      ['too long', `r1.aaaaaaaa.${'A'.repeat(300_000)}`],
      ['no token', 'mine'],
      ['empty', ''],
      ['a number', 42],
      ['an object', { requestState: token }],
      ['an array', [token]],
      ['true', true],
      ['expired', token, 61 * MINUTE],
    ]
    const replies: RpcReply[] = []
    const before = entered.length
    for (const [, requestState, later = 0] of bad) {
      clock.now += later
      const options = { exchange: { principal: 'ada' }, id: 'same' }
      replies.push(await rpc(server, method, { ...params, requestState, inputResponses: {} }, options))
    }
    expect(rounds).toBeGreaterThan(0)
    expect(entered).toHaveLength(before)
    bad.forEach(([name], index) => expect([name, replies[index]?.error]).toEqual([name, REFUSAL]))
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  })

  it('S1.31 refuses a state on other arguments, whatever their order', async () => {
    const { server } = guarded()
    const call = (args: object, more: object = {}) => callTool(server, 'it', args, more)
    const { result } = await call({ a: '1', b: { c: [1, 2], d: null } })
    const again = { requestState: result?.requestState, inputResponses: {} }
    expect(textOf(await call({ b: { d: null, c: [1, 2] }, a: '1' }, again))).toBe('done')
    for (const args of [{}, { a: '1' }, { a: '1', b: { c: [2, 1], d: null } }, { a: '1', b: { c: [1, 2] } }]) {
      expect((await call(args, again)).error).toEqual(REFUSAL)
    }
  })

  it('T3 the log alone has the reason', async () => {
    const { server, log } = guarded()
    await callTool(server, 'it', {}, { requestState: 'mine' })
    const refused = log.filter(({ code }) => code === 'state-refused')
    expect(refused).toHaveLength(1)
    expect(JSON.stringify(refused[0])).toContain('malformed')
  })

  it('T2 the end of the round and of the call are options of the server', async () => {
    const options = { state: { keys: KEYS, roundTtl: '10 min', callTtl: '25 min' } } as const
    const { server, clock } = guarded(options)
    const round = async (state?: string) =>
      callTool(server, 'it', {}, state === undefined ? {} : { requestState: state, inputResponses: {} })
    const first = await round()
    clock.now += 9 * MINUTE
    expect(textOf(await round(first.result?.requestState))).toBe('done')
    clock.now += MINUTE
    expect((await round(first.result?.requestState)).error).toEqual(REFUSAL)
  })

  it('T2 a call ends after its own time, however many rounds it had', async () => {
    const clock = { now: Date.UTC(2026, 6, 28) }
    const state = { keys: KEYS, roundTtl: '10 min', callTtl: '25 min' } as const
    const server = askingServer(() => asking('on and on'), { state, now: () => clock.now })
    let reply = await callTool(server, 'it')
    const kinds: unknown[] = []
    for (let round = 0; round < 3; round += 1) {
      clock.now += 9 * MINUTE
      reply = await callTool(server, 'it', {}, { requestState: reply.result?.requestState, inputResponses: {} })
      kinds.push(reply.result?.resultType ?? reply.error?.code)
    }
    expect(kinds).toEqual(['input_required', 'input_required', -32602])
  })

  it('T2 the result says when it expires', async () => {
    const { server, clock } = guarded()
    const { result } = await callTool(server, 'it')
    const meta = result?.['_meta'] as Record<string, unknown>
    const expires = Object.entries(meta).find(([key]) => key.endsWith('requestStateExpires'))?.[1]
    expect(expires).toBe(new Date(clock.now + 60 * MINUTE).toISOString())
  })

  it("T2 a handler's version is part of what a state is bound to", async () => {
    const made = (version: string) => {
      const server = new Server({ name: 'asking', version: '1.0.0' }, { state: { keys: KEYS } })
      server.tool('it', { version } as object, (_args, ctx) => (ctx.requestState === undefined ? asking('x') : 'done'))
      return server
    }
    const { result } = await callTool(made('1'), 'it')
    const again = { requestState: result?.requestState, inputResponses: {} }
    expect((await callTool(made('2'), 'it', {}, again)).error).toEqual(REFUSAL)
    expect(textOf(await callTool(made('1'), 'it', {}, again))).toBe('done')
  })

  it('T2 the audience is the name of the server unless it is set', async () => {
    const made = (name: string, audience?: string) => {
      const state = audience === undefined ? { keys: KEYS } : { keys: KEYS, audience }
      const server = new Server({ name, version: '1.0.0' }, { state })
      server.tool('it', {}, (_args, ctx) => (ctx.requestState === undefined ? asking('x') : 'done'))
      return server
    }
    const passes = async (from: Server, to: Server): Promise<boolean> => {
      const { result } = await callTool(from, 'it')
      const reply = await callTool(to, 'it', {}, { requestState: result?.requestState, inputResponses: {} })
      return reply.error === undefined
    }
    expect(await passes(made('a'), made('a'))).toBe(true)
    expect(await passes(made('a'), made('b'))).toBe(false)
    expect(await passes(made('a', 'shared'), made('b', 'shared'))).toBe(true)
    expect(await passes(made('a', 'one'), made('a', 'two'))).toBe(false)
  })

  it('T4 a result without a state stays without one', async () => {
    const { result } = await callTool(
      askingServer(() => asking()),
      'it',
    )
    expect(result).not.toHaveProperty('requestState')
    expect(Object.keys((result?.['_meta'] as object) ?? {})).toEqual(['io.modelcontextprotocol/serverInfo'])
  })

  it('T4 an empty state is sealed and comes back as it was', async () => {
    const server = askingServer((ctx) =>
      ctx.requestState === undefined ? new InputRequiredResult({ requestState: '' }) : `[${ctx.requestState}]`,
    )
    const { result } = await callTool(server, 'it')
    expect(result?.requestState?.length).toBeGreaterThan(60)
    expect(textOf(await callTool(server, 'it', {}, { requestState: result?.requestState }))).toBe('[]')
  })

  it('T4 every suspended round of the ask form has a token', async () => {
    const server = askingServer(async (ctx) => String(await ctx.ask.confirm('go', 'Go?')))
    for (const { method, params } of CALLS) {
      expect((await rpc(server, method, params)).result?.requestState).toMatch(/^r1\./)
    }
  })

  it('T4 leaving protection off says so once', async () => {
    const log: ServerLog[] = []
    const server = askingServer(
      (ctx) => (ctx.requestState === undefined ? asking('in the clear') : `[${ctx.requestState}]`),
      { requestState: 'unprotected', log: (event) => void log.push(event) },
    )
    for (let i = 0; i < 3; i += 1) expect((await callTool(server, 'it')).result?.requestState).toBe('in the clear')
    expect(textOf(await callTool(server, 'it', {}, { requestState: 'changed' }))).toBe('[changed]')
    expect(log.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  it('T5 a state that would be too long is an internal error, and the log names what is large', async () => {
    const log: ServerLog[] = []
    const server = askingServer(
      async (ctx) => {
        await ctx.step('small', () => 'x')
        await ctx.step('large', () => 'x'.repeat(200_000))
        await ctx.step('larger', () => 'y'.repeat(60_000))
        return String(await ctx.ask.confirm('go', 'Go?'))
      },
      { log: (event) => void log.push(event) },
    )
    const { error } = await callTool(server, 'it')
    expect(error?.code).toBe(-32603)
    const told = JSON.stringify(log.filter(({ level }) => level === 'error'))
    expect(told).toMatch(/large/)
    expect(told).not.toContain('xxxxx')
  })
})

describe('keys', () => {
  it('T7 keys come from the option, also as a function of the host environment', async () => {
    const [call] = METHODS as [AskingCall]
    const make = (options: ServerOptions) =>
      askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done'), options)
    const a = make({ state: { keys: KEYS } })
    const b = make({ state: { keys: (env) => String(env['MY_KEYS']) } })
    const exchange = { env: { MY_KEYS: KEYS } }
    const { result } = await rpc(a, call.method, call.params)
    const again = { ...call.params, requestState: result?.requestState, inputResponses: {} }
    expect(textOf(await rpc(b, call.method, again, { exchange }))).toBe('done')
    const c = make({ state: { keys: (env) => String(env['MY_KEYS']) } })
    const other = { env: { MY_KEYS: generateKey() } }
    expect((await rpc(c, call.method, again, { exchange: other })).error).toEqual(REFUSAL)
  })

  it('T7 a host that may not live to the next round refuses to suspend without keys', async () => {
    const log: ServerLog[] = []
    const server = askingServer(() => asking('x'), { log: (event) => void log.push(event) })
    const { error } = await callTool(server, 'it', {}, {}, { exchange: { perRequestHost: true } })
    expect(error?.code).toBe(-32603)
    expect(log.some(({ code }) => code === 'STATE_KEYS_MISSING')).toBe(true)
    const meant = askingServer(() => asking('x'), { state: { keys: 'ephemeral' } })
    const reply = await callTool(meant, 'it', {}, {}, { exchange: { perRequestHost: true } })
    expect(reply.result?.resultType).toBe('input_required')
  })

  it('T8 a call lives through a rotation of the keys', async () => {
    const [older, newer] = [generateKey(), generateKey()]
    const make = (keys: string[]) =>
      askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done'), { state: { keys } })
    const issue = async (server: Server) => (await callTool(server, 'it')).result?.requestState
    const take = async (server: Server, requestState: unknown) =>
      (await callTool(server, 'it', {}, { requestState, inputResponses: {} })).error === undefined
    const before = await issue(make([older]))
    expect(await take(make([older, newer]), before)).toBe(true)
    expect(await take(make([newer, older]), before)).toBe(true)
    expect(await take(make([newer]), before)).toBe(false)
    expect(await take(make([newer]), await issue(make([newer, older])))).toBe(true)
  })

  it('T10 own crypto carries the state, and the checks stay', async () => {
    const xor = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0x5a)
    const tag = (text: string) => createHash('sha256').update(`secret ${text}`).digest('hex')
    const crypto = {
      seal: async (plain: Uint8Array) => {
        const text = Buffer.from(xor(plain)).toString('hex')
        return `${tag(text)}.${text}`
      },
      open: async (sealed: string) => {
        const [sum, text = ''] = sealed.split('.')
        return sum === tag(text) ? new Uint8Array(xor(Buffer.from(text, 'hex'))) : undefined
      },
    }
    const server = askingServer((ctx) => (ctx.requestState === undefined ? asking('mine') : 'done'), {
      state: { crypto, keys: generateKey() },
    })
    const { result } = await callTool(server, 'it', { a: '1' })
    const again = { requestState: result?.requestState, inputResponses: {} }
    expect(textOf(await callTool(server, 'it', { a: '1' }, again))).toBe('done')
    expect((await callTool(server, 'it', { a: '2' }, again)).error).toEqual(REFUSAL)
    const changed = { ...again, requestState: `${String(result?.requestState)}00` }
    expect((await callTool(server, 'it', { a: '1' }, changed)).error).toEqual(REFUSAL)
  })

  it('T3 a refusal does not depend on how the request came', async () => {
    const { server } = guarded()
    const text = requestText('tools/call', { name: 'it', requestState: 'mine' }, { id: 1 })
    const [asText, asValue] = [await server.handle(text), await server.handle(JSON.parse(text))]
    expect(asValue).toEqual(asText)
    expect(asText.status).toBe(200)
  })
})
