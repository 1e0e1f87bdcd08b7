import { Server, type Context } from 'rondo'
import { fetchHandler } from 'rondo/fetch'
import { listen, type Listening, type ListenOptions } from 'rondo/node'
import { afterEach, describe, expect, test } from 'vitest'
import { HandClock, send } from '../support/http.ts'
import { HttpClient } from './http-client.ts'
import { initialize } from './line-client.ts'

let listening: Listening | undefined
afterEach(async () => {
  await listening?.close({ deadline: 0 })
  listening = undefined
})

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const call = (id: number, name = 'it', more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
})

/** Something to wait for. */
function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

async function start(handler: (ctx: Context) => unknown = () => 'done', options: ListenOptions = {}): Promise<string> {
  const server = new Server({ name: 'old', version: '1' }, { log: () => undefined })
  server.tool('it', {}, (_args, ctx) => handler(ctx) as string)
  listening = await listen(server, { port: 0, log: () => undefined, ...options })
  return listening.url
}

const asOwner = { principal: (request: { header(name: string): string | undefined }) => request.header('x-who') ?? '' }

describe('a session over HTTP', () => {
  test('L2 initialize gives an id of visible ASCII, by which later requests are told', async () => {
    const client = await HttpClient.connect(await start())
    expect(client.session).toMatch(/^[\x21-\x7e]{32,}$/)
    const { status, text } = await client.post(call(1))
    expect([status, JSON.parse(text)]).toMatchObject([200, { id: 1, result: { content: [{ text: 'done' }] } }])
  })

  test('L2 a notification and a response are accepted with 202 and no body', async () => {
    const client = await HttpClient.connect(await start())
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 99, result: {} },
    ]) {
      expect(await client.post(message)).toMatchObject({ status: 202, text: '' })
    }
  })

  test('L2 a request without a session: 400; of one that is not there: 404', async () => {
    const url = await start()
    const body = JSON.stringify(call(1))
    const headers = { 'mcp-protocol-version': undefined }
    expect((await send(url, { body, headers })).status).toBe(400)
    expect((await send(url, { body, headers: { ...headers, 'mcp-session-id': 'no' } })).status).toBe(404)
    expect((await send(url, { method: 'GET', headers: { accept: 'text/event-stream' } })).status).toBe(400)
    expect((await send(url, { method: 'DELETE', headers: { 'mcp-session-id': 'no' } })).status).toBe(404)
  })

  test('L2 a session is its principal’s alone: for anybody else it is not there', async () => {
    const url = await start(undefined, asOwner)
    const client = await HttpClient.connect(url, '2025-11-25', {}, { 'x-who': 'ada' })
    expect((await client.post(call(1), { 'x-who': 'ada' })).status).toBe(200)
    expect((await client.post(call(2), { 'x-who': 'eve' })).status).toBe(404)
    expect((await client.get({ 'x-who': 'eve' })).status).toBe(404)
    expect((await client.delete({ 'x-who': 'eve' })).status).toBe(404)
    expect((await client.post(call(3), { 'x-who': 'ada' })).status).toBe(200)
  })

  test('L2 DELETE ends it, and cancels what runs in it', async () => {
    const started = gate()
    const ended = gate()
    const url = await start(async (ctx) => {
      ctx.signal.addEventListener('abort', () => ended.open())
      started.open()
      await ended.opened
      return 'late'
    })
    const client = await HttpClient.connect(url)
    const running = client.post(call(1)).catch(() => undefined)
    await started.opened
    expect((await client.delete()).status).toBe(204)
    await ended.opened
    await running
    expect((await client.post(call(2))).status).toBe(404)
    expect((await client.get()).status).toBe(404)
  })

  test('L2 a version header that is not served: 400 with what is', async () => {
    const client = await HttpClient.connect(await start())
    const { status, text } = await client.post(call(1), { 'mcp-protocol-version': '1999-01-01' })
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { code: -32022, data: { requested: '1999-01-01' } } },
    ])
  })

  test('L2 a header of the modern era is stronger than a session', async () => {
    const client = await HttpClient.connect(await start())
    const { status } = await client.post(call(1), { 'mcp-protocol-version': '2026-07-28' })
    expect(status).toBe(400)
  })

  test('L2 a second initialize is refused, and one with no version', async () => {
    const url = await start()
    const client = await HttpClient.connect(url)
    expect(JSON.parse((await client.post(initialize('2025-11-25'))).text)).toMatchObject({ error: { code: -32600 } })
    const bare = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
    const { headers, text } = await send(url, {
      body: JSON.stringify(bare),
      headers: { 'mcp-protocol-version': undefined },
    })
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  test('L2 an error of a request is 200: 404 would say that the session is gone', async () => {
    const client = await HttpClient.connect(await start())
    const { status, text } = await client.post({ jsonrpc: '2.0', id: 1, method: 'no/such' })
    expect([status, JSON.parse(text)]).toMatchObject([200, { id: 1, error: { code: -32601 } }])
  })

  test('L2 initialize of a client that takes event streams alone is answered on one', async () => {
    const headers = { 'mcp-protocol-version': undefined, accept: 'text/event-stream' }
    const reply = await send(await start(), { body: JSON.stringify(initialize('2025-06-18')), headers })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream'])
    expect(reply.headers['mcp-session-id']).toBeDefined()
    expect(reply.text).toContain('"protocolVersion":"2025-06-18"')
  })

  test('L2 headers that 2026-07-28 wants of a tool’s arguments are not wanted of older clients', async () => {
    const server = new Server({ name: 'routed', version: '1' }, { log: () => undefined })
    const input = { type: 'object', properties: { region: { type: 'string' } } } as const
    server.tool('it', { input, headers: { region: 'Region' } }, ({ region }) => `in ${region}`)
    listening = await listen(server, { port: 0 })
    const client = await HttpClient.connect(listening.url)
    const { text } = await client.post(call(1, 'it', { arguments: { region: 'eu' } }))
    expect(JSON.parse(text)).toMatchObject({ result: { content: [{ text: 'in eu' }] } })
  })

  test('L2 a middleware that refuses initialize opens no session', async () => {
    const server = new Server({ name: 'shut', version: '1' }, { log: () => undefined })
    server.use(() => {
      throw new Error('no')
    })
    listening = await listen(server, { port: 0, log: () => undefined })
    const headers = { 'mcp-protocol-version': undefined }
    const reply = await send(listening.url, { body: JSON.stringify(initialize('2025-11-25')), headers })
    expect(reply.headers['mcp-session-id']).toBeUndefined()
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: -32603 } })
  })

  test('L3 one that nobody uses ends after its idle time; one with a connection does not', async () => {
    const clock = new HandClock()
    const url = await start(undefined, { clock, sessions: { idle: 10 } })
    const quiet = await HttpClient.connect(url)
    const heard = await HttpClient.connect(url)
    const stream = await heard.get()
    expect(stream.status).toBe(200)
    clock.pass(9)
    expect((await quiet.post(call(1))).status).toBe(200)
    clock.pass(9)
    expect((await quiet.post(call(1))).status).toBe(200)
    clock.pass(10)
    expect((await quiet.post(call(1))).status).toBe(404)
    expect((await heard.post(call(1))).status).toBe(200)
    stream.drop()
  })

  test('L3 beyond the greatest number the one quiet longest makes room; with a client on each the new one is told to wait', async () => {
    const clock = new HandClock()
    const url = await start(undefined, { clock, sessions: { max: 2 } })
    const first = await HttpClient.connect(url)
    clock.pass(1)
    const second = await HttpClient.connect(url)
    const third = await HttpClient.connect(url)
    expect((await first.post(call(1))).status).toBe(404)
    const streams = [await second.get(), await third.get()]
    const headers = { 'mcp-protocol-version': undefined }
    const refused = await send(url, { body: JSON.stringify(initialize('2025-11-25')), headers })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60'])
    for (const stream of streams) stream.drop()
  })

  test('L3 who opens many sessions pushes out their own first', async () => {
    const url = await start(undefined, { ...asOwner, sessions: { max: 3 } })
    const ada = await HttpClient.connect(url, '2025-11-25', {}, { 'x-who': 'ada' })
    const eve = await HttpClient.connect(url, '2025-11-25', {}, { 'x-who': 'eve' })
    for (let n = 0; n < 5; n++) await HttpClient.connect(url, '2025-11-25', {}, { 'x-who': 'eve' })
    expect((await ada.post(call(1), { 'x-who': 'ada' })).status).toBe(200)
    expect((await eve.post(call(1), { 'x-who': 'eve' })).status).toBe(404)
  })

  test('L3 no timer runs once the last session has ended', async () => {
    const clock = new HandClock()
    const client = await HttpClient.connect(await start(undefined, { clock }))
    expect(clock.running).toBeGreaterThan(0)
    await client.delete()
    clock.pass(1)
    expect(clock.running).toBe(0)
  })

  test('L2 where a process may not outlive its request there are no sessions, and calls that ask nothing work', async () => {
    const server = new Server({ name: 'edge', version: '1' }, { state: { keys: 'ephemeral' } })
    server.tool('it', {}, (_args, ctx) => (ctx.can.form ? 'can ask' : 'cannot ask'))
    const handle = fetchHandler(server, { perRequestHost: true })
    const post = (message: object, headers: Record<string, string> = {}) =>
      handle(
        new Request('https://edge.example/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          body: JSON.stringify(message),
        }),
      )
    const opened = await post(initialize('2025-11-25', { elicitation: {} }))
    expect([opened.status, opened.headers.get('mcp-session-id')]).toEqual([200, null])
    const called = await post(call(1), { 'mcp-protocol-version': '2025-11-25' })
    expect(await called.json()).toMatchObject({ result: { content: [{ text: 'cannot ask' }] } })
    expect((await handle(new Request('https://edge.example/mcp'))).status).toBe(405)
  })
})

