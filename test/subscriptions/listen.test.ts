import { Server } from 'rondo'
import { fetchHandler } from 'rondo/fetch'
import { listen, type Listening } from 'rondo/node'
import { afterEach, describe, expect, test } from 'vitest'
import { LineClient, type Message } from '../legacy/line-client.ts'
import { begin, Events, HandClock, send } from '../support/http.ts'
import { requestText, rpc } from '../support/rpc.ts'

const ID = 'io.modelcontextprotocol/subscriptionId'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function notes(options: ConstructorParameters<typeof Server>[1] = {}) {
  let hidden = false
  const server = new Server({ name: 'notes', version: '1' }, { log: () => undefined, ...options })
  server.tool('first', {}, () => '')
  server.resource('a', { uri: 'note://a', visible: ({ principal }) => principal !== 'eve' && !hidden }, () => 'a')
  server.resourceTemplate('n', { uriTemplate: 'note://n/{n}' }, () => 'n')
  return { server, hide: () => (hidden = true) }
}

/** A client of 2026-07-28 over lines. */
class Listener extends LineClient {
  listen(notifications: unknown): number {
    return this.begin('subscriptions/listen', { notifications, _meta: META })
  }

  of(id: number): Promise<Message> {
    return this.until(
      ({ params, method }) =>
        method !== undefined && (params?.['_meta'] as Record<string, unknown> | undefined)?.[ID] === id,
    )
  }

  reply(id: number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined)
  }
}

let listening: Listening | undefined
const lines: LineClient[] = []
afterEach(async () => {
  for (const line of lines.splice(0)) await line.close()
  await listening?.close({ deadline: 0 })
  listening = undefined
})

function over(server: Server): Listener {
  const client = new Listener(server)
  lines.push(client)
  return client
}

describe('subscriptions/listen', () => {
  test('MUST-subscribe-02 the acknowledgement comes first, with what of the filter is honoured', async () => {
    const client = over(notes().server)
    const id = client.listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['note://a', 'note://none', 'note://n/7', 'note://a'],
    })
    expect(await client.of(id)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['note://a', 'note://n/7'] },
        _meta: { [ID]: id },
      },
    })
  })

  test('MUST-subscribe-01 only what was asked for is told, each under its subscription’s id', async () => {
    const { server } = notes()
    const client = over(server)
    const tools = client.listen({ toolsListChanged: true })
    const one = client.listen({ resourceSubscriptions: ['note://n/1'] })
    for (const id of [tools, one]) await client.of(id)
    server.changed.resource('note://n/2')
    server.changed.resource('note://n/1')
    server.changed.resources()
    server.tool('second', {}, () => '')
    expect(await client.of(tools)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [ID]: tools } },
    })
    expect(await client.of(one)).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'note://n/1', _meta: { [ID]: one } },
    })
    expect(client.take()).toEqual([])
  })

  test('a resource that is hidden from its caller by now is told no more', async () => {
    const { server, hide } = notes()
    const client = over(server)
    const id = client.listen({ resourceSubscriptions: ['note://a', 'note://n/1'] })
    await client.of(id)
    hide()
    server.changed.resource('note://a')
    server.changed.resource('note://n/1')
    expect((await client.of(id)).params).toMatchObject({ uri: 'note://n/1' })
    expect(client.take()).toEqual([])
  })

  test.each([
    ['nothing', {}],
    ['what the server does not have', { promptsListChanged: true, resourceSubscriptions: ['note://none'] }],
    ['kinds that nobody knows', { moonChanged: true }],
  ])('a filter of %s is acknowledged empty, and ended', async (_what, filter) => {
    const client = over(notes().server)
    const id = client.listen(filter)
    expect((await client.of(id)).params).toMatchObject({ notifications: {} })
    expect((await client.reply(id)).result).toMatchObject({ resultType: 'complete', _meta: { [ID]: id } })
  })

  test.each([
    ['no filter', undefined],
    ['a filter that is a list', []],
    ['a kind that is a text', { toolsListChanged: 'yes' }],
    ['URIs that are one text', { resourceSubscriptions: 'note://a' }],
    ['a URI that is a number', { resourceSubscriptions: [1] }],
    ['too many URIs', { resourceSubscriptions: Array.from({ length: 1001 }, (_, n) => `note://n/${n}`) }],
  ])('%s: -32602', async (_what, filter) => {
    const client = over(notes().server)
    expect((await client.reply(client.listen(filter))).error).toMatchObject({ code: -32602 })
  })

  test('one that its client cancels gets no reply and hears no more', async () => {
    const { server } = notes()
    const client = over(server)
    const id = client.listen({ toolsListChanged: true })
    const other = client.listen({ toolsListChanged: true })
    for (const one of [id, other]) await client.of(one)
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    await client.request('server/discover', { _meta: META })
    server.changed.tools()
    await client.of(other)
    expect(client.take()).toEqual([])
  })

  test('MUST-cancel-01 a server that stops says so, and then gives the result', async () => {
    const { server } = notes()
    const client = over(server)
    const id = client.listen({ toolsListChanged: true })
    await client.of(id)
    server.close()
    expect(await client.of(id)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } })
    expect((await client.reply(id)).result).toMatchObject({ resultType: 'complete', _meta: { [ID]: id } })
  })

  test('subscriptions are bounded, for one caller and in all', async () => {
    const { server } = notes({ subscriptions: { perPrincipal: 1 } })
    const failures: unknown[] = []
    server.use(async (_call, next) => {
      const outcome = await next()
      if (outcome.kind === 'failed') failures.push(outcome.error)
      return outcome
    })
    const client = over(server)
    const first = client.listen({ toolsListChanged: true })
    await client.of(first)
    const refused = (await client.reply(client.listen({ toolsListChanged: true }))).error
    expect(failures).toMatchObject([{ code: 'SUBSCRIPTIONS_EXCEEDED' }])
    expect(refused).toMatchObject({ code: -32603, message: expect.stringContaining('one caller') as string })
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: first } })
    await client.request('server/discover', { _meta: META })
    await client.of(client.listen({ toolsListChanged: true }))
    const none = over(notes({ subscriptions: { max: 0 } }).server)
    expect((await none.reply(none.listen({ toolsListChanged: true }))).error).toMatchObject({ code: -32603 })
  })

  test.each([{ max: -1 }, { perPrincipal: 1.5 }, { uri: 1 }])(
    'options %j are refused where they are written',
    (options) => {
      expect(() => notes({ subscriptions: options as never })).toThrow(/subscriptions/)
    },
  )

  test('one that listens holds no place among the calls that run', async () => {
    const { server } = notes({ rateLimit: { concurrent: 1 } })
    const client = over(server)
    await client.of(client.listen({ toolsListChanged: true }))
    const call = { name: 'first', arguments: {}, _meta: META }
    expect((await client.request('tools/call', call)).result).toMatchObject({ resultType: 'complete' })
  })

  test('what is declared is what can be listened for', async () => {
    const { result } = await rpc(notes().server, 'server/discover')
    expect(result?.['capabilities']).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    })
  })
})

