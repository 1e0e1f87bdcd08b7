import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Server } from '../../entry/index.ts'
import { listen, type Listening } from '../../entry/node.ts'
import { openSocket, readToEnd, send, sendBytes } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'

let listening: Listening
let port: number

beforeAll(async () => {
  const server = new Server({ name: 'tough', version: '1.0.0' })
  server.tool('echo', {}, () => 'ok')
  listening = await listen(server, {
    port: 0,
    maxBodyBytes: 1024,
    timeouts: { headers: 200, request: 300 },
    log: () => undefined,
  })
  port = listening.port
})

afterAll(() => listening.close())

const BODY = requestText('tools/call', { name: 'echo' }, { id: 1, capabilities: {} })
const head = (...lines: string[]) =>
  [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: echo',
    ...lines,
    '',
    '',
  ].join('\r\n')
const whole = (...lines: string[]) => head(`Content-Length: ${BODY.length}`, ...lines) + BODY
const statusOf = (reply: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1])

/** The server still answers. */
async function alive(): Promise<void> {
  const reply = await send(listening.url, { body: BODY, headers: { 'mcp-method': 'tools/call', 'mcp-name': 'echo' } })
  expect(reply.status).toBe(200)
}

describe('whatever a client sends, the process goes on', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 400],
    ['a header without a colon', head('Nonsense'), 400],
    ['a folded header', head('X-A: b', ' c', 'Content-Length: 0'), 400],
    ['a line feed alone in a header', head('X-A: b\nX-B: c', 'Content-Length: 0', 'Connection: close'), 400],
    ['a NUL in a header', head('X-A: a\0b'), 400],
    ['no Host', 'POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 400],
    ['headers of 64 KiB', head(`X-A: ${'a'.repeat(65_536)}`), 431],
    ['5,000 headers', head(...Array.from({ length: 5000 }, (_, at) => `X-${at}: 1`)), 431],
    ['two different lengths', head('Content-Length: 5', 'Content-Length: 50'), 400],
    ['a length and chunks', head('Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
    ['an unknown coding before chunks', head('Transfer-Encoding: chunked, identity') + '0\r\n\r\n', 400],
    ['a broken chunk', head('Transfer-Encoding: chunked') + 'zz\r\nhello\r\n', 400],
    ['a negative length', head('Content-Length: -1'), 400],
    ['a length that is no number', head('Content-Length: many'), 400],
    ['an unknown verb', 'BREW /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
  ])('H2 %s', async (_what, bytes, status) => {
    expect(statusOf(await sendBytes(port, bytes))).toBe(status)
    await alive()
  })

  it.each([
    ['a name twice', whole('Mcp-Name: echo', 'Connection: close'), 400],
    ['a name in two, joined', whole('Mcp-Name: other', 'Connection: close'), 400],
    ['a host twice', whole('Host: evil.example', 'Connection: close'), 403],
    ['two origins', whole('Origin: http://localhost', 'Origin: http://evil.example', 'Connection: close'), 403],
    ['an origin that is a prototype key', whole('Origin: __proto__', 'Connection: close'), 403],
    ['the verb HEAD', 'HEAD /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n', 405],
    ['the target *', 'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n', 404],
    ['an upgrade', whole('Upgrade: websocket', 'Connection: Upgrade, close'), 200],
  ])('H2 %s', async (_what, bytes, status) => {
    expect(statusOf(await sendBytes(port, bytes))).toBe(status)
    await alive()
  })

  it('H2 HEAD is answered without a body', async () => {
    const reply = await sendBytes(port, 'HEAD /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    expect(reply).toMatch(/\r\n\r\n$/)
  })

  it('H2 requests sent at once are answered in order', async () => {
    const numbered = (id: number) => {
      const body = BODY.replace('"id":1', `"id":${id}`)
      return head(`Content-Length: ${body.length}`, ...(id === 9 ? ['Connection: close'] : [])) + body
    }
    const reply = await sendBytes(port, Array.from({ length: 9 }, (_, at) => numbered(at + 1)).join(''))
    expect([...reply.matchAll(/"id":(\d)/g)].map(([, id]) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('H2 what follows a body is a request of its own, not part of it', async () => {
    const reply = await sendBytes(port, `${whole()}PUT /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    expect([...reply.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '405'])
  })

  it('H3 a body cut short is never handed on', async () => {
    const socket = await openSocket(port)
    socket.write(head('Content-Length: 1000') + '{"jsonrpc"')
    socket.end()
    expect(statusOf(await readToEnd(socket))).not.toBe(200)
    await alive()
  })

  it('H3 headers that drip in are cut off', async () => {
    const socket = await openSocket(port)
    socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ')
    expect(statusOf(await readToEnd(socket))).toBe(408)
    await alive()
  })

  it('H3 a body that drips in is cut off', async () => {
    const socket = await openSocket(port)
    socket.write(head('Content-Length: 1000') + '{')
    expect(statusOf(await readToEnd(socket))).toBe(408)
    await alive()
  })

  it('H3 a refused upload that goes on and on is cut off, long before its time is over', async () => {
    const patient = await listen(new Server({ name: 'patient', version: '1.0.0' }), {
      port: 0,
      maxBodyBytes: 1024,
      log: () => undefined,
    })
    const flood = `400\r\n${'x'.repeat(1024)}\r\n`.repeat(64)
    for (const start of [head('Transfer-Encoding: chunked'), head(`Content-Length: ${2 ** 40}`)]) {
      const socket = await openSocket(patient.port)
      socket.write(start)
      const pump = () => {
        while (socket.writable && socket.write(flood));
      }
      socket.on('drain', pump)
      pump()
      expect(statusOf(await readToEnd(socket))).toBe(413)
    }
    await patient.close()
  })

  it('H3 nesting a million deep is refused', async () => {
    const deep = await listen(new Server({ name: 'deep', version: '1.0.0' }), { port: 0, log: () => undefined })
    const body = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}}`
    const reply = await send(deep.url, { body })
    expect(reply.status).toBe(400)
    await deep.close()
  })
})
