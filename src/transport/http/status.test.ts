import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Server } from '../../entry/index.ts'
import { listen, type Listening } from '../../entry/node.ts'
import { REVISIONS } from '../../protocol/revisions.ts'
import { begin, Events, send, type Sending } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'

let listening: Listening

beforeAll(async () => {
  const server = new Server({ name: 'status', version: '1.0.0' })
  server.tool('echo', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${text}`)
  server.tool(
    'routed',
    {
      input: { type: 'object', properties: { region: { type: 'string' }, size: { type: 'integer' } } },
      headers: { region: 'Region', size: 'Size' },
    },
    ({ region }) => `in ${region}`,
  )
  server.tool('telling', {}, (_input, ctx) => {
    ctx.progress(1)
    return 'told'
  })
  listening = await listen(server, { port: 0, maxBodyBytes: 4096 })
})

afterAll(() => listening.close())

const call = (name: string, args: object = {}, meta: object = {}) =>
  requestText('tools/call', { name, arguments: args }, { id: 7, meta })
const forTool = (name: string, more: Record<string, string | undefined> = {}) => ({
  'mcp-method': 'tools/call',
  'mcp-name': name,
  ...more,
})

async function post(body: string, headers: Sending['headers'] = {}) {
  const { status, text, headers: got } = await send(listening.url, { body, headers })
  const message =
    text === '' ? undefined : (JSON.parse(text) as { id?: unknown; result?: never; error?: { code: number } })
  return { status, message, headers: got }
}

describe('statuses', () => {
  it('MUST-http-01 the endpoint takes POST', async () => {
    const { status, headers, message } = await post(call('echo', { text: 'hi' }), forTool('echo'))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(message).toMatchObject({ id: 7, result: { content: [{ type: 'text', text: 'hi' }] } })
  })

  it('MUST-http-07 an accepted notification: 202 without a body', async () => {
    const { status, headers, message } = await post('{"jsonrpc":"2.0","method":"notifications/anything"}')
    expect([status, headers['content-length'], message]).toEqual([202, '0', undefined])
  })

  it('MUST-http-08 a notification that cannot be accepted: 400, an error without id', async () => {
    const { status, message } = await post('{"jsonrpc":"2.0","method":"notifications/anything","params":[1]}')
    expect([status, message?.error?.code, message && 'id' in message]).toEqual([400, -32600, false])
  })

  it.each([
    ['a batch', '[]', -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ['no JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
  ])('MUST-http-06 a body that is %s: 400', async (_what, body, code) => {
    const { status, message } = await post(body)
    expect([status, message?.error?.code]).toEqual([400, code])
  })

  it('MUST-transport-01 a body that is not UTF-8: 400, -32700', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    const { status, text } = await send(listening.url, { body })
    expect([status, (JSON.parse(text) as { error: { code: number } }).error.code]).toEqual([400, -32700])
  })

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'])(
    'H2 %s of the modern era: 405, Allow: POST',
    async (method) => {
      const { status, headers } = await send(listening.url, {
        method,
        headers: { 'mcp-protocol-version': '2026-07-28' },
      })
      expect([status, headers.allow]).toEqual([405, 'POST'])
    },
  )

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('H2 %s where sessions are not served: 405, Allow: POST', async (method) => {
    const modern = await listen(new Server({ name: 's', version: '1' }, { revisions: ['2026-07-28'] }), { port: 0 })
    const { status, headers } = await send(modern.url, { method, headers: { 'mcp-protocol-version': '2025-11-25' } })
    expect([status, headers.allow]).toEqual([405, 'POST'])
    await modern.close()
  })

  it.each(['PUT', 'PATCH', 'HEAD'])('H2 %s of no era: 405, and what there is', async (method) => {
    const { status, headers } = await send(listening.url, { method, headers: { 'mcp-protocol-version': undefined } })
    expect([status, headers.allow]).toEqual([405, 'POST, GET, DELETE'])
  })

  it.each(['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded', undefined])(
    'H2 content type %s: 415',
    async (type) => {
      expect((await post(call('echo'), forTool('echo', { 'content-type': type }))).status).toBe(415)
    },
  )

  it.each(['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'H2 content type %s is JSON',
    async (type) => {
      expect((await post(call('echo'), forTool('echo', { 'content-type': type }))).status).toBe(200)
    },
  )

  it('H2 a compressed body: 415', async () => {
    expect((await post(call('echo'), forTool('echo', { 'content-encoding': 'gzip' }))).status).toBe(415)
  })

  it.each(['text/html', 'application/json;q=0', 'image/*'])('H2 Accept: %s: 406', async (accept) => {
    expect((await post(call('echo'), forTool('echo', { accept }))).status).toBe(406)
  })

  it.each(['*/*', 'application/*', 'application/json', 'text/event-stream;q=0, application/json;q=0.1', undefined])(
    'H6 Accept: %s gets JSON, notifications or not',
    async (accept) => {
      const body = call('telling', {}, { progressToken: 1 })
      const { status, headers, message } = await post(body, forTool('telling', { accept }))
      expect([status, headers['content-type']]).toEqual([200, 'application/json'])
      expect(message).toMatchObject({ id: 7, result: { content: [{ text: 'told' }] } })
    },
  )

  it('H6 who takes event streams alone gets one', async () => {
    const headers = forTool('echo', { accept: 'text/event-stream' })
    const response = await begin(listening.url, { body: call('echo', { text: 'hi' }), headers }).response
    expect(response.headers['content-type']).toBe('text/event-stream')
    const events = new Events(response)
    expect(await events.next()).toMatchObject({ id: 7, result: {} })
    expect(await events.next()).toBeUndefined()
  })

  it('MUST-http-09 a request whose handler tells something is answered with an event stream', async () => {
    const body = call('telling', {}, { progressToken: 1 })
    const response = await begin(listening.url, { body, headers: forTool('telling') }).response
    const events = new Events(response)
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(await events.next()).toMatchObject({ method: 'notifications/progress', params: { progressToken: 1 } })
    expect(await events.next()).toMatchObject({ id: 7, result: {} })
    expect(await events.next()).toBeUndefined()
  })

  it.each([`/`, '/mcp/', '/mcpx', '/other?x=/mcp'])('H2 path %s: 404', async (path) => {
    const { status, text } = await send(new URL(path, listening.url).href, { body: call('echo') })
    expect(status).toBe(404)
    expect(text).toContain('/mcp')
  })

  it('H2 a query does not matter', async () => {
    const { status } = await send(`${listening.url}?a=b`, { body: call('echo'), headers: forTool('echo') })
    expect(status).toBe(200)
  })

  it.each(['GET', 'HEAD'])('H2 health is asked by %s', async (method) => {
    const { status, text } = await send(new URL('/health', listening.url).href, { method })
    expect([status, text]).toEqual([200, method === 'GET' ? '{"status":"ok"}' : ''])
  })

  it('H2 a declared length over the limit: 413, before the body is sent', async () => {
    const { sent, response } = begin(listening.url, { headers: { 'content-length': '5000', expect: '100-continue' } })
    sent.on('continue', () => expect.unreachable('the server wants the body'))
    expect((await response).statusCode).toBe(413)
  })

  it('H2 a length over the limit that was not declared: 413, and the connection goes on', async () => {
    const { status } = await send(listening.url, {
      body: Buffer.alloc(6000, 0x20),
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect(status).toBe(413)
  })

  it('H2 a body of just the limit is read', async () => {
    const text = call('echo', { text: 'x' })
    const { status } = await post(text + ' '.repeat(4096 - text.length), forTool('echo'))
    expect(status).toBe(200)
  })

  it('H2 a client that asks before it sends is told to go on', async () => {
    const body = call('echo', { text: 'asked' })
    const { status } = await send(listening.url, { body, headers: forTool('echo', { expect: '100-continue' }) })
    expect(status).toBe(200)
  })
})

describe('headers against the body', () => {
  it.each([
    ['the version is missing', { 'mcp-protocol-version': undefined }],
    ['the version differs', { 'mcp-protocol-version': '2025-11-25' }],
    ['the method is missing', { 'mcp-method': undefined }],
    ['the method differs', { 'mcp-method': 'tools/list' }],
    ['the method is in other letters', { 'mcp-method': 'TOOLS/CALL' }],
    ['the name is missing', { 'mcp-name': undefined }],
    ['the name differs', { 'mcp-name': 'other' }],
    ['the name comes twice', { 'mcp-name': ['echo', 'echo'] }],
    ['the name is broken base64', { 'mcp-name': '=?base64?%%%?=' }],
  ])('H2 %s: 400, -32020', async (_what, changed) => {
    const { status, message } = await post(call('echo'), { ...forTool('echo'), ...changed })
    expect([status, message?.error?.code, message?.id]).toEqual([400, -32020, 7])
  })

  it('MUST-http-14 a POST without the version header is refused', async () => {
    const { status } = await post(call('echo'), forTool('echo', { 'mcp-protocol-version': undefined }))
    expect(status).toBe(400)
  })

  it('MUST-http-15 a version header that differs from the body: 400, -32020', async () => {
    const { status, message } = await post(call('echo'), forTool('echo', { 'mcp-protocol-version': 'v9' }))
    expect([status, message?.error?.code]).toEqual([400, -32020])
  })

  it('MUST-http-16 an unsupported version: 400, -32022 with the supported ones', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const { status, message } = await post(
      call('echo', {}, meta),
      forTool('echo', { 'mcp-protocol-version': '2099-01-01' }),
    )
    expect([status, message?.error]).toMatchObject([
      400,
      { code: -32022, data: { supported: [...REVISIONS], requested: '2099-01-01' } },
    ])
  })

  it('MUST-http-17 an unknown method: 404, -32601', async () => {
    const { status, message } = await post(requestText('no/such', {}, { id: 1 }), { 'mcp-method': 'no/such' })
    expect([status, message?.error?.code]).toEqual([404, -32601])
  })

  it('MUST-http-18 the method header, and the name header where a name is due, are required', async () => {
    const list = requestText('tools/list', {}, { id: 1 })
    expect((await post(list, { 'mcp-method': 'tools/list' })).status).toBe(200)
    expect((await post(list, {})).status).toBe(400)
    expect((await post(call('echo'), { 'mcp-method': 'tools/call' })).status).toBe(400)
  })

  it('MUST-http-28 a base64 value is decoded before it is compared', async () => {
    const coded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
    const headers = forTool(coded('routed'), { 'mcp-param-region': coded('Zürich'), 'mcp-param-size': coded('3') })
    const { status } = await post(call('routed', { region: 'Zürich', size: 3 }), headers)
    expect(status).toBe(200)
  })

  it('MUST-http-29 a parameter header with invalid characters is refused', async () => {
    const headers = forTool('routed', { 'mcp-param-region': 'Z\u00fcrich' })
    const { status, message } = await post(call('routed', { region: 'Zürich' }), headers)
    expect([status, message?.error?.code]).toEqual([400, -32020])
  })

  it('MUST-http-30 a parameter header that differs from the body: 400, -32020', async () => {
    const headers = forTool('routed', { 'mcp-param-region': 'us' })
    const { status, message } = await post(call('routed', { region: 'eu' }), headers)
    expect([status, message?.error?.code]).toEqual([400, -32020])
  })

  it('MUST-http-31 for a null or absent parameter no header is expected', async () => {
    expect((await post(call('routed', {}), forTool('routed'))).status).toBe(200)
    expect((await post(call('routed', { region: null }), forTool('routed'))).status).toBe(200)
  })

  it('MUST-http-32 a parameter in the body without its header is refused', async () => {
    const { status, message } = await post(call('routed', { region: 'eu' }), forTool('routed'))
    expect([status, message?.error?.code]).toEqual([400, -32020])
  })

  it('MUST-http-33 header names are compared without regard to case', async () => {
    const headers = { 'MCP-METHOD': 'tools/call', 'mCp-NaMe': 'routed', 'MCP-Param-REGION': 'eu' }
    expect((await post(call('routed', { region: 'eu' }), headers)).status).toBe(200)
  })

  it('MUST-http-34 the markers of the base64 form are compared with regard to case', async () => {
    const value = '=?BASE64?ZXU=?='
    const headers = forTool('routed', { 'mcp-param-region': value })
    expect((await post(call('routed', { region: value }), headers)).status).toBe(200)
    expect((await post(call('routed', { region: 'eu' }), headers)).status).toBe(400)
  })

  it('MUST-http-36 a rejected header: 400 with -32020', async () => {
    const { status, message } = await post(call('routed', { size: 3 }), forTool('routed', { 'mcp-param-size': '4' }))
    expect([status, message?.error?.code]).toEqual([400, -32020])
  })
})
