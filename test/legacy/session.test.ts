import { Server, type Context } from 'rondo'
import { afterEach, expect, test } from 'vitest'
import { LineClient, type Message } from './line-client.ts'

const open: LineClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function connect(server: Server, revision = '2025-11-25', capabilities: object = {}): Promise<LineClient> {
  const client = await LineClient.connect(server, revision, capabilities)
  open.push(client)
  return client
}

function serverOf(handler: (ctx: Context) => unknown, options: ConstructorParameters<typeof Server>[1] = {}): Server {
  const server = new Server({ name: 'old', version: '1' }, { log: () => undefined, ...options })
  server.tool('it', {}, (_args, ctx) => handler(ctx) as string)
  return server
}

const IT = { name: 'it', arguments: {} }
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const version = (ctx: Context) => ctx.protocolVersion
const initializing = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'o', version: '1' } },
}

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'L1 %s is spoken when it is asked for',
  async (revision) => {
    const client = await connect(serverOf(version), revision)
    expect((await client.request('tools/call', IT)).result).toMatchObject({ content: [{ text: revision }] })
  },
)

test.each(['1999-01-01', '2026-07-28', ''])(
  'L1 asked for %j it offers the newest of those with initialize',
  async (asked) => {
    const client = await connect(serverOf(version), asked)
    expect((await client.request('tools/call', IT)).result).toMatchObject({ content: [{ text: '2025-11-25' }] })
  },
)

test('L1 a revision that is not served is not offered', async () => {
  const client = new LineClient(serverOf(version, { revisions: ['2026-07-28', '2025-03-26'] }))
  open.push(client)
  client.send(initializing)
  expect((await client.until(({ id }) => id === 1)).result).toMatchObject({ protocolVersion: '2025-03-26' })
})

test('L1 where no older revision is served, initialize is told what is', async () => {
  const client = new LineClient(serverOf(version, { revisions: ['2026-07-28'] }))
  open.push(client)
  client.send(initializing)
  expect((await client.until(({ id }) => id === 1)).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  })
})

test('L1 a server of older revisions alone refuses 2026-07-28, and says what it speaks', async () => {
  const client = new LineClient(serverOf(version, { revisions: ['2025-11-25'] }))
  open.push(client)
  const { error } = await client.request('server/discover', { _meta: MODERN })
  expect(error).toMatchObject({ code: -32022, data: { supported: ['2025-11-25'] } })
})

test.each([[[]], [['2026-01-01']], ['2025-11-25']])(
  'L1 revisions %j are refused where they are written',
  (revisions) => {
    expect(() => serverOf(version, { revisions: revisions as never })).toThrow(/Option revisions: .*2025-11-25/)
  },
)

test('L1 both eras share a connection: each message is taken for what it says it is', async () => {
  const client = await connect(serverOf(version))
  const long = { 'com.example/x': 'x'.repeat(20_000) }
  const call = async (_meta: object) => (await client.request('tools/call', { ...IT, _meta })).result
  expect(await call(MODERN)).toMatchObject({ resultType: 'complete', content: [{ text: '2026-07-28' }] })
  expect(await call({ ...MODERN, ...long })).toMatchObject({ content: [{ text: '2026-07-28' }] })
  expect(await call(long)).toMatchObject({ content: [{ text: '2025-11-25' }] })
})

test('L7 ping is answered; methods of 2026-07-28 are unknown, and so are others', async () => {
  const client = await connect(serverOf(version))
  expect((await client.request('ping')).result).toEqual({})
  for (const method of ['server/discover', 'subscriptions/listen', 'no/such']) {
    expect((await client.request(method)).error).toMatchObject({ code: -32601 })
  }
})

test('L7 logging/setLevel holds for what comes after; an unknown level is -32602', async () => {
  const client = await connect(
    serverOf((ctx) => {
      ctx.log.debug('low')
      ctx.log.error('high')
      return 'done'
    }),
  )
  const told = async () => {
    await client.request('tools/call', IT)
    return client.take().map(({ params }) => params?.['data'])
  }
  expect(await told()).toEqual(['high'])
  expect((await client.request('logging/setLevel', { level: 'debug' })).result).toEqual({})
  expect(await told()).toEqual(['low', 'high'])
  expect((await client.request('logging/setLevel', { level: 'emergency' })).result).toEqual({})
  expect(await told()).toEqual([])
  expect((await client.request('logging/setLevel', { level: 'loud' })).error).toMatchObject({ code: -32602 })
})

test('L7 a resource that is not there for this caller is -32002, and cannot be subscribed to', async () => {
  const server = new Server({ name: 's', version: '1' })
  server.resource('a', { uri: 'note://a' }, () => 'a')
  server.resource('b', { uri: 'note://b', visible: () => false }, () => 'b')
  const client = await connect(server, '2025-06-18')
  for (const uri of ['note://none', 'note://b']) {
    expect((await client.request('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } })
    expect((await client.request('resources/subscribe', { uri })).error).toMatchObject({ code: -32002, data: { uri } })
  }
  expect((await client.request('resources/subscribe', {})).error).toMatchObject({ code: -32602 })
  expect((await client.request('resources/subscribe', { uri: 'note://a' })).result).toEqual({})
  expect((await client.request('resources/unsubscribe', { uri: 'note://a' })).result).toEqual({})
})

test('L7 a session may be subscribed to 1000 resources at most', async () => {
  const server = new Server({ name: 's', version: '1' })
  server.resourceTemplate('n', { uriTemplate: 'note://{n}' }, () => 'n')
  const client = await connect(server)
  for (let n = 0; n < 1000; n++) client.begin('resources/subscribe', { uri: `note://${n}` })
  expect((await client.request('resources/subscribe', { uri: 'note://more' })).error).toMatchObject({ code: -32602 })
  expect((await client.request('resources/subscribe', { uri: 'note://7' })).result).toEqual({})
})

test('L7 an id that is under way is refused, and the first call goes on', async () => {
  let finish: () => void = () => undefined
  const client = await connect(serverOf(() => new Promise((resolve) => (finish = () => resolve('done')))))
  const id = client.begin('tools/call', IT)
  client.send({ jsonrpc: '2.0', id, method: 'ping' })
  const isReply = (message: Message) => message.id === id
  expect((await client.until(isReply)).error).toMatchObject({ code: -32600 })
  finish()
  expect((await client.until(isReply)).result).toMatchObject({ content: [{ text: 'done' }] })
})

test('L7 responses to nothing and notifications of no meaning are passed by', async () => {
  const client = await connect(serverOf(version))
  client.send({ jsonrpc: '2.0', id: 5000, result: {} })
  client.send({ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } })
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5000 } })
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled' })
  client.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
  client.send({ jsonrpc: '2.0', method: 'notifications/none' })
  expect((await client.request('ping')).result).toEqual({})
  expect(client.take()).toEqual([])
})

test('L5 2025-03-26 takes a batch on a connection', async () => {
  const client = await connect(
    serverOf(() => 'done'),
    '2025-03-26',
  )
  client.send([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: IT },
  ])
  expect(await client.batch()).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: { content: [{ text: 'done' }] } },
  ])
})
