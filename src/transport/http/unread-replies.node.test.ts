import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Exchange, Reply, ServerLog } from '../../entry/index.ts'
import { nodeHandler } from '../../entry/node.ts'
import { HeldServer, openSocket } from '../../../test/support/http.ts'
import { MOST_UNREAD } from './unread-replies.node.ts'

const MEGABYTE = 1024 * 1024
/** More than the buffers of both ends take. */
const BIG = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(12 * MEGABYTE)}"}}`
const SMALL = '{"jsonrpc":"2.0","id":1,"result":{}}'
const POST = (path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n` +
  'Accept: application/json, text/event-stream\r\n\r\n{}'

let http: HttpServer
const log: ServerLog[] = []
const sockets: Socket[] = []

afterEach(async () => {
  log.length = 0
  for (const socket of sockets.splice(0)) socket.destroy()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})

type Handle = (message: unknown, exchange: Exchange) => Reply | Promise<Reply>

/** @returns a connection that does not read, and the server's end of it */
async function silentClient(handle: Handle, unreadAfter = 0.05): Promise<{ client: Socket; served: Socket }> {
  const mcp = nodeHandler({ handle }, { unreadAfter, log: (event) => void log.push(event) })
  http = createServer((request: IncomingMessage, response: ServerResponse) => mcp(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const connection = once(http, 'connection') as Promise<[Socket]>
  const client = await openSocket((http.address() as AddressInfo).port)
  sockets.push(client)
  const [served] = await connection
  return { client: client.pause(), served }
}

const slowReaders = () => log.filter(({ code }) => code === 'http-slow-reader').length

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

const bodies: [string, Handle][] = [
  ['a reply that is there at once', () => ({ status: 200, body: BIG })],
  ['a reply that takes its time', async () => ({ status: 200, body: BIG })],
  [
    'the end of a stream',
    async (_message, exchange) => {
      exchange.notify?.('{"jsonrpc":"2.0","method":"notifications/progress"}')
      return { status: 200, body: BIG }
    },
  ],
]

it.each(bodies)(
  'H3 a client that does not read its reply is cut off, and nothing is kept for it: %s',
  async (_, handle) => {
    const { client, served } = await silentClient(handle)
    client.write(POST())
    await closed(served)
    expect(served.writableLength === 0 || served.destroyed).toBe(true)
    expect(slowReaders()).toBe(1)
  },
)

it('H4 calls that wait behind an unread reply are cancelled with their connection', async () => {
  const held = new HeldServer()
  const { client } = await silentClient((message, exchange) =>
    exchange.http?.url === '/big' ? { status: 200, body: BIG } : held.handle(message, exchange),
  )
  client.write(POST('/big') + POST())
  const waiting = await held.next()
  expect(await waiting.cancelled).toBe('The client went away')
})

it('H3 unread replies of one connection are bounded, however long it may take to read', async () => {
  let made = 0
  const { client, served } = await silentClient(() => {
    made++
    return { status: 200, body: BIG }
  }, 3600)
  client.write(POST().repeat(20))
  await closed(served)
  expect(made * BIG.length).toBeLessThan(MOST_UNREAD + 3 * BIG.length)
})

it('H3 a client that reads slowly, but reads, gets its whole reply', async () => {
  const { client } = await silentClient(() => ({ status: 200, body: BIG }), 0.2)
  client.write(POST())
  let size = 0
  let pauses = 0
  client.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > (pauses + 1) * MEGABYTE) {
      pauses++
      client.pause()
      setTimeout(() => client.resume(), 60)
    }
  })
  client.resume()
  await expect.poll(() => size >= BIG.length, { timeout: 10_000 }).toBe(true)
  expect(slowReaders()).toBe(0)
})

it('H3 a call that takes longer than a reader may is not cut off behind a reply that was read late', async () => {
  const held = new HeldServer()
  const { client, served } = await silentClient((message, exchange) =>
    exchange.http?.url === '/big' ? { status: 200, body: BIG } : held.handle(message, exchange),
  )
  client.write(POST('/big') + POST())
  const waiting = await held.next()
  let text = ''
  client.on('data', (chunk: Buffer) => (text = text.slice(-200) + chunk.toString('latin1'))).resume()
  await expect.poll(() => served.timeout).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  waiting.answer(SMALL)
  await expect.poll(() => text.endsWith(SMALL)).toBe(true)
  expect(slowReaders()).toBe(0)
})

it('H3 after a reply that was read late a connection may stay idle as long as any other', async () => {
  const { client, served } = await silentClient(() => ({ status: 200, body: BIG }))
  client.write(POST())
  let size = 0
  client.on('data', (chunk: Buffer) => (size += chunk.length)).resume()
  await expect.poll(() => size > BIG.length).toBe(true)
  await expect.poll(() => served.timeout).not.toBe(50)
  expect(served.timeout).toBeGreaterThanOrEqual(http.keepAliveTimeout)
})
