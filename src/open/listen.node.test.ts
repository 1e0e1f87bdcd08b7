import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Server } from '../entry/index.ts'
import { listen, type Listening, type ListenOptions } from '../entry/node.ts'
import { encodeNotification } from '../jsonrpc/encode.ts'
import { begin, Events, HeldServer, MODERN, openSocket, readToEnd, send } from '../../test/support/http.ts'

const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}'
const open: Listening[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close({ deadline: 0 })
})

async function start(server: HeldServer, options: ListenOptions = {}): Promise<Listening> {
  const listening = await listen(server, { port: 0, ...options })
  open.push(listening)
  return listening
}

describe('listening', () => {
  it('H1 gives the address clients use', async () => {
    const { url, port } = await start(new HeldServer(), { path: '/api/mcp' })
    expect(url).toBe(`http://127.0.0.1:${port}/api/mcp`)
    expect((await start(new HeldServer(), { host: '::1' })).url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/)
    expect((await start(new HeldServer(), { host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect((await start(new HeldServer(), { host: 'localhost' })).url).toMatch(/^http:\/\/localhost:\d+\/mcp$/)
  })

  it('H1 fails when the port is taken, or a path is none', async () => {
    const { port } = await start(new HeldServer())
    await expect(listen(new HeldServer(), { port })).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port}: another program.+option "port"`)) as unknown,
      data: { host: '127.0.0.1', port, code: 'EADDRINUSE' },
      cause: { code: 'EADDRINUSE' },
    })
    await expect(listen(new HeldServer(), { port: 0, host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: expect.stringContaining('option "host"') as unknown,
    })
    await expect(listen(new HeldServer(), { port: 0, path: 'mcp' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(listen(new HeldServer(), { port: 0, health: '' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('T7 keys that are none are refused before anything listens', async () => {
    const server = new Server({ name: 's', version: '1' }, { state: { keys: ['short'] } })
    const before = process.getActiveResourcesInfo()
    await expect(listen(server, { port: 0 })).rejects.toMatchObject({ code: 'STATE_KEYS_INVALID' })
    expect(process.getActiveResourcesInfo()).toEqual(before)
  })

  it('H1 an option that is none is refused', async () => {
    await expect(listen(new HeldServer(), { prot: 3 } as ListenOptions)).rejects.toThrow('prot')
  })

  it('H2 the health route can be moved and switched off', async () => {
    const moved = await start(new HeldServer(), { health: '/livez' })
    expect((await send(new URL('/livez', moved.url).href, { method: 'GET' })).status).toBe(200)
    const off = await start(new HeldServer(), { health: false })
    expect((await send(new URL('/health', off.url).href, { method: 'GET' })).status).toBe(404)
  })

  it('H2 the health route tells when the server has stopped', async () => {
    const server = new Server({ name: 'stopping', version: '1.0.0' }, { log: () => undefined })
    const listening = await listen(server, { port: 0 })
    open.push(listening)
    server.close()
    expect((await send(new URL('/health', listening.url).href, { method: 'GET' })).status).toBe(503)
  })

  it('T7 listening with a random state key says once what will break and how to mend it', async () => {
    const events: { code: string; message: string }[] = []
    const server = new Server({ name: 'keyless', version: '1.0.0' }, { log: (event) => events.push(event) })
    open.push(await listen(server, { port: 0 }), await listen(server, { port: 0 }))
    expect(events).toMatchObject([
      { code: 'state-keys-ephemeral', message: expect.stringContaining('RONDO_STATE_KEYS') },
    ])
  })
})

describe('closing', () => {
  it('H5 lets a running call finish, and takes no new ones', async () => {
    const server = new HeldServer()
    const listening = await start(server)
    const { response } = begin(listening.url, { body: '{}', headers: { connection: 'keep-alive' } })
    const call = await server.next()
    const closed = listening.close()
    await expect(begin(listening.url, { body: '{}' }).response).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    call.answer(REPLY)
    expect((await response).headers.connection).toBe('close')
    await closed
  })

  it('H5 a request on a connection that is still open is turned away', async () => {
    const server = new HeldServer()
    const listening = await start(server)
    const socket = await openSocket(listening.port)
    const head = Object.entries({ host: '127.0.0.1', ...MODERN, 'content-length': '2' }).map((pair) => pair.join(': '))
    const text = `POST /mcp HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{}`
    socket.write(text)
    const call = await server.next()
    const closed = listening.close()
    const taken = once(listening.server, 'request')
    socket.write(text)
    await taken
    call.answer(REPLY)
    const replies = await readToEnd(socket)
    expect([...replies.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)[0]).toBe('200')
    expect(server.calls).toBe(1)
    await closed
  })

  it('H5 cuts off at the deadline what still runs, and tells its handler', async () => {
    const server = new HeldServer()
    const listening = await start(server)
    const { response } = begin(listening.url, { body: '{}' })
    const call = await server.next()
    await listening.close({ deadline: 1 })
    expect(await call.cancelled).toBe('The server is closing')
    await expect(response).rejects.toThrow('socket hang up')
  })

  it('H5 lets a stream finish, and ends its connection', async () => {
    const server = new HeldServer()
    const listening = await start(server)
    const agent = new Agent({ keepAlive: true })
    const sent = request(listening.url, { method: 'POST', headers: MODERN, agent })
    sent.end('{}')
    const call = await server.next()
    call.exchange.notify?.(encodeNotification('notifications/progress', { progress: 1 }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const closed = listening.close()
    call.answer(REPLY)
    const events = new Events(response)
    expect([await events.next(), await events.next()]).toMatchObject([{ params: { progress: 1 } }, { id: 1 }])
    await closed
    agent.destroy()
  })

  it('H5 closes idle connections at once', async () => {
    const server = new HeldServer()
    const listening = await start(server)
    const socket = await openSocket(listening.port)
    const ended = readToEnd(socket)
    await listening.close()
    await ended
  })

  it('H5 a second close is the first one', async () => {
    const listening = await start(new HeldServer())
    const stops = vi.spyOn(listening.server, 'close')
    await Promise.all([listening.close(), listening.close(), listening[Symbol.asyncDispose]()])
    await listening.close()
    expect(stops).toHaveBeenCalledTimes(1)
  })
})
