import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Server } from '../../entry/index.ts'
import { encodeNotification } from '../../jsonrpc/encode.ts'
import { begin, Events, HandClock, HeldServer, send } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'
import type { Receiver } from '../receiver.ts'
import type { HttpOptions } from './handler.ts'
import { nodeHandler } from './node.node.ts'

const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}'
const progress = (progress: number) => encodeNotification('notifications/progress', { progressToken: 1, progress })
const message = (data: string) => encodeNotification('notifications/message', { level: 'info', data })

let http: HttpServer
let url: string
let server: HeldServer
let clock: HandClock
let events: { code: string }[]

async function start(options: HttpOptions<IncomingMessage> = {}, receiver: Receiver = server) {
  http = createServer(nodeHandler(receiver, { clock, log: (event) => void events.push(event), ...options }))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
}

beforeEach(() => {
  server = new HeldServer()
  clock = new HandClock()
  events = []
})

afterEach(async () => {
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})

describe('one object, or a stream', () => {
  it('H6 a reply without notifications is one JSON object', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    clock.pass(10)
    call.answer(REPLY)
    expect((await response).headers['content-type']).toBe('application/json')
    expect((await response).headers['content-length']).toBe(String(REPLY.length))
  })

  it('H6 the first notification opens a stream, which the reply ends', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    const stream = new Events(await response)
    expect(await stream.next()).toMatchObject({ params: { progress: 1 } })
    call.exchange.notify?.(progress(2))
    expect(await stream.next()).toMatchObject({ params: { progress: 2 } })
    call.answer(REPLY)
    expect(await stream.next()).toEqual(JSON.parse(REPLY))
    expect(await stream.next()).toBeUndefined()
  })

  it('H6 a message with line breaks is one event', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.('{\n  "method": "x"\r\n}')
    const stream = new Events(await response)
    expect(await stream.next()).toEqual({ method: 'x' })
    call.answer('{\n\n"id": 1}')
    expect(await stream.next()).toEqual({ id: 1 })
  })

  it('H6 the head of a stream tells proxies to hands off', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    ;(await server.next()).exchange.notify?.(progress(1))
    expect((await response).headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  })

  it('H6 after 10 s a stream is opened, and every 15 s there is a comment', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    clock.pass(11)
    const stream = new Events(await response)
    expect((await response).statusCode).toBe(200)
    clock.pass(15)
    expect(await stream.next()).toBe(':')
    clock.pass(15)
    expect(await stream.next()).toBe(':')
    call.answer(REPLY, 404)
    expect(await stream.next()).toEqual(JSON.parse(REPLY))
  })

  it('H6 a notification puts the comment off', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    const stream = new Events(await response)
    await stream.next()
    clock.pass(14)
    call.exchange.notify?.(progress(2))
    clock.pass(14)
    call.answer(REPLY)
    expect([await stream.next(), await stream.next()]).toMatchObject([{ params: { progress: 2 } }, { id: 1 }])
  })

  it('H6 a client that does not take streams waits for JSON, however long, and misses notifications', async () => {
    await start()
    const { response } = begin(url, { body: '{}', headers: { accept: 'application/json' } })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    clock.pass(600)
    call.answer(REPLY)
    expect((await response).headers['content-type']).toBe('application/json')
  })

  it('H6 the two times are options', async () => {
    await start({ streamAfter: 2, keepAlive: 1 })
    const { response } = begin(url, { body: '{}' })
    await server.next()
    clock.pass(3)
    const stream = new Events(await response)
    clock.pass(1)
    expect(await stream.next()).toBe(':')
  })

  it('H6 an error after the stream is open is in-band', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    call.answer('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}', 400)
    const stream = new Events(await response)
    expect([(await response).statusCode, await stream.next(), await stream.next()]).toMatchObject([
      200,
      { method: 'notifications/progress' },
      { error: { code: -32603 } },
    ])
  })

  it('H6 what is sent after the reply is dropped', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.answer(REPLY)
    await response
    call.exchange.notify?.(progress(1))
    expect((await response).headers['content-type']).toBe('application/json')
  })

  it('MUST-http-11 notifications go to the stream of their own request', async () => {
    await start()
    const one = begin(url, { body: '"one"' })
    const first = await server.next()
    const two = begin(url, { body: '"two"' })
    const second = await server.next()
    second.exchange.notify?.(message('for two'))
    first.exchange.notify?.(message('for one'))
    const streams = [new Events(await one.response), new Events(await two.response)] as const
    expect(await streams[0].next()).toMatchObject({ params: { data: 'for one' } })
    expect(await streams[1].next()).toMatchObject({ params: { data: 'for two' } })
    first.answer(REPLY)
    second.answer(REPLY)
    expect([await streams[0].next(), await streams[1].next()]).toMatchObject([{ id: 1 }, { id: 1 }])
  })
})

