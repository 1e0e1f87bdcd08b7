import { connect } from 'rondo/client'
import { afterEach, describe, expect, test } from 'vitest'
import { answer, DISCOVERED, httpServer, type Seen, scripted, text } from './scripted-server.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** The outcome of a call whose reply is these bytes, cut into pieces of this length. */
async function replied(
  type: string,
  bytesFor: (id: Seen['id']) => Buffer | string,
  length = Infinity,
): Promise<unknown> {
  const server = await httpServer((request, response) => {
    if (request.method === 'server/discover') return answer(request, response, DISCOVERED)
    response.writeHead(200, { 'content-type': type })
    const bytes = Buffer.from(bytesFor(request.id))
    let at = 0
    const step = (): void => {
      if (at >= bytes.length) response.end()
      else response.write(bytes.subarray(at, (at += Math.min(length, bytes.length))), () => setImmediate(step))
    }
    step()
  })
  open.push(server)
  const client = await connect(server.url)
  open.push(client)
  return client.callTool('t', {}, { onProgress: () => undefined }).catch((error: unknown) => error)
}

const reply = (id: Seen['id'], words = 'zürich 😀'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: text(words) })
const ok = { content: [{ type: 'text', text: 'zürich 😀' }] }
const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'

describe('replies over HTTP', () => {
  const streams: readonly (readonly [string, (json: string) => string])[] = [
    ['line feeds', (json) => `data: ${json}\n\n`],
    ['carriage returns', (json) => `data: ${json}\r\r`],
    ['both', (json) => `event: message\r\nid: 7\r\nretry: 10\r\ndata: ${json}\r\n\r\n`],
    ['several data lines', (json) => `data: ${json.replace(',', ',\ndata:')}\n\n`],
    ['a byte order mark', (json) => `\ufeffdata: ${json}\n\n`],
    ['comments', (json) => `:\n\n: keep-alive\n\ndata: ${json}\n\n`],
    ['an empty event first', (json) => `id: 1\ndata:\n\ndata: ${json}\n\n`],
    ['events of other names', (json) => `event: ping\ndata: {}\n\nevent: ping\ndata: now\n\ndata: ${json}\n\n`],
    ['fields that there are not', (json) => `x: y\nnothing\ndata: ${json}\n\n`],
  ]

  test.each(streams.flatMap(([what, frame]) => [1, 2, 3, 7, Infinity].map((length) => [what, length, frame] as const)))(
    'an event stream with %s, in pieces of %d bytes',
    async (_what, length, frame) => {
      expect(await replied(EVENTS, (id) => frame(reply(id)), length)).toMatchObject(ok)
    },
  )

  test.each([1, Infinity])('one object behind a byte order mark, in pieces of %d bytes', async (length) => {
    expect(await replied(JSON_TYPE, (id) => `\ufeff${reply(id)}`, length)).toMatchObject(ok)
  })

  const bad = Buffer.from([0xff, 0xc3])
  test.each([JSON_TYPE, EVENTS])('%s that is not UTF-8 is refused, not mended', async (type) => {
    const frame = (id: Seen['id']): Buffer => {
      const [head = '', tail = ''] = reply(id, 'HERE').split('HERE')
      const parts = [Buffer.from(head), bad, Buffer.from(tail)]
      return type === JSON_TYPE
        ? Buffer.concat(parts)
        : Buffer.concat([Buffer.from('data: '), ...parts, Buffer.from('\n\n')])
    }
    expect(await replied(type, frame)).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('not UTF-8') as unknown,
    })
  })

  test.each([
    ['an event without its end', EVENTS, (json: string) => `data: ${json}\n`, 'TRANSPORT_FAILED'],
    ['a stream of nothing', EVENTS, () => '', 'TRANSPORT_FAILED'],
    ['an event that is no message', EVENTS, () => 'data: hello\n\n', 'RESPONSE_INVALID'],
    ['an object that breaks off', JSON_TYPE, (json: string) => json.slice(0, -1), 'RESPONSE_INVALID'],
    ['nothing', JSON_TYPE, () => '', 'RESPONSE_INVALID'],
    ['a page', 'text/html', () => '<html>', 'RESPONSE_INVALID'],
    ['JSON under another type', 'text/plain', (json: string) => json, 'RESPONSE_INVALID'],
  ])('%s is a typed error', async (_what, type, frame, code) => {
    expect(await replied(type, (id) => frame(reply(id)))).toMatchObject({ code })
  })
})

test('spec basic/patterns/cancellation: in one process too, a handler that starts late learns that its request was given up', async () => {
  const reasons: unknown[] = []
  const controller = new AbortController()
  const client = await connect(
    scripted(async (_request, exchange) => {
      controller.abort(new Error('enough'))
      await Promise.resolve()
      exchange.onCancel?.((reason) => reasons.push(reason))
      return text('late')
    }),
  )
  await expect(client.callTool('t', {}, { signal: controller.signal })).rejects.toMatchObject({
    code: 'REQUEST_CANCELLED',
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(reasons).toHaveLength(1)
})
