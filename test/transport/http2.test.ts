import { once } from 'node:events'
import { connect as connectHttp2, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'rondo'
import { nodeHandler } from 'rondo/node'
import { expect, it } from 'vitest'
import { MODERN } from '../support/http.ts'
import { requestText } from '../support/rpc.ts'

it.each([
  ['mcp.example', 200],
  ['evil.example', 403],
])('H1 under HTTP/2 in the manner of HTTP/1 the authority is the host: %s', async (authority, status) => {
  const server = new Server({ name: 'two', version: '1.0.0' })
  server.tool('t', {}, () => 'ok')
  const mcp = nodeHandler(server, { hosts: ['mcp.example'], log: () => undefined })
  const http = createServer((request, response) =>
    mcp(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const client = connectHttp2(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const sent = client.request({
    ...MODERN,
    ':method': 'POST',
    ':path': '/mcp',
    ':authority': authority,
    'mcp-method': 'tools/list',
  })
  sent.end(requestText('tools/list'))
  const [headers] = (await once(sent, 'response')) as [Record<string, unknown>]
  expect(headers[':status']).toBe(status)
  sent.resume()
  await once(sent, 'end')
  client.close()
  await new Promise((resolve) => http.close(resolve))
})
