import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ClientLog, connect, type ConnectOptions } from 'rondo/client'
import {
  answer,
  asking,
  DISCOVERED,
  form,
  type HttpScript,
  httpServer,
  type HttpServer,
  isError,
  json,
  type Scripted,
  type Seen,
  text,
} from './scripted-server.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A server that answers `server/discover`, and everything else as scripted. */
async function serve(script: HttpScript): Promise<HttpServer> {
  const server = await httpServer((request, response, raw) =>
    request.method === 'server/discover' ? answer(request, response, DISCOVERED) : script(request, response, raw),
  )
  open.push(server)
  return server
}

const answering = (script: (request: Seen) => Scripted, status = 200): Promise<HttpServer> =>
  serve((request, response) => {
    const scriptedAnswer = script(request)
    answer(request, response, scriptedAnswer, isError(scriptedAnswer) ? status : 200)
  })

async function client(server: HttpServer, options?: ConnectOptions): ReturnType<typeof connect> {
  const connected = await connect(server.url, options)
  open.push(connected)
  return connected
}

const calls = (server: HttpServer): Seen[] => server.seen.filter(({ method }) => method !== 'server/discover')

const tool = (name: string, properties: object): object => ({ name, inputSchema: { type: 'object', properties } })

describe('requests', () => {
  test('spec basic/transports/streamable-http: every request is a POST with both media types and the metadata headers', async () => {
    const server = await answering(({ method }) => (method === 'tools/list' ? { tools: [] } : text('ok')))
    const connected = await client(server)
    await connected.listTools()
    await connected.callTool('echo', { x: 1 })
    for (const { headers, method, params } of server.seen) {
      expect(headers).toMatchObject({
        accept: expect.stringMatching(/application\/json.*text\/event-stream/) as unknown,
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      })
      expect(params._meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': headers['mcp-protocol-version'],
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'rondo' },
      })
    }
  })

  test.each([
    ['echo', 'echo'],
    ['naïve', '=?base64?bmHDr3Zl?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ])('spec basic/transports/streamable-http: Mcp-Name carries %j', async (name, header) => {
    const server = await answering(() => text('ok'))
    await (await client(server)).callTool(name)
    expect(calls(server)[0]?.headers['mcp-name']).toBe(header)
  })

  test('spec basic/transports/streamable-http: Mcp-Name is the prompt’s name or the resource’s URI, and absent elsewhere', async () => {
    const server = await answering(() => ({ messages: [], contents: [], tools: [] }))
    const connected = await client(server)
    await connected.getPrompt('greet')
    await connected.readResource('file:///path/to/file%20name.txt')
    await connected.listTools()
    expect(calls(server).map(({ headers }) => headers['mcp-name'])).toEqual([
      'greet',
      'file:///path/to/file%20name.txt',
      undefined,
    ])
  })

  test('spec basic/transports/streamable-http: the retry of a round carries the same headers', async () => {
    const server = await answering(({ params }) => (params['inputResponses'] ? text('ok') : asking({ a: form() }, 's')))
    await (await client(server, { onElicit: () => ({ action: 'cancel' }) })).callTool('echo')
    const [first, second] = calls(server)
    const { 'content-length': _one, ...before } = first?.headers ?? {}
    const { 'content-length': _two, ...after } = second?.headers ?? {}
    expect(after).toEqual(before)
  })

  test('headers of the host are sent, those of the protocol cannot be overwritten', async () => {
    let token = 0
    const server = await answering(() => text('ok'))
    const connected = await client(server, {
      headers: () => ({ Authorization: `Bearer ${++token}`, 'MCP-Method': 'x' }),
    })
    await connected.callTool('echo', {}, { headers: { 'X-Trace': 'abc' } })
    await connected.callTool('echo')
    expect(
      calls(server).map(({ headers }) => [headers['authorization'], headers['x-trace'], headers['mcp-method']]),
    ).toEqual([
      ['Bearer 2', 'abc', 'tools/call'],
      ['Bearer 3', undefined, 'tools/call'],
    ])
  })

  test('a header that HTTP cannot carry is refused before anything is sent', async () => {
    const server = await answering(() => text('ok'))
    const connected = await client(server)
    await expect(connected.callTool('x', {}, { headers: { 'x-bad': 'a\r\nb: c' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    expect(calls(server)).toHaveLength(0)
  })

  test('spec basic/index: _meta of the caller is sent, keys that are not valid or not its own are refused', async () => {
    const server = await answering(() => text('ok'))
    const connected = await client(server)
    await connected.callTool('t', {}, { meta: { 'com.example/x': [1], traceparent: '00-1' } })
    expect(calls(server)[0]?.params._meta).toMatchObject({ 'com.example/x': [1], traceparent: '00-1' })
    for (const key of ['-x', '1.bad/x', 'progressToken', 'io.modelcontextprotocol/protocolVersion']) {
      await expect(connected.callTool('t', {}, { meta: { [key]: 1 } })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      })
    }
  })

  test('S0.7 a state of 200 KiB is echoed over HTTP', async () => {
    const state = 'é'.repeat(100 * 1024)
    const server = await answering(({ params }) => (params['requestState'] === state ? text('ok') : asking({}, state)))
    const result = await (await client(server)).callTool('t')
    expect(result.content).toHaveLength(1)
  })
})

describe('mirrored parameters', () => {
  const properties = {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    deep: { type: 'object', properties: { er: { type: 'string', 'x-mcp-header': 'Deeper' } } },
    free: { type: 'string' },
  }
  const sent = ({ headers }: Seen): Record<string, unknown> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')))

  test('spec basic/transports/streamable-http: parameters of a listed tool are mirrored', async () => {
    const server = await answering(({ method }) =>
      method === 'tools/list' ? { tools: [tool('t', properties)] } : text('ok'),
    )
    const connected = await client(server)
    await connected.listTools()
    await connected.callTool('t', { region: 'zürich\n', count: -7, dry: false, deep: { er: '' }, free: 'x' })
    await connected.callTool('t', { region: null, deep: {} })
    const [, full, bare] = calls(server)
    expect(sent(full as Seen)).toEqual({
      'mcp-param-region': '=?base64?esO8cmljaAo=?=',
      'mcp-param-count': '-7',
      'mcp-param-dry': 'false',
      'mcp-param-deeper': '',
    })
    expect(sent(bare as Seen)).toEqual({})
  })

  test('C1 headers of a retry say what its body says, whatever became of the arguments', async () => {
    const server = await answering(({ method, params }) => {
      if (method === 'tools/list') return { tools: [tool('t', properties)] }
      return params['inputResponses'] ? text('ok') : asking({ a: form() }, 's')
    })
    const args = { region: 'eu' }
    const connected = await client(server, {
      onElicit: () => {
        args.region = 'us'
        return { action: 'cancel' }
      },
    })
    await connected.listTools()
    await connected.callTool('t', args)
    expect(calls(server)[2]).toMatchObject({
      params: { arguments: { region: 'eu' } },
      headers: { 'mcp-param-region': 'eu' },
    })
  })

  /** Refuses calls without the region header, as a server must. */
  const strict = (tools: () => object[]): Promise<HttpServer> =>
    answering(({ method, headers, params }) => {
      if (method === 'tools/list') {
        return params['cursor'] === 'p2' ? { tools: tools() } : { tools: [tool('other', {})], nextCursor: 'p2' }
      }
      return headers['mcp-param-region'] === 'eu' ? text('ok') : { error: { code: -32020, message: 'Header mismatch' } }
    }, 400)

  test('spec basic/transports/streamable-http: a refused header lists the tools and sends the call once more', async () => {
    const server = await strict(() => [tool('t', properties)])
    const connected = await client(server)
    await connected.callTool('t', { region: 'eu' })
    expect(calls(server).map(({ method }) => method)).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call'])
    await connected.callTool('t', { region: 'eu' })
    expect(calls(server)).toHaveLength(5)
  })

  test('spec basic/transports/streamable-http: a second refusal is the caller’s', async () => {
    const server = await strict(() => [tool('t', {})])
    await expect((await client(server)).callTool('t', { region: 'eu' })).rejects.toMatchObject({ wire: -32020 })
    expect(calls(server).filter(({ method }) => method === 'tools/call')).toHaveLength(2)
  })

  test('spec server/tools: a tool with an invalid x-mcp-header is left out of the list, with a warning', async () => {
    const log: ClientLog[] = []
    const server = await answering(() => ({
      tools: [tool('good', properties), tool('bad', { x: { type: 'number', 'x-mcp-header': 'X' } }), tool('fine', {})],
    }))
    const connected = await client(server, { log: (entry) => log.push(entry) })
    expect((await connected.tools().all()).map(({ name }) => name)).toEqual(['good', 'fine'])
    expect(log).toMatchObject([{ level: 'warn', code: 'TOOL_EXCLUDED', data: { name: 'bad' } }])
    await expect(connected.callTool('bad', { x: 1 })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })
})

describe('versions and eras', () => {
  const refusal = (supported: string[]): Scripted => ({
    error: { code: -32022, message: 'Unsupported protocol version', data: { supported, requested: '2026-07-28' } },
  })

  test('C10 a refused version is sent once more with the best common one, even the one just sent', async () => {
    let first = true
    const server = await httpServer((request, response) => {
      const refused = first
      first = false
      answer(request, response, refused ? refusal(['2099-01-01', '2026-07-28']) : DISCOVERED, 400)
    })
    open.push(server)
    const connected = await client(server)
    expect(connected.version).toBe('2026-07-28')
    expect(server.seen).toHaveLength(2)
    expect(server.seen[1]?.id).not.toBe(server.seen[0]?.id)
  })

  test('C10 once: a second refusal is an error', async () => {
    const server = await answering(() => refusal(['2026-07-28']), 400)
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ wire: -32022 })
    expect(calls(server)).toHaveLength(2)
  })

  test('C10 no common version is an error that says both sides', async () => {
    const server = await answering(() => refusal(['2025-11-25', '2099-01-01']), 400)
    const call = (await client(server)).callTool('t')
    await expect(call).rejects.toMatchObject({ code: 'ERA_UNSUPPORTED' })
    await expect(call).rejects.toThrow(/2025-11-25, 2099-01-01.*2026-07-28/)
    expect(calls(server)).toHaveLength(1)
  })

  const connecting = async (script: HttpScript): Promise<unknown> => {
    const server = await httpServer(script)
    open.push(server)
    return connect(server.url)
  }

  test.each<[string, number, unknown]>([
    ['an empty 400', 400, undefined],
    [
      'a 400 of a session server',
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } },
    ],
    ['a 400 of another', 400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Missing session ID' } }],
  ])('C10 %s is a legacy server, and the error says what was tried', async (_, status, body) => {
    const attempt = connecting((_request, response) =>
      body ? json(response, status, body) : void response.writeHead(status).end(),
    )
    await expect(attempt).rejects.toMatchObject({
      code: 'ERA_UNSUPPORTED',
      data: { tried: 'server/discover at 2026-07-28', status },
    })
    await expect(attempt).rejects.toThrow(/older revision/)
  })

  test('spec basic/versioning: a modern error on the first request is not taken for a legacy server', async () => {
    const server = await answering(
      () => ({ error: { code: -32021, message: 'Missing', data: { requiredCapabilities: { roots: {} } } } }),
      400,
    )
    const connected = await client(server, { lazy: true })
    await expect(connected.callTool('t')).rejects.toMatchObject({
      wire: -32021,
      data: { requiredCapabilities: { roots: {} } },
    })
  })

  test('spec server/discover: a modern server that does not answer it is taken as it is', async () => {
    const server = await httpServer((request, response) =>
      request.method === 'server/discover'
        ? answer(request, response, { error: { code: -32601, message: 'Method not found' } }, 404)
        : answer(request, response, text('ok')),
    )
    open.push(server)
    const connected = await client(server)
    expect(connected.server).toBeUndefined()
    expect((await connected.callTool('t')).content).toHaveLength(1)
  })

  test('connecting tells what the server is', async () => {
    const connected = await client(await answering(() => text('ok')))
    expect(connected.server).toEqual({ name: 'scripted', version: '1.2.3', title: 'Scripted' })
    expect(connected.capabilities).toEqual({ tools: {} })
    expect(connected.instructions).toBe('Ask nicely')
  })

  test('C10 a server that answers and supports none of our revisions is told apart', async () => {
    const attempt = connecting((request, response) =>
      answer(request, response, { supportedVersions: ['2031-01-01'], capabilities: {} }),
    )
    await expect(attempt).rejects.toMatchObject({ code: 'ERA_UNSUPPORTED', data: { said: '2031-01-01' } })
  })

  test('lazily nothing is sent', async () => {
    const server = await answering(() => text('ok'))
    await client(server, { lazy: true })
    expect(server.seen).toHaveLength(0)
  })

  test('a wrong path says so', async () => {
    const attempt = connecting(
      (_request, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'),
    )
    await expect(attempt).rejects.toMatchObject({ code: 'HTTP_STATUS', data: { status: 404, body: '<p>' } })
    await expect(attempt).rejects.toThrow(/not an MCP endpoint answered \(HTTP 404\)\. Is the URL right\?$/)
  })

  test('a redirect is not followed, and says where to', async () => {
    const attempt = connecting((_request, response) => void response.writeHead(308, { location: '/mcp/' }).end())
    await expect(attempt).rejects.toMatchObject({ code: 'HTTP_STATUS', data: { status: 308, location: '/mcp/' } })
  })

  test('a page instead of a server says so', async () => {
    const attempt = connecting(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    )
    await expect(attempt).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('nobody there is a typed error that may be tried again', async () => {
    const server = await httpServer(() => undefined)
    await server.close()
    await expect(connect(server.url)).rejects.toMatchObject({ code: 'TRANSPORT_FAILED', retryable: true })
  })

  test.each(['', 'ftp://example.com/', 'not a url', 7, {}, null])('%j cannot be connected to', async (target) => {
    await expect(connect(target as string)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('credentials in the URL are sent and not shown', async () => {
    const server = await answering(() => text('ok'))
    const connected = await connect(server.url.replace('http://', 'http://ada:p%40ss@') + '?key=secret')
    open.push(connected)
    expect(server.seen[0]?.headers['authorization']).toBe(`Basic ${btoa('ada:p@ss')}`)
    expect(connected.address).toBe(server.url)
  })
})

describe('replies', () => {
  const stream = (...events: unknown[]): HttpScript => {
    return ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      for (const event of events) {
        const data = typeof event === 'function' ? (event as (id: unknown) => unknown)(id) : event
        response.write(typeof data === 'string' ? data : `data: ${JSON.stringify(data)}\n\n`)
      }
      response.end()
    }
  }
  const done = (id: unknown): unknown => ({ jsonrpc: '2.0', id, result: text('ok') })
  const progress = (value: unknown, token?: unknown) => (id: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token ?? id, progress: value, total: 3, message: 'm' },
  })

  test('spec basic/transports/streamable-http: a stream with notifications and the response is understood', async () => {
    const server = await serve(
      stream(
        ': hello\r\n\r\n',
        progress(1),
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'l', data: { é: 1 } } },
        progress(2),
        done,
      ),
    )
    const seen: unknown[] = []
    const result = await (
      await client(server)
    ).callTool(
      't',
      {},
      {
        onProgress: (update) => seen.push(update),
        onLog: (message) => seen.push(message),
      },
    )
    expect(result.content).toEqual([{ type: 'text', text: 'ok' }])
    expect(seen).toEqual([
      { progress: 1, total: 3, message: 'm' },
      { level: 'info', logger: 'l', data: { é: 1 } },
      { progress: 2, total: 3, message: 'm' },
    ])
    const { _meta } = calls(server)[0]?.params ?? {}
    expect(_meta).toMatchObject({ progressToken: calls(server)[0]?.id, 'io.modelcontextprotocol/logLevel': 'info' })
  })

  test('spec basic/patterns/progress: progress of another token is passed over', async () => {
    const server = await serve(stream(progress(1, 'someone else’s'), progress('x'), progress(2), done))
    const seen: number[] = []
    await (await client(server)).callTool('t', {}, { onProgress: (update) => seen.push(update.progress) })
    expect(seen).toEqual([2])
  })

  test('what a listener of the caller throws ends the request', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(progress(1)(request.id))}\n\n`)
    })
    const bug = new Error('a bug of the caller')
    const call = (await client(server)).callTool(
      't',
      {},
      {
        onProgress: () => {
          throw bug
        },
      },
    )
    await expect(call).rejects.toBe(bug)
  })

  test('spec basic/patterns/progress: tokens are unique across requests', async () => {
    const server = await answering(() => text('ok'))
    const connected = await client(server)
    await Promise.all([1, 2, 3].map(() => connected.callTool('t', {}, { onProgress: () => undefined })))
    const tokens = calls(server).map(({ params }) => params._meta['progressToken'])
    expect(new Set(tokens).size).toBe(3)
  })

  test('spec server/utilities/logging: a level is asked for only when it is wanted', async () => {
    const server = await answering(() => text('ok'))
    const connected = await client(server)
    await connected.callTool('t')
    await connected.callTool('t', {}, { logLevel: 'debug', onLog: () => undefined })
    expect(calls(server).map(({ params }) => params._meta['io.modelcontextprotocol/logLevel'])).toEqual([
      undefined,
      'debug',
    ])
  })

  test('spec basic/transports/streamable-http: a stream that breaks before its response loses the request, which is not sent again', async () => {
    const server = await serve(stream(progress(1)))
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' })
    expect(calls(server)).toHaveLength(1)
  })

  test('spec basic/transports/streamable-http: the same when the connection drops', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': \n\n', () => response.destroy())
    })
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' })
    expect(calls(server)).toHaveLength(1)
  })

  test('S1.1 a request of the server’s own on a stream is refused', async () => {
    const server = await serve(stream({ jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: {} }, done))
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test.each<[string, string, string]>([
    ['text that is not JSON', 'application/json', '{'],
    ['an answer to another request', 'application/json', '{"jsonrpc":"2.0","id":"x","result":{}}'],
    ['a batch', 'application/json', '[]'],
    ['a result that is no object', 'application/json', '{"jsonrpc":"2.0","id":1,"result":[]}'],
    ['no type', '', '{}'],
  ])('%s is an invalid response', async (_, type, body) => {
    const server = await serve(
      (_request, response) => void response.writeHead(200, type ? { 'content-type': type } : {}).end(body),
    )
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('an error without an id is the answer to the request it came with', async () => {
    const server = await serve((_request, response) =>
      json(response, 400, { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }),
    )
    await expect((await client(server)).callTool('t')).rejects.toMatchObject({ wire: -32700, status: 400 })
  })

  test('split characters and split events are put together', async () => {
    const server = await serve(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = Buffer.from(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('zürich 😀') })}\n\n`,
      )
      let at = 0
      const step = (): void => {
        if (at >= bytes.length) response.end()
        else response.write(bytes.subarray(at, (at += 3)), () => setImmediate(step))
      }
      step()
    })
    const result = await (await client(server)).callTool('t')
    expect(result.content).toEqual([{ type: 'text', text: 'zürich 😀' }])
  })

  test('a reply larger than the limit is refused', async () => {
    const server = await answering(() => text('x'.repeat(5000)))
    const connected = await client(server, { maxResponseBytes: 4096 })
    await expect(connected.callTool('t')).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
    const streaming = await serve(stream(`data: ${'x'.repeat(5000)}`))
    await expect((await client(streaming, { maxResponseBytes: 4096 })).callTool('t')).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    })
  })
})

describe('cancelling', () => {
  let gone: Promise<void>
  let server: HttpServer

  beforeEach(async () => {
    let left = (): void => undefined
    gone = new Promise((resolve) => (left = resolve))
    server = await serve((request, response, raw) => {
      response.on('close', left)
      if (request.params['name'] === 'stream')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n')
      raw.socket.emit('handler-started')
    })
  })

  test.each(['stream', 'json'])(
    'spec basic/transports/streamable-http: aborting a %s reply closes its connection',
    async (name) => {
      const controller = new AbortController()
      const connected = await client(server)
      const call = connected.callTool(name, {}, { signal: controller.signal })
      call.catch(() => undefined)
      await vi.waitFor(() => expect(calls(server)).toHaveLength(1))
      controller.abort(new Error('enough'))
      await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED', cause: new Error('enough') })
      await gone
    },
  )

  test('closing the client fails what is under way, and what comes later', async () => {
    const connected = await client(server)
    const call = connected.callTool('json')
    call.catch(() => undefined)
    await vi.waitFor(() => expect(calls(server)).toHaveLength(1))
    await connected.close()
    await expect(call).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await expect(connected.callTool('json')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await connected.close()
  })
})
