import { describe, expect, test, vi } from 'vitest'
import { type ClientOptions, connect, InputRequiredError, type Round } from 'rondo/client'
import { type JsonObject } from '../../src/jsonrpc/messages.ts'
import { asking, form, scripted, type ScriptedServer, text } from './scripted-server.ts'
import { virtualHost } from './virtual-host.ts'

const accept = { action: 'accept' as const }
const sampleAsk = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } }
const toolSampleAsk = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10, tools: [] } }
const sampled = { role: 'assistant' as const, content: { type: 'text' as const, text: 'hi' }, model: 'm' }

/** Asks this once, then is done. */
function asks(inputRequests: JsonObject): ScriptedServer {
  return scripted(({ params }) => (params['inputResponses'] ? text('ok') : asking(inputRequests, 's')))
}

async function answersTo(inputRequests: JsonObject, options: ClientOptions): Promise<unknown> {
  const server = asks(inputRequests)
  const client = await connect(server, options)
  await client.callTool('t', { x: 1 })
  return server.calls[1]?.params['inputResponses']
}

async function failureOf(inputRequests: JsonObject, options: ClientOptions): Promise<InputRequiredError> {
  const client = await connect(asks(inputRequests), options)
  const error = await client.callTool('t').catch((caught: unknown) => caught)
  if (error instanceof InputRequiredError) return error
  throw new Error(`It should have failed with InputRequiredError, not ${String(error)}`)
}

describe('asks of a round', () => {
  test('C5 they run together', async () => {
    const open: string[] = []
    let release: (() => void) | undefined
    const all = new Promise<void>((resolve) => (release = resolve))
    await answersTo(
      { a: form(), b: form(), c: form() },
      {
        onElicit: async ({ key }) => {
          open.push(key)
          if (open.length === 3) release?.()
          await all
          return accept
        },
      },
    )
    expect(open).toEqual(['a', 'b', 'c'])
  })

  test('C5 serial puts them one after another', async () => {
    let open = 0
    const order: string[] = []
    await answersTo(
      { a: form(), b: form(), c: form() },
      {
        serial: true,
        onElicit: async ({ key }) => {
          expect(++open).toBe(1)
          await Promise.resolve()
          order.push(key)
          open--
          return accept
        },
      },
    )
    expect(order).toEqual(['a', 'b', 'c'])
  })

  test('C5 when one fails, the error says which and carries the answers already given', async () => {
    const given = vi.fn()
    const cause = new Error('window crashed')
    const error = await failureOf(
      { a: form(), b: form(), c: form() },
      {
        onElicit: async ({ key, signal }) => {
          if (key === 'a') return { action: 'decline' }
          if (key === 'b') {
            await new Promise((resolve) => setImmediate(resolve))
            throw cause
          }
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              given()
              reject(new Error('closed'))
            }),
          )
        },
      },
    )
    expect(error.failed).toBe('b')
    expect(error.cause).toBe(cause)
    expect({ ...error.answers }).toEqual({ a: { action: 'decline' } })
    expect(error.round.token).toBe('s')
    expect(given).toHaveBeenCalledOnce()
  })

  test('C5 the call goes on by hand from the error', async () => {
    const server = asks({ a: form(), b: form() })
    const client = await connect(server, {
      onElicit: ({ key }) => {
        if (key === 'b') throw new Error('no')
        return accept
      },
    })
    const error = (await client.callTool('t').catch((caught: unknown) => caught)) as InputRequiredError
    const outcome = await client.resume(error.round, { ...error.answers, b: { action: 'cancel' } })
    expect(outcome.kind).toBe('complete')
    expect(server.calls[1]?.params['inputResponses']).toEqual({
      a: { action: 'accept', content: {} },
      b: { action: 'cancel' },
    })
  })

  test('C5 an ask without a handler fails before anybody is asked', async () => {
    const onElicit = vi.fn(() => accept)
    const error = await failureOf({ a: form(), b: sampleAsk }, { onElicit })
    expect(error.message).toContain('onSample')
    expect(error.failed).toBeUndefined()
    expect(onElicit).not.toHaveBeenCalled()
  })

  test('C5 aborting the call closes the asks', async () => {
    const controller = new AbortController()
    const client = await connect(asks({ a: form() }))
    const seen = vi.fn()
    const call = client.callTool('t', undefined, {
      signal: controller.signal,
      onElicit: ({ signal }) => {
        signal.addEventListener('abort', seen)
        controller.abort(new Error('enough'))
        return new Promise<never>(() => undefined)
      },
    })
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED', cause: new Error('enough') })
    expect(seen).toHaveBeenCalledOnce()
  })

  test('C5 every handler is told which call asks, in which round and place, and who', async () => {
    const seen: unknown[] = []
    await answersTo(
      { a: form({}, [], 'Why?') },
      {
        onElicit: ({ call, round, place, key, server, request, signal }) => {
          expect(signal.aborted).toBe(false)
          seen.push({ call, round, place, key, server, message: request.message })
          return accept
        },
      },
    )
    expect(seen).toEqual([
      {
        call: { method: 'tools/call', name: 't', arguments: { x: 1 } },
        round: 1,
        place: { at: 1, of: 1 },
        key: 'a',
        server: { address: 'memory', name: 'scripted', title: 'Scripted', version: '1.2.3' },
        message: 'Why?',
      },
    ])
  })

  test('C5 a server that never stops asking is stopped', async () => {
    const client = await connect(
      scripted(() => asking({ a: form() }, 's')),
      { onElicit: () => accept, maxRounds: 3 },
    )
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'CLIENT_ROUNDS_EXCEEDED' })
  })
})

