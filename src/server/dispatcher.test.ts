import { REVISIONS } from '../protocol/revisions.ts'
import { describe, expect, it } from 'vitest'
import { Server, type Exchange } from '../entry/index.ts'
import { callTool, EVERYTHING, readReply, requestText, rpc } from '../../test/support/rpc.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

function makeServer(): Server {
  const server = new Server({ name: 'dispatch', version: '1.0.0' })
  server.tool('echo', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) =>
    String(text),
  )
  server.tool(
    'routed',
    {
      input: { type: 'object', properties: { region: { type: 'string' }, size: { type: 'integer' } } },
      headers: { region: 'Region', size: 'Size' },
    },
    () => 'ok',
  )
  server.prompt('greet', { arguments: { who: { required: true } } }, ({ who }) => `Greet ${who}`)
  server.resource('note', { uri: 'note://today' }, () => 'rain')
  return server
}

function http(headers: Record<string, string>): Exchange {
  return { http: { method: 'POST', url: '/mcp', header: (name) => headers[name] } }
}

const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }

async function send(message: unknown, exchange: Exchange = {}) {
  return readReply(await makeServer().handle(message, exchange))
}

describe('messages that are no request', () => {
  it.each([
    ['text that is no JSON', '{', -32700],
    ['a batch', '[]', -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
    ['params that are no object', '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[1]}', -32600],
  ])('%s is refused with 400', async (_what, text, code) => {
    const reply = await send(text)
    expect([reply.status, reply.error?.code]).toEqual([400, code])
  })

  it('spec basic/index: an error echoes the id of a request that could be read', async () => {
    const reply = await send('{"jsonrpc":"2.0","id":"seven","method":7}')
    expect(reply).toMatchObject({ id: 'seven', error: { code: -32600 } })
  })

  it('spec basic/index: an error has no id when the request could not be read', async () => {
    expect(await send('nonsense')).not.toHaveProperty('id')
  })

  it('spec basic/transports/streamable-http: a notification is accepted with 202 and no body', async () => {
    expect(await send('{"jsonrpc":"2.0","method":"notifications/whatever"}')).toEqual({ status: 202 })
  })

  it('passes notifications/cancelled on to the connection', async () => {
    const cancelled: unknown[] = []
    const exchange: Exchange = { cancel: (id, reason) => cancelled.push([id, reason]) }
    await send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"bored"}}',
      exchange,
    )
    await send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}', exchange)
    expect(cancelled).toEqual([[4, 'bored']])
  })

  it('takes a message that a framework has parsed', async () => {
    const reply = await send(JSON.parse(requestText('tools/call', { name: 'echo', arguments: { text: 'hi' } })))
    expect(reply.result?.content).toEqual([{ type: 'text', text: 'hi' }])
  })
})

describe('the envelope', () => {
  it.each([
    ['no _meta, modern header', undefined],
    ['no version', { [CAPABILITIES]: {} }],
    ['no capabilities', { [VERSION]: '2026-07-28' }],
    ['capabilities of the wrong type', { [VERSION]: '2026-07-28', [CAPABILITIES]: true }],
  ])('spec basic/index: %s is -32602 with 400', async (_what, _meta) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }
    const reply = await send(JSON.stringify(message), http({ ...HEADERS, 'mcp-method': 'server/discover' }))
    expect([reply.status, reply.error?.code]).toEqual([400, -32602])
  })

  it('spec basic/index: clientInfo may be absent', async () => {
    const _meta = { [VERSION]: '2026-07-28', [CAPABILITIES]: {} }
    const reply = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }))
    expect(reply.status).toBe(200)
  })

  it('spec basic/versioning: an unknown version is -32022 with what is supported and what was asked', async () => {
    const exchange = http({ ...HEADERS, 'mcp-protocol-version': 'v999' })
    const reply = await send(requestText('tools/list', {}, { meta: { [VERSION]: 'v999' } }), exchange)
    expect(reply).toMatchObject({
      status: 400,
      error: { code: -32022, data: { supported: [...REVISIONS], requested: 'v999' } },
    })
  })

  it('spec basic/transports/streamable-http: header and _meta that differ are -32020, before the version is judged', async () => {
    const reply = await send(requestText('tools/list', {}, { meta: { [VERSION]: 'v999' } }), http(HEADERS))
    expect([reply.status, reply.error?.code]).toEqual([400, -32020])
  })

  it('spec server/utilities/logging: an unknown log level is -32602', async () => {
    const meta = { 'io.modelcontextprotocol/logLevel': 'loud' }
    expect((await rpc(makeServer(), 'tools/list', {}, { meta })).error?.code).toBe(-32602)
  })
})