describe('a client that goes away', () => {
  it('H4 from a waiting JSON reply', async () => {
    await start()
    const { sent } = begin(url, { body: '{}' })
    const call = await server.next()
    sent.destroy()
    expect(await call.cancelled).toBe('The client went away')
  })

  it('H4 from a stream', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    ;(await response).destroy()
    expect(await call.cancelled).toBe('The client went away')
    call.exchange.notify?.(progress(2))
    call.answer(REPLY)
    await call.reply
    expect(events).toEqual([])
  })

  it('H4 the signal of a real handler fires in the turn of the disconnect', async () => {
    const real = new Server({ name: 'slow', version: '1.0.0' })
    const turns: string[] = []
    let begun: () => void = () => undefined
    const running = new Promise<void>((resolve) => (begun = resolve))
    let over: () => void = () => undefined
    const aborted = new Promise<void>((resolve) => (over = resolve))
    real.tool('slow', {}, (_input, ctx) => {
      ctx.signal.addEventListener('abort', () => {
        turns.push('aborted')
        over()
      })
      begun()
      return new Promise(() => undefined)
    })
    await start({}, real)
    // The adapter's listener comes first or second on the same event; the turn ends after both.
    http.on('request', (_request, response) =>
      response.on('close', () => {
        turns.push('closed')
        queueMicrotask(() => turns.push('turn over'))
      }),
    )
    const { sent } = begin(url, {
      body: requestText('tools/call', { name: 'slow' }),
      headers: { 'mcp-method': 'tools/call', 'mcp-name': 'slow' },
    })
    await running
    sent.destroy()
    await aborted
    await new Promise((resolve) => setImmediate(resolve))
    expect(turns.at(-1)).toBe('turn over')
    expect([...turns].sort()).toEqual(['aborted', 'closed', 'turn over'])
  })

  it('H4 during its upload: the server never sees the request', async () => {
    await start()
    const { sent } = begin(url, { headers: { 'content-length': '50' } })
    const connected = once(http, 'request')
    sent.write('{"half":')
    const [request] = (await connected) as [IncomingMessage]
    sent.destroy()
    await new Promise((resolve) => request.on('close', resolve))
    expect(server.calls).toBe(0)
  })

  it('H4 a handler that starts late learns that its client is gone', async () => {
    await start()
    const { sent } = begin(url, { body: '{}' })
    const call = await server.next()
    sent.destroy()
    await call.cancelled
    let told: string | undefined
    call.exchange.onCancel?.((reason) => (told = reason))
    expect(told).toBe('The client went away')
  })

  it('H4 a call that may not be answered ends its connection', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.answer(undefined, 0)
    await expect(response).rejects.toThrow('socket hang up')
  })
})

describe('a client that reads slowly', () => {
  async function unread(options: HttpOptions<IncomingMessage> = {}) {
    await start({ heldLimit: 1000, ...options })
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(message('first'))
    const stream = await response
    call.exchange.notify?.(message('x'.repeat(8 * 1024 * 1024)))
    return { call, stream }
  }

  it('H6 progress is merged, log messages are dropped and counted, and the reply arrives', async () => {
    const { call, stream } = await unread()
    for (let step = 1; step <= 1000; step++) {
      call.exchange.notify?.(progress(step))
      call.exchange.notify?.(message('log'))
    }
    call.answer(REPLY)
    const read = new Events(stream)
    const got: unknown[] = []
    for (let event = await read.next(); event !== undefined; event = await read.next()) got.push(event)
    expect(got.length).toBeLessThan(20)
    expect(got.filter((event) => JSON.stringify(event).includes('progress'))).toMatchObject([
      { params: { progress: 1000 } },
    ])
    expect(got.at(-1)).toEqual(JSON.parse(REPLY))
    expect(events).toMatchObject([{ code: 'http-dropped', message: expect.stringContaining(' log messages were') }])
  })

  it('H6 an event that cannot be dropped ends the stream instead', async () => {
    const { call, stream } = await unread()
    stream.on('error', () => undefined)
    call.exchange.notify?.(encodeNotification('notifications/resources/updated', { uri: 'x:'.repeat(1000) }))
    expect(await call.cancelled).toBe('The client does not read what it is sent')
    stream.resume()
    await new Promise((resolve) => stream.on('close', resolve))
    expect(events).toMatchObject([{ code: 'http-slow-reader' }])
  })

  it('H6 one that stops reading altogether counts as gone', async () => {
    const { call } = await unread()
    clock.pass(15 * 4)
    expect(await call.cancelled).toBe('The client has stopped reading')
  })
})

describe('a server that fails', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('inner')
      },
    ],
    ['rejects', () => Promise.reject(new Error('inner'))],
  ])('H1 when it %s: 500, and the process goes on', async (_how, handle) => {
    await start({}, { handle: handle as never })
    const { status, text } = await send(url, { body: '{}' })
    expect([status, JSON.parse(text)]).toEqual([
      500,
      { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' } },
    ])
    expect(events).toMatchObject([{ code: 'http-failed' }])
    expect((await send(url, { body: '{}' })).status).toBe(500)
  })

  it('H1 with a stream open, the stream breaks off', async () => {
    await start()
    const { response } = begin(url, { body: '{}' })
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    const stream = new Events(await response)
    await stream.next()
    call.fail(new Error('inner'))
    await expect(stream.next()).rejects.toThrow('aborted')
  })
})

it('H5 no timer runs while no call waits', async () => {
  await start()
  const { response } = begin(url, { body: '{}' })
  const call = await server.next()
  expect(clock.running).toBe(1)
  call.answer(REPLY)
  await response
  clock.pass(1)
  expect(clock.running).toBe(0)
})
