import { once } from 'node:events'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { begin, type Held, HeldServer, openSocket, sendBytes } from '../../../test/support/http.ts'
import { nodeHandler } from './node.node.ts'

const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}'
const POST =
  'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n' +
  'Accept: application/json, text/event-stream\r\n\r\n{}'

let http: HttpServer
let server: HeldServer

async function start(listener: RequestListener = nodeHandler(server)): Promise<number> {
  http = createServer(listener)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return (http.address() as AddressInfo).port
}

beforeEach(() => {
  server = new HeldServer()
})

afterEach(async () => {
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})

async function calls(count: number): Promise<Held[]> {
  const held: Held[] = []
  while (held.length < count) held.push(await server.next())
  return held
}

it('H4 every request of a connection that goes away is cancelled in the same turn, those that were pipelined too', async () => {
  const port = await start()
  const socket = await openSocket(port)
  socket.write(POST.repeat(30))
  const held = await calls(30)
  const turns: number[] = []
  let turn = 0
  const count = setInterval(() => turn++, 0)
  for (const call of held) call.exchange.onCancel?.(() => turns.push(turn))
  socket.resetAndDestroy()
  await expect.poll(() => turns.length).toBe(30)
  clearInterval(count)
  expect(new Set(turns).size).toBe(1)
})

it('H4 a pipelined request that streams is cancelled with its connection', async () => {
  const port = await start()
  const socket = await openSocket(port)
  socket.write(POST.repeat(2))
  const [, second] = await calls(2)
  second?.exchange.notify?.('{"jsonrpc":"2.0","method":"notifications/progress"}')
  socket.destroy()
  expect(await second?.cancelled).toBe('The client went away')
})

it('H4 a client that ends its side of the connection has gone away', async () => {
  const port = await start()
  const socket = await openSocket(port)
  socket.write(POST.repeat(2))
  const held = await calls(2)
  socket.end()
  for (const call of held) expect(await call.cancelled).toBe('The client went away')
})

it('H4 pipelined requests are answered in their order, and leave no listener on the connection', async () => {
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const port = await start()
  const connected = once(http, 'connection')
  const replies = sendBytes(port, POST.repeat(30))
  const [socket] = (await connected) as [Socket]
  const before = socket.listenerCount('close')
  const held = await calls(30)
  expect(socket.listenerCount('close')).toBeLessThanOrEqual(before + 2)
  held.reverse().forEach((call) => call.answer(REPLY))
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.end()
  expect((await replies).match(/HTTP\/1\.1 200/g)).toHaveLength(30)
  expect(warnings).toEqual([])
})

it('H4 a request that an application hands on after its client has gone is cancelled at once', async () => {
  const mcp = nodeHandler(server)
  const port = await start((request, response) => {
    request.resume()
    response.on('close', () => setImmediate(() => mcp(request, response, undefined, {})))
  })
  const { sent } = begin(`http://127.0.0.1:${port}/`, { body: '{}' })
  await once(http, 'request')
  sent.destroy()
  expect(await (await server.next()).cancelled).toBe('The client went away')
})

it('H4 a request that its application has answered already is cancelled at once', async () => {
  const mcp = nodeHandler(server)
  const port = await start((request, response) => {
    request.resume()
    response.end('mine')
    response.on('close', () => setImmediate(() => mcp(request, response, undefined, {})))
  })
  http.keepAliveTimeout = 0
  const socket = await openSocket(port)
  socket.write(POST)
  expect(await (await server.next()).cancelled).toBe('The client went away')
})

it('H4 a pipelined request that is handed on after its client has gone is cancelled at once', async () => {
  const mcp = nodeHandler(server)
  let seen = 0
  const port = await start((request, response) => {
    request.resume()
    if (++seen === 2) request.socket.on('close', () => setImmediate(() => mcp(request, response, undefined, {})))
  })
  const socket = await openSocket(port)
  socket.write(POST.repeat(2))
  await expect.poll(() => seen).toBe(2)
  socket.destroy()
  expect(await (await server.next()).cancelled).toBe('The client went away')
})
