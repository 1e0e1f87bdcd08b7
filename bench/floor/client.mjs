/** A client written by hand on `node:http`: what a call costs with nothing around it. */
import { Agent, request } from 'node:http'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'floor', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function bareClient(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  let id = 0
  const callTool = (name, args) =>
    new Promise((resolve, reject) => {
      const message = { jsonrpc: '2.0', id: ++id, method: 'tools/call', params: { name, arguments: args, _meta: meta } }
      const body = JSON.stringify(message)
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
        'content-length': Buffer.byteLength(body),
      }
      const outgoing = request(
        { agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => (text += chunk))
          response.on('end', () => resolve(JSON.parse(text).result))
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { callTool, close: () => agent.destroy() }
}