describe('subscriptions/listen over HTTP', () => {
  const open = async (notifications: object, options: Parameters<typeof listen>[1] = {}) => {
    const { server } = notes()
    listening = await listen(server, { port: 0, ...options })
    const body = requestText('subscriptions/listen', { notifications }, { id: 'sub' })
    const { sent, response } = begin(listening.url, { body, headers: { 'mcp-method': 'subscriptions/listen' } })
    const events = new Events(await response)
    return { server, sent, events, url: listening.url }
  }

  test('MUST-subscribe-02 it is a stream: acknowledged, told, kept alive, and ended with the server', async () => {
    const clock = new HandClock()
    const { server, events } = await open({ toolsListChanged: true }, { clock, keepAlive: 5 })
    expect(await events.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    server.changed.tools()
    expect(await events.next()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [ID]: 'sub' } },
    })
    clock.pass(5)
    expect(await events.next()).toBe(':')
    const closing = listening?.close()
    expect(await events.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 'sub' } })
    expect(await events.next()).toMatchObject({ id: 'sub', result: { resultType: 'complete', _meta: { [ID]: 'sub' } } })
    expect(await events.next()).toBeUndefined()
    await closing
  })

  test('H4 a client that goes away is forgotten', async () => {
    const { server } = notes({ subscriptions: { max: 1 } })
    listening = await listen(server, { port: 0 })
    const { url } = listening
    const headers = { 'mcp-method': 'subscriptions/listen' }
    const body = requestText('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 1 })
    const first = begin(url, { body, headers })
    await new Events(await first.response).next()
    first.sent.destroy()
    for (;;) {
      const next = begin(url, { body, headers })
      const reply = await new Events(await next.response).next()
      next.sent.destroy()
      if (JSON.stringify(reply).includes('acknowledged')) break
    }
  })

  test('where a process ends with its request nothing can be honoured, and nothing is promised', async () => {
    const handle = fetchHandler(notes().server, { perRequestHost: true })
    const post = async (method: string, params: object = {}) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      }
      const body = requestText(method, params, { id: 1 })
      return (await handle(new Request('https://edge.example/mcp', { method: 'POST', headers, body }))).text()
    }
    const told = await post('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(told).toMatch(/acknowledged[^]*"notifications":\{\}[^]*"resultType":"complete"/)
    expect(await post('server/discover')).not.toContain('listChanged')
  })

  test('other requests go on beside it', async () => {
    const { url } = await open({ toolsListChanged: true })
    expect((await send(url, { body: requestText('tools/list'), headers: { 'mcp-method': 'tools/list' } })).status).toBe(
      200,
    )
  })
})
