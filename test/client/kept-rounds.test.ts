import fc from 'fast-check'
import { type Answers, type Client, connect, InputRequiredError, isRondoError, type Round } from 'rondo/client'
import { describe, expect, test } from 'vitest'
import { asking, form, scripted, type ScriptedServer, text } from './scripted-server.ts'
import { virtualHost } from './virtual-host.ts'

const thrower = (): never => {
  throw new Error('hidden')
}
const decline = { action: 'decline' as const }
const proxy = new Proxy({}, { get: thrower, ownKeys: thrower, getOwnPropertyDescriptor: thrower })

function revoked(): object {
  const { proxy: gone, revoke } = Proxy.revocable({}, {})
  revoke()
  return gone
}

const asksTwo = (): ScriptedServer =>
  scripted(({ params }) => (params['inputResponses'] ? text('ok') : asking({ a: form(), b: form() }, 's')))

async function started(): Promise<{ server: ScriptedServer; client: Client; round: Round<'tools/call'> }> {
  const server = asksTwo()
  const client = await connect(server, { asks: ['form'] })
  const round = await client.startTool('t', { x: 1 })
  if (round.kind === 'complete') throw new Error('it should have asked')
  return { server, client, round }
}

type Edit = (round: Round) => unknown

const EDITS: [string, Edit, string][] = [
  ['another kind', (round) => ({ ...round, kind: 'complete' }), 'kind must be'],
  ['no request', ({ request: _, ...round }) => round, 'request must be an object'],
  [
    'a method that may not ask',
    (round) => ({ ...round, request: { ...round.request, method: 'tools/list' } }),
    'request.method',
  ],
  ['a method that is none', (round) => ({ ...round, request: { ...round.request, method: {} } }), 'request.method'],
  ['params that are a list', (round) => ({ ...round, request: { ...round.request, params: [] } }), 'request.params'],
  [
    'no name',
    (round) => ({ ...round, request: { ...round.request, params: {} } }),
    'request.params.name must be a text',
  ],
  [
    'no URI',
    (round) => ({ ...round, request: { method: 'resources/read', params: { name: 'a' } } }),
    'request.params.uri must be a text',
  ],
  [
    'arguments that are a text',
    (round) => ({ ...round, request: { ...round.request, params: { name: 't', arguments: 'x' } } }),
    'request.params.arguments must be an object',
  ],
  ...(['inputResponses', 'requestState', '_meta'] as const).map((member): [string, Edit, string] => [
    `${member} in the request, where they would stand twice`,
    (round) => ({ ...round, request: { ...round.request, params: { name: 't', [member]: {} } } }),
    `request.params has ${member}`,
  ]),
  ['a round of zero', (round) => ({ ...round, round: 0 }), 'round must be a whole number from 1 up'],
  ['a round that is a text', (round) => ({ ...round, round: '1' }), 'round must be'],
  ['a token that is a number', (round) => ({ ...round, token: 1 }), 'token must be a text'],
  ['an expiry that is a text', (round) => ({ ...round, expires: 'soon' }), 'expires must be a number'],
  ['no capabilities', ({ capabilities: _, ...round }) => round, 'capabilities must be an object'],
  ['asks that are a list', (round) => ({ ...round, asks: [] }), 'asks must be an object'],
  ['an ask that is null', (round) => ({ ...round, asks: { ...round.asks, a: null } }), 'asks["a"] must be an object'],
  ['an ask without a method', (round) => ({ ...round, asks: { a: {} } }), 'asks["a"].method must be'],
  [
    'an ask of a method that is none',
    (round) => ({ ...round, asks: { a: { method: 'tools/call' } } }),
    'asks["a"].method',
  ],
  [
    'an ask whose params are a text',
    (round) => ({ ...round, asks: { a: { method: 'roots/list', params: 'x' } } }),
    'asks["a"].params must be an object',
  ],
  [
    'a getter that throws',
    (round) => Object.defineProperty({ ...round }, 'asks', { get: thrower, enumerable: true }),
    'cannot be read: hidden',
  ],
  ['a proxy that shows nothing', () => proxy, 'cannot be read'],
  ['a proxy that was revoked', revoked, 'cannot be read'],
  [
    'a circle',
    (round) => Object.assign({ self: {} as unknown }, round, { self: round, asks: circle() }),
    'cannot be read',
  ],
  ['a bigint', (round) => ({ ...round, round: 1n }), 'cannot be read'],
  ['a toJSON that gives nothing', (round) => ({ ...round, toJSON: () => undefined }), 'It must be an object, not null'],
  ['null', () => null, 'It must be an object, not null'],
]

function circle(): object {
  const ask: Record<string, unknown> = { method: 'roots/list' }
  ask['params'] = ask
  return { a: ask }
}

