import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type HttpClient, type HttpSink } from '../../src/transport/http/http-port.ts'
import { httpClient as nodeClient } from '../../src/transport/http/request.node.ts'
import { httpClient as webClient } from '../../src/transport/http/request.web.ts'

const open: (() => unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Got {
  status: number
  type: string | undefined
  pieces: string[]
  end: 'end' | { error: unknown; unsent: boolean }
}

/** Sends one POST; `act` is given what aborts it and may be called on the first piece. */
function post(
  client: HttpClient,
  mode: 'whole' | 'pieces',
  headers: Record<string, string> = {},
  onPiece?: (abort: (error: unknown) => void) => void,
): Promise<Got> {
  return new Promise((resolve) => {
    const got: Got = { status: 0, type: undefined, pieces: [], end: 'end' }
    const sink: HttpSink = {
      head(status, header) {
        got.status = status
        got.type = header('content-type')
        return mode
      },
      text(piece) {
        got.pieces.push(piece)
        onPiece?.(abort)
      },
      end: () => resolve(got),
      fail: (error, unsent = false) => resolve({ ...got, end: { error, unsent } }),
    }
    const abort = client.post('/mcp?x=1', { 'content-type': 'application/json', ...headers }, '{"é":1}', sink)
  })
}

describe.each([
  ['node', nodeClient],
  ['web', webClient],
])('HTTP of the %s host', (_, httpClient) => {
  const clientOf = (origin: string, maxBytes = 1e6): HttpClient => {
    const client = httpClient(origin, { maxBytes })
    open.push(() => client.close())
    return client
  }

  test('sends a POST and gives the body in one piece', async () => {
    const origin = await listen((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        response.writeHead(201, { 'content-type': 'application/json' })
        response.write(`${request.method} ${request.url} ${request.headers['x-a']} `)
        setImmediate(() => response.end(body))
      })
    })
    expect(await post(clientOf(origin), 'whole', { 'x-a': 'b' })).toEqual({
      status: 201,
      type: 'application/json',
      pieces: ['POST /mcp?x=1 b {"é":1}'],
      end: 'end',
    })
  })

  test('gives the body as it comes, characters whole', async () => {
    const bytes = Buffer.from('é😀x')
    const origin = await listen((_request, response) => {
      response.writeHead(200)
      let at = 0
      const step = (): void => {
        if (at >= bytes.length) response.end()
        else response.write(bytes.subarray(at, ++at), () => setTimeout(step, 2))
      }
      step()
    })
    const got = await post(clientOf(origin), 'pieces')
    expect(got.pieces.join('')).toBe('é😀x')
    expect(got.pieces.length).toBeGreaterThan(1)
  })

  test.each(['whole', 'pieces'] as const)(
    'what is not UTF-8 is a failure, and is read no further: %s',
    async (mode) => {
      let closed: Promise<void> | undefined
      const origin = await listen((_request, response) => {
        closed = new Promise((resolve) => response.on('close', resolve))
        response.writeHead(200).write(Buffer.from([0x7b, 0xff, 0x7d]))
        if (mode === 'whole') response.end()
      })
      const got = await post(clientOf(origin), mode)
      expect(got).toMatchObject({ pieces: [], end: { error: expect.any(RangeError) as unknown, unsent: false } })
      await closed
    },
  )

  test('an empty body is an empty text', async () => {
    const origin = await listen((_request, response) => response.writeHead(204).end())
    expect(await post(clientOf(origin), 'whole')).toMatchObject({ status: 204, pieces: [''], end: 'end' })
  })

  test('does not follow redirects', async () => {
    const origin = await listen((_request, response) => response.writeHead(307, { location: '/else' }).end())
    expect((await post(clientOf(origin), 'whole')).status).toBe(307)
  })

  test('a body over the limit fails with a RangeError', async () => {
    const origin = await listen((_request, response) => response.end('x'.repeat(5000)))
    const { end } = await post(clientOf(origin, 1000), 'whole')
    expect(end).toMatchObject({ error: expect.any(RangeError) as unknown })
  })

  test('aborting closes the connection and fails with the reason, once', async () => {
    let closed = (): void => undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const origin = await listen((_request, response) => {
      response.on('close', closed)
      response.write('first')
    })
    const reason = new Error('enough')
    const { end } = await post(clientOf(origin), 'pieces', {}, (abort) => {
      abort(reason)
      abort(new Error('again'))
    })
    expect(end).toEqual({ error: reason, unsent: false })
    await gone
  })

  test('a header that HTTP cannot carry is not sent', async () => {
    const origin = await listen((_request, response) => response.end())
    expect((await post(clientOf(origin), 'whole', { 'x-bad': 'a\nb' })).end).toMatchObject({ unsent: true })
  })

  test('nobody there, and a connection that drops, fail', async () => {
    const origin = await listen((_request, response) => void response.write('x', () => response.destroy()))
    expect((await post(clientOf(origin), 'whole')).end).toMatchObject({ unsent: false })
    expect((await post(clientOf('http://127.0.0.1:1'), 'whole')).end).toMatchObject({ unsent: false })
  })

  test('closing fails what is under way', async () => {
    const origin = await listen((_request, response) => void response.write('x'))
    const client = clientOf(origin)
    const got = await post(client, 'pieces', {}, () => void client.close())
    expect(got.end).toMatchObject({ unsent: false })
  })
})
