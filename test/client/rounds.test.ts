import { describe, expect, test } from 'vitest'
import { connect, InputRequiredError, isRondoError, type Round, RoundRefusedError } from 'rondo/client'
import { asking, form, type Script, scripted, text } from './scripted-server.ts'

const accept = { action: 'accept' as const }
const code = (name: string): unknown => expect.objectContaining({ code: name })

/** A tool that asks once for `why`, then says what it was sent. */
const asksOnce: Script = ({ params }) =>
  params['inputResponses'] === undefined
    ? asking({ why: form() }, 'state-1')
    : text(JSON.stringify(params['inputResponses']))

describe('retries', () => {
  test('C1 a retry is the original request with this round’s answers and token and nothing older', async () => {
    const server = scripted(({ params }) => {
      const answers = params['inputResponses'] as Record<string, unknown> | undefined
      if (answers === undefined) return asking({ a: form(), b: form() }, 'one')
      if ('a' in answers) return asking({ c: form() }, 'two')
      return text('done')
    })
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('t', { x: [1, { y: 2 }] })
    const [first, second, third] = server.calls
    expect(second?.params).toEqual({
      ...first?.params,
      inputResponses: { a: { action: 'accept', content: {} }, b: { action: 'accept', content: {} } },
      requestState: 'one',
    })
    expect(third?.params).toEqual({
      ...first?.params,
      inputResponses: { c: { action: 'accept', content: {} } },
      requestState: 'two',
    })
  })

  test('C9 answers outlive the connection they were sent on: they can be sent again, and nobody is asked twice', async () => {
    let times = 0
    const server = scripted((request, exchange) => {
      if (request.params['inputResponses'] !== undefined && ++times === 1) throw new Error('cut off')
      return asksOnce(request, exchange)
    })
    let asked = 0
    const client = await connect(server, { onElicit: () => (asked++, accept) })
    const error = await client.callTool('t').catch((reason: unknown) => reason as InputRequiredError)
    expect(error).toBeInstanceOf(InputRequiredError)
    const { round, answers, failed, cause } = error as InputRequiredError
    expect([failed, cause]).toEqual([undefined, code('TRANSPORT_FAILED')])
    const again = await client.resume(round, answers)
    expect(again).toMatchObject({ kind: 'complete', result: { content: [{ text: JSON.stringify(answers) }] } })
    expect(asked).toBe(1)
    expect(server.calls.at(-1)?.params['requestState']).toBe('state-1')
  })

  test('C9 answers that did not arrive are sent again while the host says so, and the call goes on', async () => {
    let times = 0
    const server = scripted((request, exchange) => {
      if (request.params['inputResponses'] !== undefined && ++times <= 2) throw new Error('cut off')
      return asksOnce(request, exchange)
    })
    const lost: unknown[] = []
    const client = await connect(server, {
      onElicit: () => accept,
      onUndelivered: async (undelivered) => lost.push(undelivered) > 0,
    })
    const { content } = await client.callTool('t')
    const answers = { why: { action: 'accept', content: {} } }
    expect(content).toMatchObject([{ text: JSON.stringify(answers) }])
    const told = { error: code('TRANSPORT_FAILED'), answers, round: 1, call: { method: 'tools/call', name: 't' } }
    expect(lost).toMatchObject([told, told])
    expect(new Set(server.seen.map(({ id }) => id)).size).toBe(server.seen.length)
  })

  test.each<[string, () => boolean, unknown]>([
    ['says no', () => false, code('INPUT_REQUIRED')],
    [
      'throws',
      () => {
        throw new Error('enough')
      },
      new Error('enough'),
    ],
  ])('C9 a host that %s ends the call', async (_what, onUndelivered, expected) => {
    const server = scripted((request, exchange) => {
      if (request.params['inputResponses'] !== undefined) throw new Error('cut off')
      return asksOnce(request, exchange)
    })
    const client = await connect(server, { onElicit: () => accept })
    await expect(client.callTool('t', {}, { onUndelivered })).rejects.toEqual(expected)
  })

  test('C9 a refusal is no failure on the way', async () => {
    const server = scripted((request, exchange) =>
      request.params['inputResponses'] === undefined
        ? asksOnce(request, exchange)
        : { error: { code: -32602, message: 'Invalid or expired requestState' } },
    )
    let told = 0
    const client = await connect(server, { onElicit: () => accept, onUndelivered: () => ++told < 3 })
    await expect(client.callTool('t')).rejects.toEqual(code('ROUND_REFUSED'))
    expect(told).toBe(0)
  })

  test('S0.8 round 2 has another id and equal parameters but for the two fields', async () => {
    const server = scripted(asksOnce)
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('t', { x: 1 }, { meta: { 'com.example/trace': 'q' } })
    const [first, second] = server.calls
    expect(second?.id).not.toBe(first?.id)
    expect(second?.method).toBe(first?.method)
    const { inputResponses, requestState, ...rest } = second?.params ?? ({} as Record<string, unknown>)
    expect(rest).toEqual(first?.params)
    expect(Object.keys(inputResponses as object)).toEqual(['why'])
    expect(requestState).toBe('state-1')
  })

  test('spec basic/patterns/mrtr: the id differs between the initial request and the retry', async () => {
    const server = scripted(asksOnce)
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('deploy')
    expect(new Set(server.seen.map(({ id }) => id)).size).toBe(server.seen.length)
  })

  test('S1.4 a retry is built from the original, replaced per round, and has no state when the last result had none', async () => {
    let round = 0
    const server = scripted(() => {
      round++
      if (round === 1) return asking({ a: form() }, 'one')
      if (round === 2) return asking({ b: form() })
      return { messages: [] }
    })
    const client = await connect(server, { onElicit: () => accept })
    await client.getPrompt('p', { q: 'x' })
    expect(server.calls.map(({ params }) => Object.keys(params))).toEqual([
      ['name', 'arguments', '_meta'],
      ['name', 'arguments', 'inputResponses', 'requestState', '_meta'],
      ['name', 'arguments', 'inputResponses', '_meta'],
    ])
    expect(Object.keys(server.calls[2]?.params['inputResponses'] as object)).toEqual(['b'])
  })

  test('spec basic/patterns/mrtr: no requestState in the retry when the result had none', async () => {
    const server = scripted(({ params }) => (params['inputResponses'] ? text('ok') : asking({ a: form() })))
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('t')
    expect(server.calls[1]?.params).not.toHaveProperty('requestState')
  })

  test('spec basic/patterns/mrtr: answers and state go to the retry alone, not to a request in parallel', async () => {
    const server = scripted((request, exchange) => {
      if (request.params['name'] === 'other') return text('other')
      return asksOnce(request, exchange)
    })
    let other: Promise<unknown> | undefined
    const client = await connect(server, {
      onElicit: async () => {
        other ??= client.callTool('other')
        await other
        return accept
      },
    })
    await client.callTool('t')
    const parallel = server.calls.find(({ params }) => params['name'] === 'other')
    expect(Object.keys(parallel?.params ?? {})).toEqual(['name', '_meta'])
  })

  test.each([[' "\u0000é\u2028%2B== '], ['x'.repeat(200 * 1024)], ['']])(
    'S0.7 the state is echoed byte for byte (%#)',
    async (state) => {
      const server = scripted(({ params }) => ('requestState' in params ? text('ok') : asking({ a: form() }, state)))
      const client = await connect(server, { onElicit: () => accept })
      await client.callTool('t')
      expect(server.calls[1]?.params['requestState']).toBe(state)
    },
  )

  test('spec basic/patterns/mrtr: the exact requestState is echoed', async () => {
    const state = '{"a": 1,  "b":"\\u00e9"}\t\n'
    const server = scripted(({ params }) => ('requestState' in params ? text('ok') : asking({ a: form() }, state)))
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('t')
    expect(server.calls[1]?.params['requestState']).toBe(state)
  })

  test('S0.9 round 1 on one server instance and round 2 on another', async () => {
    const a = scripted(asksOnce)
    const b = scripted(asksOnce)
    const onA = await connect(a, { asks: ['form'] })
    const onB = await connect(b)
    const round = await onA.startTool('t', { x: 1 })
    expect(round.kind).toBe('input_required')
    const done = await onB.resume(round as Round<'tools/call'>, { why: accept })
    expect(done.kind).toBe('complete')
    expect(b.calls[0]?.params).toMatchObject({ name: 't', arguments: { x: 1 }, requestState: 'state-1' })
  })

  test('S1.32 asks are answered by the handlers without the caller’s doing', async () => {
    const client = await connect(scripted(asksOnce), { onElicit: () => ({ action: 'decline' }) })
    const result = await client.callTool('t')
    expect(result.content).toEqual([{ type: 'text', text: '{"why":{"action":"decline"}}' }])
  })

  test('C1 arguments changed by the host between rounds do not change the retry', async () => {
    const server = scripted(asksOnce)
    const args = { list: [1] }
    const client = await connect(server, {
      onElicit: () => {
        args.list.push(2)
        return accept
      },
    })
    await client.callTool('t', args)
    expect(server.calls[1]?.params['arguments']).toEqual({ list: [1] })
  })
})

