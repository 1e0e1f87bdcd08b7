import { type Answers, connect, InputRequiredError, type Round } from 'rondo/client'
import { describe, expect, test } from 'vitest'
import { asking, form, scripted, text } from './scripted-server.ts'

const cyclic: Record<string, unknown> = { action: 'accept' }
cyclic['self'] = cyclic
const thrower = (): never => {
  throw new Error('hidden')
}
const sample = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } }
const roots = { method: 'roots/list' }

/** What a handler might be rejected with, at its worst. */
const REJECTIONS: readonly (readonly [string, unknown])[] = [
  ['an object without a prototype', Object.create(null)],
  ['a proxy that shows nothing', new Proxy({}, { get: thrower, getPrototypeOf: thrower, ownKeys: thrower })],
  ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: thrower })],
  ['a symbol', Symbol('no')],
  ['nothing', undefined],
  ['null', null],
  ['an object whose text throws', { toString: thrower, [Symbol.toPrimitive]: thrower }],
  ['a revoked proxy', revoked()],
]

/** What a handler might answer, at its worst. */
const ANSWERS: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a function', () => undefined],
  ['a text', 'accept'],
  ['a circle', cyclic],
  ['a circle in the content', { action: 'accept', content: { a: cyclic } }],
  ['a bigint', { action: 'accept', content: { a: 1n } }],
  ['NaN', { action: 'accept', content: { a: Number.NaN } }],
  ['a toJSON that throws', { action: 'accept', toJSON: thrower }],
  ['content whose toJSON throws', { action: 'accept', content: { toJSON: thrower } }],
  ['_meta that JSON cannot say', { action: 'decline', _meta: { a: 1n } }],
  ['a getter that throws', Object.defineProperty({ action: 'accept' }, 'content', { get: thrower, enumerable: true })],
  ['a proxy that shows nothing', new Proxy({}, { get: (_, key) => key !== 'then' && thrower(), ownKeys: thrower })],
  ['content that is no object', { action: 'accept', content: 'a' }],
  ['a toJSON that gives nothing', { action: 'accept', toJSON: () => undefined }],
]

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const server = (ask: object) =>
  scripted(({ params }) => (params['inputResponses'] ? text('ok') : asking({ a: form(), b: ask }, 's')))

async function failure(ask: object, b: () => unknown): Promise<unknown> {
  const handle = ({ key }: { key: string }): never =>
    (key === 'a' ? { action: 'decline' } : Promise.resolve().then(b)) as never
  const client = await connect(server(ask), { onElicit: handle, onSample: handle, onRoots: handle, serial: true })
  return client.callTool('t').catch((error: unknown) => error)
}

describe('a handler that cannot be read', () => {
  test.each(REJECTIONS)(
    'C5 rejecting with %s: the error says which ask, and keeps the answers',
    async (_what, thrown) => {
      const error = await failure(form(), () => Promise.reject(thrown as Error))
      if (!(error instanceof InputRequiredError)) throw new Error('another error')
      expect(error.failed).toBe('b')
      expect({ ...error.answers }).toEqual({ a: { action: 'decline' } })
      expect(error.round.token).toBe('s')
      expect(error.message).toMatch(/^"b" was not answered: ./)
      expect(error.cause === thrown).toBe(true)
    },
  )

  test.each(
    ANSWERS.flatMap(([what, answer]) => [
      [what, 'a form', form(), answer] as const,
      [what, 'a sample', sample, answer] as const,
      [what, 'roots', roots, answer] as const,
    ]),
  )('C5 answering %s to %s: the same', async (_what, _kind, ask, answer) => {
    const error = await failure(ask, () => answer)
    if (!(error instanceof InputRequiredError)) throw new Error('another error')
    expect(error.failed).toBe('b')
    expect({ ...error.answers }).toEqual({ a: { action: 'decline' } })
    expect(error.cause).toMatchObject({ code: 'ANSWER_INVALID', data: { key: 'b' } })
  })

  test('C7 what is checked is what is sent: values are read once, as JSON says them', async () => {
    let read = 0
    const content = {
      get a() {
        return read++ === 0 ? 'first' : 7n
      },
    }
    const asked = asking({ k: form({ a: { type: 'string' }, on: { type: 'string', format: 'date-time' } }) }, 's')
    const scriptedServer = scripted(({ params }) => (params['inputResponses'] ? text('ok') : asked))
    const on = new Date(0)
    const client = await connect(scriptedServer, {
      onElicit: () =>
        ({ action: 'accept', content: Object.assign(content, { on: on as never, b: undefined }) }) as never,
    })
    await client.callTool('t')
    expect(scriptedServer.calls[1]?.params['inputResponses']).toEqual({
      k: { action: 'accept', content: { a: 'first', on: '1970-01-01T00:00:00.000Z' } },
    })
  })
})

describe('rounds by hand', () => {
  test.each(ANSWERS)('C7 an answer that is %s is refused before anything is sent', async (_what, answer) => {
    const asked = server(form())
    const client = await connect(asked, { asks: ['form'] })
    const round = (await client.startTool('t')) as Round
    const answers = { a: { action: 'decline' }, b: answer } as unknown as Answers
    await expect(client.resume(round, answers)).rejects.toMatchObject({ code: 'ANSWER_INVALID', data: { key: 'b' } })
    expect(asked.calls).toHaveLength(1)
  })

  test.each([null, 'a', 7, [], () => undefined])(
    'C7 answers that are no map of any (%j) are refused',
    async (answers) => {
      const client = await connect(server(form()), { asks: ['form'] })
      const round = (await client.startTool('t')) as Round
      await expect(client.resume(round, answers as never)).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
    },
  )

  test.each([
    undefined,
    null,
    'round',
    {},
    { kind: 'complete', result: {} },
    { kind: 'input_required', asks: {}, round: 1, capabilities: {} },
    { kind: 'input_required', request: { method: 'tools/list', params: {} }, asks: {}, round: 1, capabilities: {} },
    {
      kind: 'input_required',
      request: { method: 'tools/call', params: {} },
      asks: { a: 1 },
      round: 1,
      capabilities: {},
    },
    { kind: 'input_required', request: { method: 'tools/call', params: {} }, asks: {}, round: '1', capabilities: {} },
    {
      kind: 'input_required',
      request: { method: 'tools/call', params: {} },
      asks: {},
      round: 1,
      capabilities: {},
      token: 1,
    },
  ])('C8 what is no round that waits is refused: %j', async (round) => {
    const asked = server(form())
    const client = await connect(asked, { asks: ['form'] })
    await expect(client.resume(round as never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(asked.calls).toHaveLength(0)
  })
})