describe('a round that was kept', () => {
  test.each(EDITS)('C8 with %s is CONFIG_INVALID, and nothing is sent', async (_what, edit, told) => {
    const { server, client, round } = await started()
    await expect(client.resume(edit(round) as Round, { a: decline, b: decline })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(told) as unknown,
    })
    expect(server.calls).toHaveLength(1)
  })

  test('C8 is read once: what is looked at is what is sent', async () => {
    const { server, client, round } = await started()
    let reads = 0
    const shifty = Object.defineProperty({ ...round }, 'token', {
      get: () => (reads++ === 0 ? round.token : {}),
      enumerable: true,
    })
    await client.resume(shifty, { a: decline, b: decline })
    expect(server.calls[1]?.params['requestState']).toBe('s')
  })

  test('C8 whatever becomes of any part of it, no stranger is thrown', async () => {
    const { client, round } = await started()
    const strange = fc.oneof(
      fc.jsonValue().map((value) => (): unknown => value),
      fc.constantFrom(...[null, {}, [], '', 0, true].map((value) => (): unknown => value), () => proxy, revoked),
    )
    await fc.assert(
      fc.asyncProperty(strange, fc.nat(), strange, async (value, at, answers) => {
        let parts = 0
        JSON.parse(JSON.stringify(round), (_key, old: unknown) => (parts++, old))
        let part = 0
        const swap = (_key: string, old: unknown): unknown => (part++ === at % parts ? value() : old)
        const edited = JSON.parse(JSON.stringify(round), swap) as Round
        for (const given of [answers(), { a: decline, b: decline }] as Answers[]) {
          const error: unknown = await client.resume(edited, given).catch((reason: unknown) => reason)
          if (error instanceof Error) expect(isRondoError(error), String(error.stack)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each<[string, () => unknown]>([
    ['of a key that was not asked', () => ({ a: decline, b: decline, c: decline })],
    [
      'of __proto__',
      () => JSON.parse('{"a":{"action":"decline"},"b":{"action":"decline"},"__proto__":{"action":"decline"}}'),
    ],
    ['that are missing', () => ({ a: decline })],
    [
      'that throw when they are read',
      () => Object.defineProperty({ a: decline }, 'b', { get: thrower, enumerable: true }),
    ],
    ['of a proxy that shows nothing', () => proxy],
    ['of a proxy that was revoked', revoked],
    ['of the wrong type', () => ({ a: decline, b: 7 })],
  ])('C8 answers %s are ANSWER_INVALID, and nothing is sent', async (_what, answers) => {
    const { server, client, round } = await started()
    await expect(client.resume(round, answers() as Answers)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
    expect(server.calls).toHaveLength(1)
  })
})

describe('rounds of too many asks', () => {
  const many = (count: number): ScriptedServer =>
    scripted(({ params }) => {
      if (params['inputResponses']) return text('ok')
      return asking(Object.fromEntries(Array.from({ length: count }, (_, index) => [`ask${index}`, form()])), 's')
    })

  test('C5 nobody is asked any of them, and the error has the round', async () => {
    let asked = 0
    const client = await connect(many(101), { onElicit: () => (asked++, decline) })
    const error: unknown = await client.callTool('t').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'CLIENT_ASKS_EXCEEDED',
      data: { limit: 100, asked: 101, round: { token: 's' } },
    })
    expect(asked).toBe(0)
  })

  test('C5 a hundred are put, and the bound can be moved for a client and a call', async () => {
    let asked = 0
    const onElicit = () => (asked++, decline)
    await (await connect(many(100), { onElicit })).callTool('t')
    expect(asked).toBe(100)
    const strict = await connect(many(3), { onElicit, maxAsks: 2 })
    await expect(strict.callTool('t')).rejects.toMatchObject({ code: 'CLIENT_ASKS_EXCEEDED' })
    await expect(strict.startTool('t')).rejects.toMatchObject({ code: 'CLIENT_ASKS_EXCEEDED' })
    await strict.callTool('t', {}, { maxAsks: 3 })
    await expect(strict.callTool('t', {}, { maxAsks: -1 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('a connection that is lost', () => {
  test('C9 under a round that only waits: the call goes on from the round', async () => {
    const host = virtualHost()
    let lost = 0
    const server = scripted(({ params }) => {
      if (params['requestState'] === undefined) return asking(undefined, 'one')
      if (params['requestState'] === 'one' && lost++ === 0) throw new Error('cut off')
      return params['requestState'] === 'one' ? asking(undefined, 'two') : text('ok')
    })
    const client = await connect(server, { host })
    const call = client.callTool('t').catch((reason: unknown) => reason as InputRequiredError)
    while (server.calls.length < 2) {
      await new Promise((resolve) => setImmediate(resolve))
      host.next()
    }
    const error = (await call) as InputRequiredError
    expect(error).toBeInstanceOf(InputRequiredError)
    expect(error.cause).toMatchObject({ code: 'TRANSPORT_FAILED' })
    const next = await client.resume(error.round, error.answers)
    expect(next).toMatchObject({ kind: 'input_required', token: 'two', asks: {} })
    if (next.kind === 'input_required') expect(await client.resume(next)).toMatchObject({ kind: 'complete' })
  })
})