describe('result types', () => {
  test('C2 an absent resultType is complete, whatever the shape', async () => {
    const server = scripted(() => ({ content: [], inputRequests: { a: form() }, requestState: 'x' }))
    const client = await connect(server, { onElicit: () => accept })
    await client.callTool('t')
    expect(server.calls).toHaveLength(1)
  })

  test('spec basic/index: an absent resultType is treated as complete', async () => {
    const client = await connect(scripted(() => ({ messages: [] })))
    expect(await client.getPrompt('p')).toEqual({ messages: [] })
  })

  test.each(['task', 'Complete', 42, null, {}])('C2 resultType %j is a typed error', async (resultType) => {
    const client = await connect(scripted(() => ({ resultType, content: [] })))
    await expect(client.callTool('t')).rejects.toEqual(code('RESULT_TYPE_UNKNOWN'))
  })

  test('spec basic/index: an unrecognised resultType is invalid', async () => {
    const client = await connect(scripted(() => ({ resultType: 'later', tools: [] })))
    await expect(client.listTools()).rejects.toEqual(code('RESULT_TYPE_UNKNOWN'))
  })

  test('C2 input_required where nothing may be asked is an invalid response', async () => {
    const client = await connect(
      scripted(() => asking({ a: form() }, 'x')),
      { onElicit: () => accept },
    )
    await expect(client.listTools()).rejects.toEqual(code('RESPONSE_INVALID'))
    await expect(client.request('com.example/x')).rejects.toEqual(code('RESPONSE_INVALID'))
  })

  test.each([
    ['neither asks nor state', asking(undefined)],
    ['an empty map without state', asking({})],
    ['a state that is no string', { resultType: 'input_required', requestState: 7 }],
    ['asks that are a list', { resultType: 'input_required', inputRequests: [form()] }],
    ['an ask of a method that cannot be embedded', asking({ a: { method: 'tools/call' } })],
    ['an ask that is no object', asking({ a: 'x' })],
    ['params that are no object', asking({ a: { method: 'roots/list', params: [] } })],
  ])('C2 an input-required result with %s is an invalid response', async (_, result) => {
    const client = await connect(scripted(() => result))
    await expect(client.startTool('t')).rejects.toEqual(code('RESPONSE_INVALID'))
  })
})