describe('human time', () => {
  test('C6 no timer runs while an ask is with a person', async () => {
    const host = virtualHost()
    const client = await connect(asks({ a: form() }), {
      host,
      timeout: 1000,
      onElicit: async () => {
        expect(host.pending).toBe(0)
        host.advance(24 * 3600_000)
        return accept
      },
    })
    expect((await client.callTool('t')).content).toHaveLength(1)
    expect(host.pending).toBe(0)
  })

  test('C6 each round has its own time', async () => {
    const host = virtualHost()
    const client = await connect(asks({ a: form() }), { host, timeout: 1000, onElicit: () => accept })
    host.set.length = 0
    await client.callTool('t')
    expect(host.set).toEqual([1000, 1000])
  })
})

describe('content', () => {
  const schema = {
    name: { type: 'string', minLength: 2 },
    yes: { type: 'boolean', default: true },
    count: { type: 'integer', default: 5 },
    note: { type: 'string', default: 'none' },
  }
  const contentOf = async (content: Record<string, string | number | boolean>): Promise<unknown> => {
    const answers = await answersTo({ a: form(schema, ['name']) }, { onElicit: () => ({ action: 'accept', content }) })
    return (answers as { a: { content: unknown } }).a.content
  }

  test('C7 defaults are filled where a property is absent', async () => {
    expect(await contentOf({ name: 'Ada' })).toEqual({ name: 'Ada', yes: true, count: 5, note: 'none' })
  })

  test('C7 an explicit false, 0 or empty text is kept', async () => {
    const content = { name: 'Ada', yes: false, count: 0, note: '' }
    expect(await contentOf(content)).toEqual(content)
  })

  test('C7 content that does not fit is not sent', async () => {
    const error = await failureOf(
      { a: form(schema, ['name']) },
      { onElicit: () => ({ action: 'accept', content: { name: 'A' } }) },
    )
    expect(error.failed).toBe('a')
    expect(error.cause).toMatchObject({ code: 'ANSWER_INVALID' })
    expect((error.cause as Error).message).toContain('name')
  })

  test('C7 the same by hand', async () => {
    const server = asks({ a: form(schema, ['name']) })
    const client = await connect(server)
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, { a: accept })).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
    await client.resume(round, { a: { action: 'accept', content: { name: 'Ada', count: 0 } } })
    expect(server.calls[1]?.params['inputResponses']).toEqual({
      a: { action: 'accept', content: { name: 'Ada', count: 0, yes: true, note: 'none' } },
    })
  })

  test('C7 a handler can look at content before it answers', async () => {
    await answersTo(
      { a: form(schema, ['name']) },
      {
        onElicit: ({ fill, check }) => {
          expect(check({ name: 'A' })).toContain('name')
          expect(check(fill({ name: 'Ada' }))).toBeUndefined()
          return { action: 'accept', content: { name: 'Ada' } }
        },
      },
    )
  })

  test('C7 what was declined or cancelled carries no content', async () => {
    const answers = await answersTo(
      { a: form(schema, ['name']), b: form() },
      { onElicit: ({ key }) => ({ action: key === 'a' ? 'decline' : 'cancel', content: { name: 'secret' } }) },
    )
    expect(answers).toEqual({ a: { action: 'decline' }, b: { action: 'cancel' } })
  })

  test.each([
    ['an elicitation', form(), 'yes'],
    ['an elicitation', form(), { action: 'ok' }],
    ['a sample', sampleAsk, { text: 'hi' }],
    ['roots', { method: 'roots/list' }, { roots: [{ uri: 'https://example.com/' }] }],
    ['roots', { method: 'roots/list' }, undefined],
  ])('C7 an answer that is not %s is refused', async (_, ask, answer) => {
    const client = await connect(asks({ a: ask }))
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, { a: answer as never })).rejects.toMatchObject({ code: 'ANSWER_INVALID' })
  })
})