describe('streams of a session', () => {
  test('L4 what belongs to a call goes out ahead of its reply, on its own stream, each with an id', async () => {
    const url = await start((ctx) => {
      ctx.log.info('one')
      ctx.progress(1)
      return 'done'
    })
    const client = await HttpClient.connect(url)
    const stream = await client.stream(call(1, 'it', { _meta: { progressToken: 7 } }))
    const [prime, log, progress, reply] = [
      await stream.next(),
      await stream.next(),
      await stream.next(),
      await stream.next(),
    ]
    expect(prime).toMatchObject({ id: '1.0', retry: '1000', data: undefined })
    expect(log).toMatchObject({ id: '1.1', data: { method: 'notifications/message' } })
    expect(progress).toMatchObject({ id: '1.2', data: { params: { progressToken: 7 } } })
    expect(reply).toMatchObject({ id: '1.3', data: { id: 1, result: {} } })
    expect(await stream.next()).toBeUndefined()
  })

  test('L4 older revisions are sent no event without data', async () => {
    const client = await HttpClient.connect(await start((ctx) => (ctx.log.info('x'), 'done')), '2025-06-18')
    const stream = await client.stream(call(1))
    expect(await stream.next()).toMatchObject({ id: '1.1', data: { method: 'notifications/message' } })
  })

  test('L4 a connection that breaks is no cancellation: who comes back gets the rest, once', async () => {
    const dropped = gate()
    let cancelled = false
    const url = await start(async (ctx) => {
      ctx.signal.addEventListener('abort', () => (cancelled = true))
      ctx.log.info('before')
      await dropped.opened
      await turn()
      ctx.log.info('missed')
      return 'done'
    })
    const client = await HttpClient.connect(url)
    const first = await client.stream(call(1))
    const { id } = await first.message()
    first.drop()
    dropped.open()
    const second = await client.get({ 'last-event-id': id as string })
    expect((await second.message()).data).toMatchObject({ params: { data: 'missed' } })
    const reply = await second.message()
    expect(reply.data).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    expect(await second.next()).toBeUndefined()
    expect(cancelled).toBe(false)
    const again = await client.get({ 'last-event-id': id as string })
    expect((await again.message()).data).toMatchObject({ params: { data: 'missed' } })
    const end = await client.get({ 'last-event-id': reply.id as string })
    expect(await end.next()).toBeUndefined()
  })

  test('L4 a reply that came while nobody read is there for who comes back', async () => {
    const going = gate()
    let over: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (over = resolve))
    const url = await start(async (ctx) => {
      ctx.onAttemptEnd(() => over())
      ctx.log.info('before')
      await going.opened
      return 'done'
    })
    const client = await HttpClient.connect(url)
    const first = await client.stream(call(1))
    const { id } = await first.message()
    first.drop()
    await turn()
    await client.post({ jsonrpc: '2.0', id: 2, method: 'ping' })
    going.open()
    await ended
    await turn()
    const back = await client.get({ 'last-event-id': id as string })
    expect((await back.message()).data).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    expect(await back.next()).toBeUndefined()
  })

  test('L4 who comes back is never sent what went out on another stream', async () => {
    const client = await HttpClient.connect(await start((ctx) => (ctx.log.info('x'), 'done')))
    const one = await client.stream(call(1))
    const { id } = await one.message()
    const two = await client.stream(call(2))
    while ((await two.next()) !== undefined);
    const back = await client.get({ 'last-event-id': id as string })
    expect((await back.message()).data.id).toBe(1)
    expect(await back.next()).toBeUndefined()
  })

  test.each(['nonsense', '9.0', '-1.0', '1', `${'1'.repeat(400)}.0`])(
    'L4 Last-Event-ID %s is none of ours: 400',
    async (id) => {
      const client = await HttpClient.connect(await start())
      expect((await client.get({ 'last-event-id': id })).status).toBe(400)
    },
  )

  test('L4 events are kept up to a limit, the newest', async () => {
    const url = await start(
      (ctx) => {
        for (let n = 0; n < 50; n++) ctx.log.info(`${n} ${'x'.repeat(1000)}`)
        return 'done'
      },
      { sessions: { eventBuffer: 10_000 } },
    )
    const client = await HttpClient.connect(url)
    const first = await client.stream(call(1))
    while ((await first.next()) !== undefined);
    const back = await client.get({ 'last-event-id': '1.1' })
    const kept = []
    for (let event = await back.next(); event !== undefined; event = await back.next()) kept.push(event)
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(12)
    expect(kept.at(-1)?.data).toMatchObject({ id: 1, result: {} })
  })

  test('L4 a call may end its connection for its client to come back (2025-11-25, polling)', async () => {
    const clock = new HandClock()
    const going = gate()
    const url = await start(
      async (ctx) => {
        ctx.log.info('begun')
        await going.opened
        return 'done'
      },
      { clock, sessions: { pollAfter: 2 } },
    )
    const client = await HttpClient.connect(url)
    const first = await client.stream(call(1))
    const { id } = await first.message()
    clock.pass(3)
    expect(await first.next()).toBeUndefined()
    const second = await client.get({ 'last-event-id': id as string })
    going.open()
    expect((await second.message()).data).toMatchObject({ id: 1, result: {} })
  })

  test('L4 a stream that belongs to no call gives way to the next, and wants the right Accept', async () => {
    const client = await HttpClient.connect(await start())
    const first = await client.get()
    expect((await first.next())?.data).toBeUndefined()
    const second = await client.get()
    expect(await first.next()).toBeUndefined()
    expect((await client.get({ accept: 'application/json' })).status).toBe(406)
    second.drop()
  })

  test('L4 quiet streams are kept alive with comments', async () => {
    const clock = new HandClock()
    const client = await HttpClient.connect(await start(undefined, { clock, keepAlive: 5 }), '2025-06-18')
    const response = await fetch(client.url, { headers: client.headers({ accept: 'text/event-stream' }) })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    clock.pass(5)
    expect((await reader?.read())?.value).toBe(':\n\n')
    await reader?.cancel()
  })

  test('L4 H5 closing ends streams without a call, and lets a call finish', async () => {
    const started = gate()
    const going = gate()
    const url = await start(async () => {
      started.open()
      await going.opened
      return 'done'
    })
    const client = await HttpClient.connect(url)
    const stream = await client.get()
    const running = client.post(call(1))
    await started.opened
    const closing = listening?.close()
    expect((await stream.next())?.id).toBe('1.0')
    expect(await stream.next()).toBeUndefined()
    going.open()
    expect((await running).status).toBe(200)
    await closing
  })
})

