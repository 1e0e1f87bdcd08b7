import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { Server } from 'rondo'
import { connect } from 'rondo/client'
import { HttpRefusal, nodeHandler } from 'rondo/node'
import { afterEach, describe, expect, it } from 'vitest'
import { send } from '../support/http.ts'
import { requestText } from '../support/rpc.ts'

const LIST = requestText('tools/list')
const HEADERS = { 'mcp-method': 'tools/list' }

let http: HttpServer | undefined
/** What Express's own error handler was given. */
const errors: unknown[] = []
/** Paths that were passed on to what stands after the handler. */
const passed: string[] = []

afterEach(async () => {
  errors.length = passed.length = 0
  http?.closeAllConnections()
  await new Promise<void>((resolve) => (http === undefined ? resolve() : http.close(() => resolve())))
  http = undefined
})

function greeter(): Server {
  const server = new Server({ name: 'greeter', version: '1.0.0' })
  server.tool('greet', { input: { type: 'object', properties: { name: { type: 'string' } } } }, async (args, ctx) => {
    const loud = await ctx.ask.confirm('loud', 'Loudly?')
    const text = `Hello, ${String(args['name'])}`
    return loud ? text.toUpperCase() : text
  })
  return server
}

async function start(mount: (app: Express) => void): Promise<string> {
  const app = express()
  mount(app)
  app.use(((request, response) => {
    passed.push(request.originalUrl)
    response.status(404).send('app')
  }) satisfies RequestHandler)
  const caught: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    errors.push(error)
    response.status(500).send('caught')
  }
  app.use(caught)
  http = createServer(app)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

async function greets(url: string): Promise<void> {
  await using client = await connect(url, { onElicit: () => ({ action: 'accept', content: { value: true } }) })
  const { content } = await client.callTool('greet', { name: 'Ada' })
  expect(content).toEqual([{ type: 'text', text: 'HELLO, ADA' }])
  expect({ errors, passed }).toEqual({ errors: [], passed: [] })
}

const MOUNTS: [string, string, (app: Express) => void][] = [
  ['app.use(path, handler)', '/mcp', (app) => app.use('/mcp', nodeHandler(greeter()))],
  ['app.post(path, handler)', '/mcp', (app) => app.post('/mcp', nodeHandler(greeter()))],
  ['app.all(path, handler)', '/mcp', (app) => app.all('/mcp', nodeHandler(greeter()))],
  ['app.use(handler) with a path of its own', '/mcp', (app) => app.use(nodeHandler(greeter(), { path: '/mcp' }))],
  [
    'a router in a router',
    '/api/v1/mcp',
    (app) => app.use('/api', express.Router().use('/v1', express.Router().use('/mcp', nodeHandler(greeter())))),
  ],
  ['express.json() before it', '/mcp', (app) => app.use(express.json()).use('/mcp', nodeHandler(greeter()))],
  ['express.json() behind it', '/mcp', (app) => app.use('/mcp', nodeHandler(greeter())).use(express.json())],
  ['express.text() before it', '/mcp', (app) => app.use(express.text({ type: '*/*' }), nodeHandler(greeter()))],
  ['express.raw() before it', '/mcp', (app) => app.use(express.raw({ type: '*/*' }), nodeHandler(greeter()))],
  ['express.urlencoded() before it', '/mcp', (app) => app.use(express.urlencoded(), nodeHandler(greeter()))],
]

describe('H1 under Express', () => {
  it('takes three arguments: four are an error handler there, which no request ever reaches', () => {
    expect(nodeHandler(greeter())).toHaveLength(3)
  })

  it.each(MOUNTS)('%s serves a call over its rounds', async (_what, path, mount) => {
    await greets((await start(mount)) + path)
  })

  it('passes on what is for another path, and nothing else', async () => {
    const url = await start((app) => app.use(nodeHandler(greeter(), { path: '/mcp' })))
    expect((await send(`${url}/other`, { method: 'GET' })).text).toBe('app')
    expect((await send(`${url}/mcp`, { method: 'PUT' })).status).toBe(405)
    expect((await send(`${url}/mcp`, { body: LIST, headers: HEADERS })).status).toBe(200)
    expect((await send(`${url}/mcp`, { body: '{', headers: HEADERS })).status).toBe(400)
    expect(passed).toEqual(['/other'])
    expect(errors).toEqual([])
  })

  it('answers itself when something of its own fails: no error is passed on', async () => {
    const principal = () => {
      throw new TypeError('broken')
    }
    const url = await start((app) => app.use('/mcp', nodeHandler(greeter(), { principal, log: () => undefined })))
    const { status, text } = await send(`${url}/mcp`, { body: LIST, headers: HEADERS })
    expect({ status, code: (JSON.parse(text) as { error: { code: number } }).error.code }).toEqual({
      status: 500,
      code: -32603,
    })
    expect({ errors, passed }).toEqual({ errors: [], passed: [] })
  })

  it('a caller who is refused is refused once', async () => {
    const url = await start((app) => app.use('/mcp', nodeHandler(greeter(), { principal: () => new HttpRefusal(403) })))
    expect((await send(`${url}/mcp`, { body: LIST, headers: HEADERS })).status).toBe(403)
    expect({ errors, passed }).toEqual({ errors: [], passed: [] })
  })

  it('an error of what stands before it stays for the error handlers behind it', async () => {
    const failing: RequestHandler = (_request, _response, next) => next(new Error('before'))
    const url = await start((app) => app.use('/mcp', failing, nodeHandler(greeter())))
    const { status, text } = await send(`${url}/mcp`, { body: LIST, headers: HEADERS })
    expect({ status, text, passed }).toEqual({ status: 500, text: 'caught', passed: [] })
    expect(errors).toEqual([new Error('before')])
  })

  it('middleware that reads the headers given to writeHead finds them whole, whatever form it knows', async () => {
    const wrapping: RequestHandler = (_request, response, next) => {
      const writeHead = response.writeHead.bind(response) as (status: number) => typeof response
      response.writeHead = ((status: number, headers?: readonly string[]) => {
        // As releases of on-headers before 1.1.0 do: pairs.
        for (const [name = '', value = ''] of headers ?? []) response.setHeader(name, value)
        return writeHead(status)
      }) as typeof response.writeHead
      next()
    }
    const url = await start((app) => app.use(wrapping).use('/mcp', nodeHandler(greeter())))
    const { headers, text } = await send(`${url}/mcp`, { body: LIST, headers: HEADERS })
    expect(headers['content-type']).toBe('application/json')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    expect(Object.keys(headers).filter((name) => name.length === 1)).toEqual([])
  })

  it('a body that express.json() cannot parse is its error, and never reaches the server', async () => {
    const url = await start((app) => app.use(express.json()).use('/mcp', nodeHandler(greeter())))
    expect((await send(`${url}/mcp`, { body: '{', headers: HEADERS })).text).toBe('caught')
    expect(errors).toHaveLength(1)
  })
})