describe('kinds', () => {
  test('spec client/elicitation: an ask without a mode is a form', async () => {
    const bare = {
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
    }
    const onElicit = vi.fn(() => accept)
    await answersTo({ a: bare }, { onElicit, onUrl: () => accept })
    expect(onElicit).toHaveBeenCalledOnce()
  })

  test('spec client/elicitation: a URL ask is given with its host, nothing is fetched, and its answer has no content', async () => {
    const ask = {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'https://u:p@pay.example:8443/x?y=1' },
    }
    const fetched = vi.spyOn(globalThis, 'fetch')
    const answers = await answersTo(
      { a: ask },
      {
        onUrl: ({ host, request }) => {
          expect(host).toBe('pay.example:8443')
          expect(request.url).toBe('https://u:p@pay.example:8443/x?y=1')
          return { action: 'accept', content: { a: 1 } }
        },
      },
    )
    expect(answers).toEqual({ a: { action: 'accept' } })
    expect(fetched).not.toHaveBeenCalled()
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'not a url', 'data:text/html,x'])(
    'spec client/elicitation: %s is not put before a person',
    async (url) => {
      const onUrl = vi.fn(() => accept)
      const ask = { method: 'elicitation/create', params: { mode: 'url', message: 'm', url } }
      const error = await failureOf({ a: ask }, { onUrl })
      expect(error.cause).toMatchObject({ code: 'RESPONSE_INVALID' })
      expect(onUrl).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['without params', { method: 'elicitation/create' }],
    ['without a schema', { method: 'elicitation/create', params: { message: 'm' } }],
    [
      'without a message',
      { method: 'elicitation/create', params: { requestedSchema: { type: 'object', properties: {} } } },
    ],
    ['with a schema of null', { method: 'elicitation/create', params: { message: 'm', requestedSchema: null } }],
  ])('C7 a form %s is not put before a person', async (_, ask) => {
    const onElicit = vi.fn(() => accept)
    const error = await failureOf({ a: ask }, { onElicit })
    expect(error.cause).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(onElicit).not.toHaveBeenCalled()
    const client = await connect(asks({ a: ask }))
    const round = (await client.startTool('t')) as Round<'tools/call'>
    await expect(client.resume(round, { a: accept })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('C13 samples with and without tools go to their own handlers', async () => {
    const onSample = vi.fn(() => sampled)
    const onSampleWithTools = vi.fn(() => sampled)
    await answersTo({ a: sampleAsk, b: toolSampleAsk }, { onSample, onSampleWithTools })
    expect(onSample).toHaveBeenCalledOnce()
    expect(onSampleWithTools).toHaveBeenCalledOnce()
    const both = vi.fn(() => sampled)
    await answersTo({ a: sampleAsk, b: toolSampleAsk }, { onSampleWithTools: both })
    expect(both).toHaveBeenCalledTimes(2)
  })

  test('spec client/roots: roots are sent as a list, whether given as one or as the result', async () => {
    const roots = [{ uri: 'file:///home/ada', name: 'home' }]
    const ask = { method: 'roots/list' }
    expect(await answersTo({ a: ask, b: ask }, { onRoots: ({ key }) => (key === 'a' ? roots : { roots }) })).toEqual({
      a: { roots },
      b: { roots },
    })
  })
})

describe('declarations', () => {
  const META = 'io.modelcontextprotocol/clientCapabilities'
  const declared = async (
    options: ClientOptions,
    call: Parameters<Awaited<ReturnType<typeof connect>>['callTool']>[2] = {},
  ) => {
    const server = scripted(() => text('ok'))
    const client = await connect(server, options)
    await client.callTool('t', {}, call)
    return server.calls[0]?.params._meta[META]
  }
  const on = () => accept

  test.each<[ClientOptions, unknown]>([
    [{}, {}],
    [{ onElicit: on }, { elicitation: { form: {} } }],
    [{ onUrl: on }, { elicitation: { url: {} } }],
    [{ onElicit: on, onUrl: on }, { elicitation: { form: {}, url: {} } }],
    [{ onSample: () => sampled }, { sampling: {} }],
    [{ onSampleWithTools: () => sampled }, { sampling: { tools: {} } }],
    [{ onRoots: () => [] }, { roots: {} }],
    [{ asks: ['form', 'roots'] }, { elicitation: { form: {} }, roots: {} }],
    [
      { onElicit: on, capabilities: { extensions: { 'com.example/x': { a: 1 } }, sampling: { context: {} } } },
      { elicitation: { form: {} }, extensions: { 'com.example/x': { a: 1 } }, sampling: { context: {} } },
    ],
  ])('C13 what is declared follows the handlers given (%#)', async (options, expected) => {
    expect(await declared(options)).toEqual(expected)
  })

  test('C13 it is sent on every request', async () => {
    const server = scripted(({ method }) => (method === 'tools/list' ? { tools: [] } : text('ok')))
    const client = await connect(server, { onElicit: on })
    await client.listTools()
    await client.callTool('t')
    await client.request('com.example/x', { a: 1 })
    expect(server.seen.map(({ params }) => params._meta[META])).toEqual(Array(4).fill({ elicitation: { form: {} } }))
  })

  test('C13 a call can narrow it', async () => {
    expect(await declared({ onElicit: on, onUrl: on }, { asks: ['form'] })).toEqual({ elicitation: { form: {} } })
    expect(await declared({ onElicit: on }, { asks: [] })).toEqual({})
  })

  test('C13 handlers of a call are declared with it', async () => {
    expect(await declared({ onElicit: on }, { onRoots: () => [] })).toEqual({ elicitation: { form: {} }, roots: {} })
  })

  test('C13 a name that is no kind, and an extension without a prefix, are refused', async () => {
    await expect(
      connect(
        scripted(() => ({})),
        { asks: ['forms' as never] },
      ),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(
      connect(
        scripted(() => ({})),
        { capabilities: { extensions: { x: {} } } },
      ),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