describe('batches', () => {
  test('L5 2025-03-26 takes one, and its replies come as one, in order', async () => {
    const client = await HttpClient.connect(await start(), '2025-03-26')
    const { status, text } = await client.post([
      call(1),
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { jsonrpc: '2.0', id: 3, method: 'no/such' },
    ])
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      [{ id: 1 }, { id: 2, result: {} }, { id: 3, error: { code: -32601 } }],
    ])
  })

  test('L5 one without requests is accepted with 202', async () => {
    const client = await HttpClient.connect(await start(), '2025-03-26')
    const note = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
    expect(await client.post([note, note])).toMatchObject({ status: 202, text: '' })
  })

  test.each([
    ['an empty one', []],
    ['one of 101', Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))],
  ])('L5 %s is refused', async (_what, batch) => {
    const client = await HttpClient.connect(await start(), '2025-03-26')
    expect(await client.post(batch)).toMatchObject({ status: 400 })
  })

  test('L5 what is wrong in a batch is told in its place, and initialize is never part of one', async () => {
    const client = await HttpClient.connect(await start(), '2025-03-26')
    const { text } = await client.post([1, initialize('2025-03-26'), { jsonrpc: '2.0', id: 2, method: 'ping' }])
    expect(JSON.parse(text)).toMatchObject([
      { error: { code: -32600 } },
      { error: { code: -32600 } },
      { id: 2, result: {} },
    ])
  })

  test.each(['2024-11-05', '2025-06-18', '2025-11-25'])('L5 %s has none: -32600', async (revision) => {
    const client = await HttpClient.connect(await start(), revision)
    const { status, text } = await client.post([call(1)])
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: -32600 } }])
  })
})