describe('keys', () => {
  const KEYS = ['__proto__', 'constructor', 'toString', '0', '']
  const asks = (): Record<string, unknown> => {
    const map = Object.create(null) as Record<string, unknown>
    for (const key of KEYS) map[key] = form()
    return map
  }
  const server = (): ReturnType<typeof scripted> =>
    scripted(({ params }) => (params['inputResponses'] ? text('ok') : asking(asks(), 's')))

  test('C4 every key is an own property, __proto__ included', async () => {
    const scriptedServer = server()
    const asked: string[] = []
    const client = await connect(scriptedServer, {
      onElicit: ({ key }) => {
        asked.push(key)
        return { action: 'decline' }
      },
    })
    await client.callTool('t')
    expect(asked.sort()).toEqual([...KEYS].sort())
    const answers = scriptedServer.calls[1]?.params['inputResponses'] as object
    expect(Object.keys(answers).sort()).toEqual([...KEYS].sort())
  })

  test('C4 a round driven by hand keeps them through JSON', async () => {
    const scriptedServer = server()
    const client = await connect(scriptedServer, { asks: ['form'] })
    const round = JSON.parse(JSON.stringify(await client.startTool('t'))) as Round<'tools/call'>
    const answers = JSON.parse(JSON.stringify(Object.fromEntries([]))) as Record<string, never>
    for (const key of KEYS) {
      Object.defineProperty(answers, key, { value: { action: 'cancel' }, enumerable: true, configurable: true })
    }
    await client.resume(round, answers)
    expect(Object.keys(scriptedServer.calls[1]?.params['inputResponses'] as object).sort()).toEqual([...KEYS].sort())
  })

  test('C4 an inherited name is not an answer', async () => {
    const client = await connect(
      scripted(() => asking({ toString: form() }, 's')),
      { asks: ['form'] },
    )
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, {})).rejects.toEqual(code('ANSWER_INVALID'))
  })
})

