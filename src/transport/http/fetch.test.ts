import { describe, expect, it } from 'vitest'
import { Server } from '../../entry/index.ts'
import { fetchHandler, HttpRefusal } from '../../entry/fetch.ts'
import { listen } from '../../entry/node.ts'
import { encodeNotification } from '../../jsonrpc/encode.ts'
import { Events, HandClock, HeldServer, MODERN, send } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'

const REPLY = '{"jsonrpc":"2.0","id":1,"result":{}}'
const URL_ = 'https://mcp.example/mcp'
const post = (
  body: BodyInit,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; duplex?: 'half' } = {},
) => new Request(URL_, { method: 'POST', body, ...init, headers: { ...MODERN, ...init.headers } })
const progress = (progress: number) => encodeNotification('notifications/progress', { progressToken: 1, progress })

function makeServer(): Server {
  const server = new Server({ name: 'fetched', version: '1.0.0' }, { state: { keys: 'ephemeral' } })
  server.tool('echo', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${text}`)
  server.tool('ask', {}, async (_input, ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
  return server
}

describe('the fetch adapter', () => {
  it('H1 answers a Request with a Response', async () => {
    const body = requestText('tools/call', { name: 'echo', arguments: { text: 'hi' } }, { id: 3 })
    const response = await fetchHandler(makeServer())(
      post(body, { headers: { 'mcp-method': 'tools/call', 'mcp-name': 'echo' } }),
    )
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toMatchObject({ id: 3, result: { content: [{ text: 'hi' }] } })
  })

  const streamed = (source: UnderlyingDefaultSource) =>
    post(new ReadableStream(source) as unknown as BodyInit, { duplex: 'half' })
  const bodies: [string, number, () => Request | Promise<Request>][] = [
    [
      'that was read',
      400,
      async () => {
        const request = post('{}')
        await request.text()
        return request
      },
    ],
    [
      'that somebody is reading',
      400,
      () => {
        const request = post('{}')
        request.body?.getReader()
        return request
      },
    ],
    [
      'that was read in part',
      400,
      async () => {
        const request = post('{}')
        const reader = request.body?.getReader()
        await reader?.read()
        reader?.releaseLock()
        return request
      },
    ],
    [
      'that was given up',
      400,
      async () => {
        const request = post('{}')
        await request.body?.cancel()
        return request
      },
    ],
    ['that breaks off', 499, () => streamed({ pull: (controller) => controller.error(new Error('reset')) })],
    ['whose source throws', 499, () => streamed({ pull: () => Promise.reject(new Error('reset')) })],
    ['that is no bytes', 499, () => streamed({ pull: (controller) => controller.enqueue('{}') })],
    [
      'that is too long, and cannot be given up',
      413,
      () =>
        streamed({
          pull: (controller) => controller.enqueue(new Uint8Array(200)),
          cancel: () => Promise.reject(new Error('stuck')),
        }),
    ],
    [
      'that is too long, and whose source does not let go',
      413,
      () =>
        streamed({
          pull: (controller) => controller.enqueue(new Uint8Array(200)),
          cancel: () => new Promise(() => undefined),
        }),
    ],
    ['that is none', 400, () => new Request(URL_, { method: 'POST', headers: MODERN })],
  ]

  it.each(bodies)('H2 a body %s is answered with %i, and nothing is thrown', async (what, status, make) => {
    const log: string[] = []
    const handler = fetchHandler(makeServer(), { maxBodyBytes: 300, log: ({ code }) => void log.push(code) })
    expect((await handler(await make())).status).toBe(status)
    const taken = what.startsWith('that was') || what.includes('reading')
    expect(log).toEqual(taken ? ['http-body-taken'] : [])
  })

  it('H1 a request that was cloned before is served', async () => {
    const body = requestText('tools/list', {}, { id: 3 })
    const request = post(body, { headers: { 'mcp-method': 'tools/list' } })
    expect(await request.clone().text()).toBe(body)
    expect((await fetchHandler(makeServer())(request)).status).toBe(200)
  })

  it('H1 is the same function as over node', async () => {
    const server = makeServer()
    const options = { path: '/mcp', health: '/health', maxBodyBytes: 300, hosts: ['127.0.0.1', 'mcp.example'] }
    const handler = fetchHandler(server, options)
    const listening = await listen(server, { port: 0, ...options })
    const call = requestText('tools/call', { name: 'echo', arguments: {} }, { id: 1, capabilities: {} })
    const named = { 'mcp-method': 'tools/call', 'mcp-name': 'echo' }
    const cases: [string, string, Record<string, string>, (string | Buffer)?][] = [
      ['POST', '/mcp', named, call],
      ['POST', '/mcp', {}, call],
      ['POST', '/mcp?x=y', named, call],
      ['POST', '/other', named, call],
      ['POST', '/mcp', { 'content-type': 'text/plain' }, call],
      ['POST', '/mcp', { accept: 'text/html' }, call],
      ['POST', '/mcp', { accept: 'text/event-stream', ...named }, call],
      ['POST', '/mcp', { origin: 'https://evil.example' }, call],
      ['POST', '/mcp', {}, 'x'.repeat(301)],
      ['POST', '/mcp', {}, Buffer.from([0xff, 0xfe])],
      ['POST', '/mcp', {}, ''],
      ['POST', '/mcp', {}, '{"jsonrpc":"2.0","method":"notifications/x"}'],
      ['GET', '/mcp', {}],
      ['DELETE', '/mcp', {}],
      ['OPTIONS', '/mcp', {}],
      ['GET', '/health', {}],
    ]
    for (const [method, path, headers, body] of cases) {
      const node = await send(new URL(path, listening.url).href, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      const all = method === 'POST' ? { ...MODERN, ...headers } : headers
      const web = await handler(
        new Request(new URL(path, URL_), {
          method,
          headers: all,
          body: typeof body === 'string' ? body : body === undefined ? null : new Uint8Array(body),
        }),
      )
      const kept = ['content-type', 'allow', 'www-authenticate', 'cache-control', 'x-accel-buffering', 'accept']
      expect({
        case: `${method} ${path}`,
        status: web.status,
        text: await web.text(),
        headers: kept.map((name) => web.headers.get(name) ?? undefined),
      }).toEqual({
        case: `${method} ${path}`,
        status: node.status,
        text: node.text,
        headers: kept.map((name) => node.headers[name]),
      })
    }
    await listening.close()
  })

  it('H1 asks who is calling, with the Request', async () => {
    const seen: unknown[] = []
    const handler = fetchHandler(makeServer(), {
      principal: (request) => {
        seen.push(request.raw instanceof Request, request.url, request.header('X-Key'.toLowerCase()))
        return new HttpRefusal(403)
      },
    })
    expect((await handler(post('{}', { headers: { 'x-key': 'k' } }))).status).toBe(403)
    expect(seen).toEqual([true, '/mcp', 'k'])
  })

  it('H1 hands the environment to the server', async () => {
    const server = new HeldServer()
    const env = { KEYS: 'secret' }
    const reply = fetchHandler(server)(post('{}'), env)
    const call = await server.next()
    expect(call.exchange.env).toBe(env)
    expect(call.exchange.perRequestHost).toBe(false)
    call.answer(REPLY)
    expect((await reply).status).toBe(200)
  })

  it('H1 knows a host whose processes come and go', async () => {
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'f'
    try {
      const server = new HeldServer()
      const reply = fetchHandler(server)(post('{}'))
      const call = await server.next()
      expect(call.exchange.perRequestHost).toBe(true)
      call.answer(REPLY)
      await reply
    } finally {
      delete process.env['AWS_LAMBDA_FUNCTION_NAME']
    }
  })

  it('H6 streams, with comments', async () => {
    const server = new HeldServer()
    const clock = new HandClock()
    const reply = fetchHandler(server, { clock })(post('{}'))
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    const response = await reply
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const events = new Events(response.body as unknown as AsyncIterable<Uint8Array>)
    expect(await events.next()).toMatchObject({ params: { progress: 1 } })
    clock.pass(15)
    expect(await events.next()).toBe(':')
    call.answer(REPLY)
    expect(await events.next()).toMatchObject({ id: 1 })
    expect(await events.next()).toBeUndefined()
    clock.pass(1)
    expect(clock.running).toBe(0)
  })

  it('H6 where timers belong to requests, each call has its own and it ends with the call', async () => {
    const server = new HeldServer()
    const clock = new HandClock()
    const handler = fetchHandler(server, { clock, perRequestHost: true })
    const replies = [handler(post('1')), handler(post('2'))]
    const calls = [await server.next(), await server.next()]
    expect(clock.running).toBe(2)
    calls[0]?.answer(REPLY)
    await replies[0]
    expect(clock.running).toBe(1)
    calls[1]?.answer(REPLY)
    await replies[1]
    expect(clock.running).toBe(0)
  })

  it('H4 an aborted request is cancelled in the same turn', async () => {
    const server = new HeldServer()
    const abort = new AbortController()
    const reply = fetchHandler(server)(post('{}', { signal: abort.signal }))
    const call = await server.next()
    let told: string | undefined
    call.exchange.onCancel?.((reason) => (told = reason))
    abort.abort()
    expect(told).toBe('The client went away')
    expect((await reply).status).toBe(499)
  })

  it('H4 a request that was aborted while its caller was identified is cancelled at once', async () => {
    const server = new HeldServer()
    const abort = new AbortController()
    const principal = () => {
      abort.abort()
      return 'ada'
    }
    const reply = fetchHandler(server, { principal })(post('{}', { signal: abort.signal }))
    expect(await (await server.next()).cancelled).toBe('The client went away')
    expect((await reply).status).toBe(499)
  })

  it('H4 a reader that gives up the stream cancels the request', async () => {
    const server = new HeldServer()
    const reply = fetchHandler(server)(post('{}'))
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    await (await reply).body?.cancel()
    expect(await call.cancelled).toBe('The client went away')
    call.exchange.notify?.(progress(2))
    call.answer(REPLY)
    await call.reply
  })

  it('H6 a reader that is slow is not sent more than fits', async () => {
    const server = new HeldServer()
    const handler = fetchHandler(server, { heldLimit: 10_000 })
    const reply = handler(post('{}'))
    const call = await server.next()
    const log = encodeNotification('notifications/message', { level: 'info', data: 'x'.repeat(1000) })
    call.exchange.notify?.(log)
    const response = await reply
    for (let count = 0; count < 10_000; count++) call.exchange.notify?.(log)
    call.answer(REPLY)
    const text = await response.text()
    expect(text.length).toBeLessThan(100_000)
    expect(text.endsWith(`data: ${REPLY}\n\n`)).toBe(true)
  })

  it('H3 a body over the limit is not read to its end', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1024))
      },
    })
    const handler = fetchHandler(makeServer(), { maxBodyBytes: 10_000 })
    const response = await handler(post(endless, { duplex: 'half' }))
    expect(response.status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })

  it('H4 an upload that breaks off is answered to nobody, and harms nobody', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('gone'))
      },
    })
    const server = new HeldServer()
    const response = await fetchHandler(server)(post(broken, { duplex: 'half' }))
    expect([response.status, server.calls]).toEqual([499, 0])
  })

  it('H1 two rounds of a call that asks', async () => {
    const handler = fetchHandler(makeServer(), { perRequestHost: true })
    const ask = async (more: object = {}) => {
      const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'ask' }
      const response = await handler(post(requestText('tools/call', { name: 'ask', ...more }), { headers }))
      return ((await response.json()) as { result: Asked }).result
    }
    const { inputRequests, requestState } = await ask()
    const [[key, { params }]] = Object.entries(inputRequests) as [[string, Asked['inputRequests'][string]]]
    const [field = ''] = Object.keys(params.requestedSchema.properties)
    const inputResponses = { [key]: { action: 'accept', content: { [field]: true } } }
    expect(await ask({ inputResponses, requestState })).toMatchObject({ content: [{ text: 'gone' }] })
  })
})

interface Asked {
  readonly requestState: string
  readonly inputRequests: Record<string, { params: { requestedSchema: { properties: object } } }>
}