describe('a request of the legacy era', () => {
  it('spec basic/versioning: initialize is told which versions are served', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const reply = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
    expect(reply.error).toMatchObject({ code: -32022, data: { supported: [...REVISIONS], requested: '2025-11-25' } })
  })

  it('spec basic/transports/streamable-http: without a version header it is -32020 with 400', async () => {
    const reply = await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', http({}))
    expect([reply.status, reply.error?.code]).toEqual([400, -32020])
  })

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'unknown/method'])(
    '%s under the modern envelope is an unknown method: -32601 with 404',
    async (method) => {
      const reply = await rpc(makeServer(), method)
      expect([reply.status, reply.error?.code]).toEqual([404, -32601])
    },
  )
})

describe('mirrored headers', () => {
  const call = (headers: Record<string, string>, params: object = { name: 'echo', arguments: {} }) =>
    send(requestText('tools/call', params), http({ ...HEADERS, ...headers }))
  const without = (name: string) => {
    const { [name]: _gone, ...rest } = HEADERS as Record<string, string>
    return send(requestText('tools/call', { name: 'echo', arguments: {} }), http(rest))
  }

  it('spec basic/transports/streamable-http: a missing Mcp-Method is -32020', async () => {
    expect((await without('mcp-method')).error?.code).toBe(-32020)
  })

  it('spec basic/transports/streamable-http: header values are case-sensitive', async () => {
    expect((await call({ 'mcp-method': 'TOOLS/CALL' })).error?.code).toBe(-32020)
  })

  it('spec basic/transports/streamable-http: a missing Mcp-Name is -32020', async () => {
    expect((await without('mcp-name')).error?.code).toBe(-32020)
  })

  it('spec basic/transports/streamable-http: Mcp-Name is decoded before it is compared', async () => {
    expect((await call({ 'mcp-name': '=?base64?ZWNobw==?=' })).error).toBeUndefined()
    expect((await call({ 'mcp-name': '=?base64?!!?=' })).error?.code).toBe(-32020)
  })

  const routed = (headers: Record<string, string>, args: object) =>
    call({ 'mcp-name': 'routed', ...headers }, { name: 'routed', arguments: args })

  it.each([
    ['given and equal', { 'mcp-param-region': 'eu' }, { region: 'eu' }, undefined],
    ['given and different', { 'mcp-param-region': 'us' }, { region: 'eu' }, -32020],
    ['omitted while the body has it', {}, { region: 'eu' }, -32020],
    ['omitted for null', {}, { region: null }, undefined],
    ['omitted for an absent value', {}, {}, undefined],
    ['given for an absent value', { 'mcp-param-region': 'eu' }, {}, -32020],
    ['an integer written otherwise', { 'mcp-param-size': '42.0' }, { size: 42 }, undefined],
    ['an encoded value', { 'mcp-param-region': '=?base64?w6k=?=' }, { region: 'é' }, undefined],
    ['an encoded value that is broken', { 'mcp-param-region': '=?base64?w6k?=' }, { region: 'é' }, -32020],
  ])('spec basic/transports/streamable-http: Mcp-Param is %s', async (_what, headers, args, code) => {
    expect((await routed(headers, args)).error?.code).toBe(code)
  })
})

describe('targets and input', () => {
  it.each([
    ['tools/call', { name: 'nobody' }],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'echo', arguments: [] }],
    ['tools/call', { name: '__proto__' }],
    ['prompts/get', { name: 'nobody' }],
    ['prompts/get', { name: 'greet' }],
    ['resources/read', {}],
    ['tools/call', { name: 'echo', inputResponses: [] }],
    ['tools/call', { name: 'echo', inputResponses: null }],
  ])('%s of %j is -32602', async (method, params) => {
    const reply = await rpc(makeServer(), method, params)
    expect([reply.status, reply.error?.code]).toEqual([200, -32602])
  })

  it('spec server/resources: a resource that is not there is -32602 with its URI', async () => {
    const reply = await rpc(makeServer(), 'resources/read', { uri: 'note://gone' })
    expect(reply.error).toMatchObject({ code: -32602, data: { uri: 'note://gone' } })
  })

  it('spec server/tools: arguments that miss the schema are a tool error the model can read', async () => {
    const reply = await callTool(makeServer(), 'echo', { text: 5 })
    expect(reply.result).toMatchObject({ resultType: 'complete', isError: true })
  })

  it('serves the next request after every refusal', async () => {
    const server = makeServer()
    for (const text of ['{', '[]', requestText('nobody')]) await server.handle(text)
    expect((await callTool(server, 'echo', { text: 'still here' })).result?.content?.[0]?.text).toBe('still here')
  })

  it('lets a request say which capabilities it has, and remembers nothing', async () => {
    const server = makeServer()
    const seen: unknown[] = []
    server.tool('look', {}, (_args, ctx) => {
      seen.push(ctx.can.form)
      return 'seen'
    })
    await callTool(server, 'look', {}, {}, { capabilities: EVERYTHING })
    await callTool(server, 'look', {}, {}, { capabilities: {} })
    expect(seen).toEqual([true, false])
  })
})