describe('driving by hand', () => {
  test('C8 a round is plain JSON and is resumed by another client', async () => {
    const server = scripted(asksOnce)
    const first = await connect(server, { onElicit: () => accept })
    const round = await first.startTool('t', { x: 'é' })
    if (round.kind !== 'input_required') throw new Error('it asked')
    const stored = JSON.stringify(round)
    expect(JSON.parse(stored)).toEqual({
      kind: 'input_required',
      request: { method: 'tools/call', params: { name: 't', arguments: { x: 'é' } } },
      round: 1,
      asks: { why: form() },
      token: 'state-1',
      capabilities: { elicitation: { form: {} } },
    })
    await first.close()
    const second = await connect(server)
    const outcome = await second.resume(JSON.parse(stored) as typeof round, { why: accept })
    expect(outcome).toMatchObject({ kind: 'complete', result: { resultType: 'complete' } })
    expect(server.calls[1]?.params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({
      elicitation: { form: {} },
    })
  })

  test('C8 the expiry that the server stated is part of the round', async () => {
    const at = '2026-08-01T10:00:00.000Z'
    const client = await connect(
      scripted(() => ({ ...asking({ a: form() }, 's'), _meta: { 'dev.rondo/requestStateExpires': at } })),
    )
    expect(await client.startPrompt('p')).toMatchObject({ expires: Date.parse(at) })
  })

  test('C8 rounds count on over clients, for prompts and resources too', async () => {
    const server = scripted(({ params }) =>
      params['requestState'] === '2'
        ? { contents: [], messages: [] }
        : asking({ a: form() }, params['requestState'] === '1' ? '2' : '1'),
    )
    const client = await connect(server)
    for (const start of [() => client.startPrompt('p', { x: 'y' }), () => client.startResource('file:///a b')]) {
      const one = await start()
      if (one.kind !== 'input_required') throw new Error('it asked')
      const two = await client.resume(one, { a: accept })
      expect(two).toMatchObject({ kind: 'input_required', round: 2, request: one.request })
      if (two.kind !== 'input_required') throw new Error('it asked')
      expect(await client.resume(two, { a: accept })).toMatchObject({ kind: 'complete' })
    }
  })

  test('C8 resume refuses an answer nobody asked for, and a missing one unless told', async () => {
    const server = scripted(({ params }) =>
      params['inputResponses'] ? text('ok') : asking({ a: form(), b: form() }, 's'),
    )
    const client = await connect(server)
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, { a: accept, x: accept })).rejects.toThrow(/"x" was not asked/)
    await expect(client.resume(round, { a: accept })).rejects.toThrow(/"b" has no answer/)
    expect(server.calls).toHaveLength(1)
    await client.resume(round, { a: accept }, { partial: true })
    expect(Object.keys(server.calls[1]?.params['inputResponses'] as object)).toEqual(['a'])
  })
})

describe('refused rounds', () => {
  const refusing: Script = ({ params }) =>
    'requestState' in params
      ? { error: { code: -32602, message: 'Invalid or expired requestState' } }
      : asking({ a: form() }, 's')

  test('C9 the refusal of a token is ROUND_REFUSED with the original request', async () => {
    const client = await connect(scripted(refusing), { onElicit: () => accept })
    const error = await client.callTool('t', { x: 1 }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(RoundRefusedError)
    expect(error).toMatchObject({
      code: 'ROUND_REFUSED',
      request: { method: 'tools/call', params: { name: 't', arguments: { x: 1 } } },
      cause: { wire: -32602 },
    })
    expect(isRondoError(error, 'ROUND_REFUSED')).toBe(true)
  })

  test('C9 the same by hand', async () => {
    const client = await connect(scripted(refusing))
    const round = (await client.startResource('x:y')) as Round<'resources/read'>
    await expect(client.resume(round, { a: accept })).rejects.toMatchObject({
      code: 'ROUND_REFUSED',
      request: { method: 'resources/read', params: { uri: 'x:y' } },
    })
  })

  test('C9 another error, or one without a token, stays what it is', async () => {
    const client = await connect(
      scripted(({ params }) =>
        'requestState' in params ? { error: { code: -32603, message: 'Boom' } } : asking({ a: form() }, 's'),
      ),
    )
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, { a: accept })).rejects.toMatchObject({ code: 'RESPONSE_ERROR', wire: -32603 })
    const other = await connect(scripted(() => ({ error: { code: -32602, message: 'Unknown tool: t' } })))
    await expect(other.callTool('t')).rejects.toMatchObject({ code: 'RESPONSE_ERROR', wire: -32602 })
  })
})

describe('without handlers', () => {
  test('S1.5 a call that asks raises an InputRequiredError with everything needed to go on', async () => {
    const server = scripted(asksOnce)
    const client = await connect(server)
    const error = await client.callTool('t', { x: 1 }).catch((caught: unknown) => caught)
    if (!(error instanceof InputRequiredError)) throw new Error('wrong error')
    expect(error.code).toBe('INPUT_REQUIRED')
    expect(Object.keys(error.asks)).toEqual(['why'])
    expect(error.token).toBe('state-1')
    expect(error.round.request).toEqual({ method: 'tools/call', params: { name: 't', arguments: { x: 1 } } })
    const stored = JSON.parse(JSON.stringify(error.round)) as Round
    expect(await client.resume(stored, { why: accept })).toMatchObject({ kind: 'complete' })
  })
})
