import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from '../../entry/index.ts'
import { nodeHandler } from '../../entry/node.ts'
import { encodeNotification } from '../../jsonrpc/encode.ts'
import { begin, Events, send } from '../../../test/support/http.ts'
import { HttpHandler } from './handler.ts'
import { Caller, HttpReply, type HttpRequest } from './http-message.ts'

const seen: unknown[] = []
const echo = {
  handle(message: unknown): Reply {
    seen.push(message)
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message } }) }
  },
}
let http: HttpServer | undefined

afterEach(async () => {
  vi.unstubAllGlobals()
  http?.closeAllConnections()
  await new Promise<void>((resolve) => (http === undefined ? resolve() : http.close(() => resolve())))
  http = undefined
})

async function start(listener: RequestListener): Promise<string> {
  http = createServer(listener)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

function request(changed: Partial<HttpRequest> = {}, headers: Record<string, string> = {}): HttpRequest {
  const all: Record<string, string> = { 'content-type': 'application/json', host: 'localhost', ...headers }
  return {
    raw: undefined,
    method: 'POST',
    url: '/mcp',
    peer: undefined,
    loopback: true,
    secure: false,
    env: undefined,
    header: (name) => all[name],
    onClose: () => undefined,
    ...changed,
  }
}

const nobody = { later: () => expect.unreachable('the reply was there at once') }

describe('the pure handler', () => {
  it('H1 is a function from a request to a reply, without a promise where none is needed', () => {
    const handler = new HttpHandler(echo, { path: '/mcp' })
    const caller = handler.admit(request())
    expect(caller).toBeInstanceOf(Caller)
    const reply = handler.answer(request(), caller as Caller, 'hi', nobody)
    expect(reply).toBeInstanceOf(HttpReply)
    expect(reply).toMatchObject({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: '{"jsonrpc":"2.0","id":1,"result":{"message":"hi"}}',
    })
  })

  it('H1 gives its refusals as replies', () => {
    const handler = new HttpHandler(echo, { path: '/mcp' })
    expect(handler.admit(request({ method: 'GET' }))).toMatchObject({ status: 405 })
    expect(handler.admit(request({ url: '/other' }))).toMatchObject({ status: 404 })
    expect(handler.admit(request({}, { origin: 'https://evil.example' }))).toMatchObject({ status: 403 })
  })

  it.each([
    ['/mcp', 200],
    ['/mcp?x=1', 200],
    ['http://localhost/mcp', 200],
    ['http://localhost:80/mcp?y', 200],
    ['http://localhost', 404],
    ['http://host.example/mcp', 403],
    ['*', 404],
    ['//mcp', 404],
  ])('H1 takes the request target %s: %s', (url, status) => {
    const admitted = new HttpHandler(echo, { path: '/mcp' }).admit(request({ url }))
    expect(admitted instanceof Caller ? 200 : (admitted as HttpReply).status).toBe(status)
  })

  it('H1 hands the exchange what it knows of the request', () => {
    const exchanges: unknown[] = []
    const handle = (_message: unknown, exchange: unknown) => {
      exchanges.push(exchange)
      return { status: 202, body: undefined }
    }
    const env = { KEY: 'value' }
    const given = request({ env }, { 'x-a': 'b' })
    const caller = new Caller('ada', { scope: 'x' })
    new HttpHandler({ handle }, { perRequestHost: true }).answer(given, caller, '{}', nobody)
    expect(exchanges[0]).toMatchObject({
      principal: 'ada',
      auth: { scope: 'x' },
      env,
      perRequestHost: true,
      http: given,
    })
  })
})

describe('the node adapter', () => {
  it('H1 builds no Request, no Response and no web stream', async () => {
    class Forbidden {
      constructor() {
        throw new Error('built')
      }
    }
    for (const name of ['Request', 'Response', 'Headers', 'ReadableStream', 'URL']) vi.stubGlobal(name, Forbidden)
    const telling = {
      async handle(_message: unknown, exchange: { notify?(text: string): void }): Promise<Reply> {
        exchange.notify?.(encodeNotification('notifications/progress', { progress: 1 }))
        return { status: 200, body: '{"id":1}' }
      },
    }
    const url = await start((req, res) => nodeHandler(req.url === '/tell' ? telling : echo)(req, res))
    vi.unstubAllGlobals()
    for (const name of ['Request', 'Response', 'Headers', 'ReadableStream']) vi.stubGlobal(name, Forbidden)
    expect((await send(`${url}/echo`, { body: '"x"' })).status).toBe(200)
    const events = new Events(await begin(`${url}/tell`, { body: '"x"' }).response)
    expect(await events.next()).toMatchObject({ params: { progress: 1 } })
    expect(await events.next()).toEqual({ id: 1 })
  })

  it('H1 reads a body however it is cut', async () => {
    const url = await start(nodeHandler(echo))
    const body = Buffer.from('{"text":"Grüße, 世界 🌍"}')
    const { sent, response } = begin(url, { headers: { 'content-length': String(body.length) } })
    for (const byte of body) {
      sent.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const reply = await response
    await reply.resume().toArray()
    expect(seen.at(-1)).toBe('{"text":"Grüße, 世界 🌍"}')
  })

  it('H1 counts content-length in bytes', async () => {
    const url = await start(nodeHandler(echo))
    const { text, headers } = await send(url, { body: '世界' })
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    expect(text).toContain('世界')
  })
})

describe('beside an existing application', () => {
  it('H1 under a path: other requests are passed on', async () => {
    const mcp = nodeHandler(echo, { path: '/api/mcp' })
    const url = await start((req, res) => mcp(req, res, () => res.end(`app ${req.url}`)))
    expect((await send(`${url}/index.html`, { method: 'GET' })).text).toBe('app /index.html')
    expect((await send(`${url}/api/mcp?x`, { body: '"hi"' })).text).toContain('"message":"\\"hi\\""')
    expect((await send(`${url}/api/mcp`, { method: 'GET' })).status).toBe(405)
  })

  it('H1 without a path, whatever is routed here is for it', async () => {
    const url = await start(nodeHandler(echo))
    expect((await send(`${url}/any/where`, { body: '1' })).status).toBe(200)
  })

  it('H1 a body the framework has parsed is taken as it is', async () => {
    const mcp = nodeHandler(echo)
    const url = await start(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      ;(req as IncomingMessage & { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString())
      mcp(req, res)
    })
    expect((await send(url, { body: '{"parsed":true}' })).status).toBe(200)
    expect(seen.at(-1)).toEqual({ parsed: true })
  })

  it('H1 a body that is handed over beside the request is taken', async () => {
    const mcp = nodeHandler(echo)
    const url = await start(async (req, res) => {
      await req.resume().toArray()
      mcp(req, res, undefined, { handed: true })
    })
    await send(url, { body: '{}' })
    expect(seen.at(-1)).toEqual({ handed: true })
  })

  it.each([
    ['bytes', (text: Buffer) => text],
    ['text', (text: Buffer) => text.toString()],
  ])('H1 a body the framework has read as %s is parsed by the server', async (_what, convert) => {
    const mcp = nodeHandler(echo)
    const url = await start(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      ;(req as IncomingMessage & { body?: unknown }).body = convert(Buffer.concat(chunks))
      mcp(req, res)
    })
    await send(url, { body: '{"raw":"ü"}' })
    expect(seen.at(-1)).toBe('{"raw":"ü"}')
  })

  it('H1 an empty body that a parser left behind does not hide the real one', async () => {
    const mcp = nodeHandler(echo)
    const url = await start((req, res) => {
      ;(req as IncomingMessage & { body?: unknown }).body = {}
      mcp(req, res)
    })
    await send(url, { body: '{"real":1}' })
    expect(seen.at(-1)).toBe('{"real":1}')
  })

  it('H1 a body that somebody read and kept is an empty message, not a wait for ever', async () => {
    const mcp = nodeHandler(echo)
    const url = await start(async (req, res) => {
      await req.resume().toArray()
      mcp(req, res)
    })
    await send(url, { body: '{}' })
    expect(seen.at(-1)).toBe('')
  })

  it('H1 headers that the application has set stay', async () => {
    const mcp = nodeHandler(echo)
    const url = await start((req, res) => {
      res.setHeader('x-powered-by', 'app')
      mcp(req, res)
    })
    expect((await send(url, { body: '1' })).headers).toMatchObject({
      'x-powered-by': 'app',
      'content-type': 'application/json',
    })
  })

  it('H1 a response that the application has sent already is left alone', async () => {
    const mcp = nodeHandler(echo)
    const url = await start((req, res) => {
      res.end('mine')
      mcp(req, res)
    })
    expect((await send(url, { body: '1' })).text).toBe('mine')
  })
})
