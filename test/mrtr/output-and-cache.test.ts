import { fail, InputRequiredResult, result, Server, type CacheOptions } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, rpc } from '../support/rpc.ts'
import { asking, CALLS } from './asking-server.ts'

const OUTPUT = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] } as const

/** A tool with an output schema, which asks first and gives `last` then. */
function checked(first: () => unknown, last: unknown): Server {
  const server = new Server({ name: 'asking', version: '1.0.0' }, { log: () => undefined })
  server.tool(
    'it',
    { output: OUTPUT },
    (_args, ctx) => (ctx.requestState === undefined ? first() : last) as { done: boolean },
  )
  return server
}

async function secondRound(server: Server) {
  const first = await callTool(server, 'it')
  return callTool(server, 'it', {}, { requestState: first.result?.requestState, inputResponses: {} })
}

describe('output validation', () => {
  const stateOnly = () => new InputRequiredResult({ requestState: 'later' })

  it('S1.13 a result that asks is not held against the output schema', async () => {
    for (const first of [stateOnly, () => asking('x'), () => ({ resultType: 'input_required', requestState: 'x' })]) {
      const { result, error } = await callTool(checked(first, {}), 'it')
      expect(error).toBeUndefined()
      expect(result?.resultType).toBe('input_required')
      expect(result).not.toHaveProperty('structuredContent')
    }
  })

  it('S1.15 the final round is held against it', async () => {
    for (const wrong of [{}, { done: 'yes' }, undefined, 'text', null]) {
      const reply = await secondRound(checked(stateOnly, wrong))
      expect(reply.error?.code).toBe(-32603)
      expect(reply.result).toBeUndefined()
    }
    const { result } = await secondRound(checked(stateOnly, { done: true }))
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { done: true } })
  })

  it('S1.15 only a result that says it is an error is not', async () => {
    const wrong = { structuredContent: { done: 'yes' } }
    for (const body of [wrong, { ...wrong, isError: false }, { ...wrong, isError: undefined }, { content: [] }, {}]) {
      const reply = await secondRound(checked(stateOnly, result(body)))
      expect([body, reply.error?.code]).toEqual([body, -32603])
      expect(reply.result).toBeUndefined()
    }
    const whole = await secondRound(checked(stateOnly, result({ structuredContent: { done: true }, isError: false })))
    expect(whole.result).toMatchObject({ structuredContent: { done: true }, isError: false })
    for (const failed of [result({ ...wrong, isError: true }), result({ isError: true }), fail('why')]) {
      const reply = await secondRound(checked(stateOnly, failed))
      expect(reply.error).toBeUndefined()
      expect(reply.result).toMatchObject({ ...failed.body, isError: true })
    }
  })

  it('S1.45 a state-only round passes with validation on', async () => {
    expect((await callTool(checked(stateOnly, {}), 'it')).result?.resultType).toBe('input_required')
  })

  it('S1.45 an asking round passes with validation on', async () => {
    expect(
      (
        await callTool(
          checked(() => asking(), {}),
          'it',
        )
      ).result?.resultType,
    ).toBe('input_required')
  })
})

describe('cache hints', () => {
  const hint = { ttlMs: 60_000, scope: 'public' } as const
  const wide: CacheOptions = { ...hint, read: hint }
  const reads = CALLS.filter(({ method }) => method === 'resources/read')

  function hinted(cache: CacheOptions | undefined, own: typeof hint | undefined, state: string | null = 'x'): Server {
    const server = new Server({ name: 'asking', version: '1.0.0' }, cache === undefined ? {} : { cache })
    const options = own === undefined ? {} : { cache: own }
    const read = (_given: unknown, ctx: { requestState: string | undefined }) =>
      ctx.requestState === undefined ? asking(state ?? undefined) : 'text'
    server.resource('it', { uri: 'it://static', ...options }, read)
    server.resourceTemplate('one', { uriTemplate: 'it://one/{a}', ...options }, read)
    return server
  }

  it.each(reads)('S1.17 what $name asks carries no hints, whatever is set', async ({ params }) => {
    const text = JSON.stringify(await rpc(hinted(wide, hint), 'resources/read', params))
    expect(text).toContain('"input_required"')
    expect(text).not.toMatch(/ttlMs|cacheScope/)
  })

  it.each(reads)(
    'what $name gives to a request with answers is its caller’s alone, and not kept',
    async ({ params }) => {
      const server = new Server({ name: 'plain', version: '1.0.0' }, { cache: wide })
      server.resource('it', { uri: 'it://static' }, () => 'text')
      server.resourceTemplate('one', { uriTemplate: 'it://one/{a}' }, () => 'text')
      const plain = await rpc(server, 'resources/read', params)
      expect(plain.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
      const answered = await rpc(server, 'resources/read', { ...params, inputResponses: {} })
      expect(answered.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
    },
  )

  const levels = [
    { level: 'the server', cache: { ...hint }, own: undefined },
    { level: 'the kind of result', cache: { read: hint }, own: undefined },
    { level: 'the resource', cache: undefined, own: hint },
  ]
  it.each(levels)('S1.46 hints set for $level leave an asking round unwrapped and without them', async (set) => {
    for (const state of ['x', null]) {
      const server = hinted(set.cache, set.own, state)
      for (const { params } of reads) {
        const { result } = await rpc(server, 'resources/read', params)
        expect(result?.resultType).toBe('input_required')
        expect('requestState' in (result ?? {})).toBe(state !== null)
        expect(Object.keys(result ?? {}).filter((key) => /ttlMs|cacheScope|contents/.test(key))).toEqual([])
      }
    }
  })

  it.each(levels)(
    'MUST-cache-04 with hints set for $level, what took answers or state is not to be cached',
    async (set) => {
      const server = hinted(set.cache, set.own)
      for (const { params } of reads) {
        const { requestState } = (await rpc(server, 'resources/read', params)).result ?? {}
        const { result } = await rpc(server, 'resources/read', { ...params, requestState, inputResponses: {} })
        expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
        expect(result).toHaveProperty('contents')
      }
    },
  )
})
