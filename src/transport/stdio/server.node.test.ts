import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Server, type Exchange, type Reply } from '../../entry/index.ts'
import { encodeNotification } from '../../jsonrpc/encode.ts'
import { HeldServer } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'
import type { Receiver } from '../receiver.ts'
import { LineServer, type LineServerOptions } from './server.node.ts'

const progress = (progress: number) => encodeNotification('notifications/progress', { progressToken: 1, progress })
const turn = () => new Promise((resolve) => setImmediate(resolve))

let input: PassThrough
let output: PassThrough
let served: LineServer
let events: { code: string }[]

function start(receiver: Receiver, options: LineServerOptions = {}): LineServer {
  served = new LineServer(receiver, input, output, { log: (event) => void events.push(event), ...options })
  return served
}

/** Messages written so far. */
function written(): unknown[] {
  const text = (output.read() as Buffer | null)?.toString() ?? ''
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
}

beforeEach(() => {
  input = new PassThrough()
  output = new PassThrough()
  events = []
})

afterEach(() => {
  vi.useRealTimers()
  input.destroy()
  output.destroy()
})

function makeServer(): Server {
  const server = new Server({ name: 'lines', version: '1.0.0' })
  server.tool('echo', { input: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${text}`)
  return server
}

const echo = (text: string, id: string | number) =>
  requestText('tools/call', { name: 'echo', arguments: { text } }, { id, capabilities: {} })

describe('messages', () => {
  it('MUST-stdio-01 a message is one line and holds no line feed', async () => {
    start(makeServer())
    input.write(`${echo('two\nlines\r\n', 1)}\n`)
    await turn()
    const text = (output.read() as Buffer).toString()
    expect(text.indexOf('\n')).toBe(text.length - 1)
    expect(text).not.toContain('\r')
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { content: [{ text: 'two\nlines\r\n' }] } })
  })

  it('HS1 line breaks between the tokens of a reply are taken out', async () => {
    start({ handle: () => ({ status: 200, body: '{\n  "id": 1,\r\n  "result": {}\n}' }) })
    input.write('{}\n')
    await turn()
    expect(written()).toEqual([{ id: 1, result: {} }])
  })

  it('HS1 several messages in a chunk, split anywhere, with either line end', async () => {
    start(makeServer())
    const bytes = Buffer.from(`${echo('Grüße', 1)}\r\n\n${echo('世界', 'two')}\n`)
    for (const byte of bytes) input.write(Buffer.from([byte]))
    await turn()
    await turn()
    expect(written()).toMatchObject([
      { id: 1, result: { content: [{ text: 'Grüße' }] } },
      { id: 'two', result: { content: [{ text: '世界' }] } },
    ])
  })

  it('HS1 replies come as they are ready', async () => {
    const server = new HeldServer()
    start(server)
    input.write('{"id":1,"method":"a"}\n{"id":2,"method":"b"}\n')
    const [first, second] = [await server.next(), await server.next()]
    second.answer('{"id":2}')
    await turn()
    first.answer('{"id":1}')
    await turn()
    expect(written()).toEqual([{ id: 2 }, { id: 1 }])
  })

  it.each([
    ['a number', 1, 1],
    ['a text', 'one', 'one'],
    ['an empty text', '', ''],
    ['zero', 0, -0],
  ])('HS1 an id that is still in flight is refused, and the first goes on: %s', async (_what, id, again) => {
    const server = new HeldServer()
    start(server)
    const request = (own: unknown) => `${JSON.stringify({ jsonrpc: '2.0', id: own, method: 'm' })}\n`
    input.write(request(id))
    const first = await server.next()
    input.write(request(again) + request(again))
    await turn()
    const refused = {
      id,
      error: { code: -32600, message: 'Invalid request: a request with this id is still in flight' },
    }
    expect(written()).toMatchObject([refused, refused])
    expect(server.calls).toBe(1)
    expect(events).toMatchObject([{ code: 'stdio-refused' }, { code: 'stdio-refused' }])
    first.answer('{"first":true}')
    await turn()
    expect(written()).toEqual([{ first: true }])
    input.write(request(id))
    ;(await server.next()).answer('{"second":true}')
    await turn()
    expect(written()).toEqual([{ second: true }])
  })

  it('HS1 a number and a text are two ids, and a long request is no exception', async () => {
    const server = new HeldServer()
    start(server)
    const pad = 'x'.repeat(20_000)
    input.write(`{"jsonrpc":"2.0","id":1,"method":"m"}\n{"jsonrpc":"2.0","id":"1","method":"m"}\n`)
    await server.next()
    await server.next()
    input.write(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"pad":"${pad}"}}\n`)
    await turn()
    expect(written()).toMatchObject([{ id: 1, error: { code: -32600 } }])
    expect(server.calls).toBe(2)
  })

  it('HS1 an id can be used again once its request was cancelled, or answered at once', async () => {
    const server = new HeldServer()
    const canceller = {
      handle: (message: unknown, exchange: Exchange): Reply | Promise<Reply> => {
        const { method, id } = message as { method: string; id?: number }
        if (method === 'now') return { status: 200, body: JSON.stringify({ id }) }
        if (method !== 'cancel') return server.handle(message, exchange)
        exchange.cancel?.(1)
        return { status: 202, body: undefined }
      },
    }
    start(canceller)
    input.write('{"id":1,"method":"wait"}\n{"method":"cancel"}\n{"id":1,"method":"wait"}\n')
    const [first, second] = [await server.next(), await server.next()]
    expect(await first.cancelled).toBeUndefined()
    first.answer('{"first":true}')
    second.answer('{"second":true}')
    input.write('{"id":2,"method":"now"}\n{"id":2,"method":"now"}\n')
    await turn()
    expect(written()).toEqual(expect.arrayContaining([{ second: true }, { id: 2 }, { id: 2 }]))
  })

  it('HS1 a line over the limit is answered with an error that says so, and the next one is read', async () => {
    start(makeServer(), { maxLineBytes: 2000 })
    input.write(`${'x'.repeat(3000)}\n${echo('next', 2)}\n`)
    await turn()
    expect(written()).toMatchObject([
      { error: { code: -32600, message: 'Invalid request: the line is longer than 2000 bytes' } },
      { id: 2, result: {} },
    ])
    expect(events).toMatchObject([{ code: 'stdio-refused' }])
  })

  it.each([
    ['no JSON', 'hello', -32700],
    ['a JSON string', '"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"tools/list\\"}"', -32600],
    ['a batch', '[]', -32600],
    ['null', 'null', -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
  ])('HS1 %s is answered with an error without an id, and the next line is read', async (_what, line, code) => {
    start(makeServer())
    input.write(`${line}\n${echo('next', 2)}\n`)
    await turn()
    const [error, next] = written()
    expect([error, next]).toMatchObject([{ error: { code } }, { id: 2 }])
    expect(error).not.toHaveProperty('id')
  })

  it('HS1 a long request nested deep is answered under its id, and the next line is read', async () => {
    start(makeServer())
    const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}`
    input.write(`${deep}\n${echo('next', 2)}\n`)
    await turn()
    expect(written()).toMatchObject([{ id: 1, error: { code: -32600 } }, { id: 2 }])
  })

  it('HS1 bytes that are not UTF-8 are answered with a parse error', async () => {
    start(makeServer())
    input.write(Buffer.from([0xff, 0x0a]))
    await turn()
    expect(written()).toMatchObject([{ error: { code: -32700 } }])
  })

  it('HS1 a notification is not answered', async () => {
    start(makeServer())
    input.write('{"jsonrpc":"2.0","method":"notifications/anything"}\n')
    await turn()
    expect(written()).toEqual([])
  })

  it('HS1 notifications of a request go out before its reply, and not after', async () => {
    const server = new HeldServer()
    start(server)
    input.write('{"id":1,"method":"a"}\n')
    const call = await server.next()
    call.exchange.notify?.(progress(1))
    call.answer('{"id":1}')
    await turn()
    call.exchange.notify?.(progress(2))
    expect(written()).toMatchObject([{ params: { progress: 1 } }, { id: 1 }])
  })

  it('HS1 the principal of the connection is told', async () => {
    const server = new HeldServer()
    start(server, { principal: 'ada', auth: { by: 'socket' } })
    input.write('{"id":1,"method":"a"}\n')
    expect((await server.next()).exchange).toMatchObject({ principal: 'ada', auth: { by: 'socket' } })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('inner')
      },
    ],
    ['rejects', () => Promise.reject(new Error('inner'))],
  ])('HS1 a server that %s is logged, its request answered, and the next line is read', async (_how, fail) => {
    let failed = false
    const handle = (): Reply | Promise<Reply> => {
      if (failed) return { status: 200, body: '{"id":2}' }
      failed = true
      return fail() as never
    }
    start({ handle })
    input.write('{"id":1,"method":"a"}\n')
    await turn()
    input.write('{"id":2,"method":"a"}\n')
    await turn()
    expect(written()).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
      { id: 2 },
    ])
    expect(events).toMatchObject([{ code: 'stdio-failed' }])
  })
})

describe('cancelling', () => {
  const cancel = (requestId: unknown, reason?: string) =>
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } })}\n`

  /** A real server whose tool `slow` runs until told, or cancelled. */
  function slowServer() {
    const server = new Server({ name: 'slow', version: '1.0.0' })
    const running: { reason: unknown; finish: (text: string) => void }[] = []
    server.tool('slow', {}, (_input, ctx) => {
      return new Promise<string>((finish) => {
        const call = { reason: undefined as unknown, finish }
        ctx.signal.addEventListener('abort', () => (call.reason = ctx.signal.reason ?? 'aborted'))
        running.push(call)
      })
    })
    return { server, running }
  }
  const slow = (id: string | number) => `${requestText('tools/call', { name: 'slow' }, { id, capabilities: {} })}\n`

  it('MUST-stdio-06 nothing more is sent for a cancelled request, and the others go on', async () => {
    const { server, running } = slowServer()
    start(server)
    input.write(slow(1) + slow('1') + slow(2))
    await turn()
    input.write(cancel('1', 'changed my mind'))
    await turn()
    expect(running.map(({ reason }) => reason !== undefined)).toEqual([false, true, false])
    for (const call of running) call.finish('done')
    await turn()
    await turn()
    expect(written()).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('MUST-cancel-06 a cancellation that is late, unknown or malformed does no harm', async () => {
    const { server, running } = slowServer()
    start(server)
    input.write(slow(1))
    await turn()
    running[0]?.finish('done')
    await turn()
    await turn()
    input.write(cancel(1) + cancel(99) + cancel({ a: 1 }) + cancel(null))
    input.write('{"jsonrpc":"2.0","method":"notifications/cancelled"}\n')
    input.write(slow(3))
    await turn()
    running[1]?.finish('again')
    await turn()
    await turn()
    expect(written()).toMatchObject([{ id: 1 }, { id: 3 }])
  })

  it('HS1 a cancellation on the heels of its request reaches a handler that starts later', async () => {
    const reasons: unknown[] = []
    const late = {
      async handle(message: { method: string; params: { requestId: number } }, exchange: Exchange) {
        if (message.method === 'cancel') {
          exchange.cancel?.(message.params.requestId, 'too slow')
          return { status: 202, body: undefined }
        }
        await turn()
        exchange.onCancel?.((reason) => reasons.push(reason))
        return { status: 200, body: '{"id":1}' }
      },
    }
    start(late as never)
    input.write('{"id":1,"method":"work"}\n{"method":"cancel","params":{"requestId":1}}\n')
    await turn()
    await turn()
    expect(reasons).toEqual(['too slow'])
    expect(written()).toEqual([])
  })

  it('MUST-cancel-02 the server itself announces no cancellation', async () => {
    const { server } = slowServer()
    start(server, { grace: 0 })
    input.write(slow(1))
    await turn()
    server.close()
    await served.close()
    expect(JSON.stringify(written())).not.toContain('cancelled')
  })
})

describe('the end', () => {
  it('HS1 at the end of the input running calls finish, and then it is over', async () => {
    const server = new HeldServer()
    start(server)
    input.end('{"id":1,"method":"a"}\n{"id":2,"method":"b"}')
    const [first, second] = [await server.next(), await server.next()]
    first.answer('{"id":1}')
    await turn()
    second.answer('{"id":2}')
    await served.closed
    expect(written()).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('HS1 what does not finish within the grace period is cancelled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const server = new HeldServer()
    start(server)
    input.end('{"id":1,"method":"a"}\n')
    const call = await server.next()
    await turn()
    await turn()
    vi.advanceTimersByTime(1500)
    expect(await call.cancelled).toBe('The client closed its input')
    await served.closed
    call.answer('{"id":1}')
    await turn()
    expect(written()).toEqual([])
  })

  it('HS1 a reader who is gone ends every call at once', async () => {
    const server = new HeldServer()
    start(server)
    input.write('{"id":1,"method":"a"}\n')
    const call = await server.next()
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(await call.cancelled).toBe('The client went away')
    await served.closed
  })

  it('HS1 an input that breaks is an end', async () => {
    start(makeServer())
    input.destroy(new Error('read EIO'))
    await served.closed
  })

  it.each(['input', 'output'] as const)('HS1 an %s that was over before is an end', async (which) => {
    const over = { input, output }[which]
    over.destroy()
    await turn()
    start(makeServer())
    await served.closed
  })

  it('HS1 an input that was read to its end before is an end', async () => {
    input.end()
    await input.resume().toArray()
    start(makeServer())
    await served.closed
  })

  it('HS1 leaves no timer and no listener behind, but those that keep late errors harmless', async () => {
    const before = [input, output].map((stream) => stream.eventNames().length)
    const timers = countTimers()
    const server = new HeldServer()
    start(server)
    input.write('{"id":1,"method":"a"}\n')
    const call = await server.next()
    const closed = served.close()
    call.answer('{"id":1}')
    await closed
    const names = [input, output].map((stream) => stream.eventNames().filter((name) => name !== 'error').length)
    expect(names).toEqual(before)
    expect(countTimers()).toBe(timers)
  })
})

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

describe('a reader who is slow', () => {
  it('HS1 is not sent what was held for a request that is cancelled meanwhile', async () => {
    const server = new HeldServer()
    const full = vi.spyOn(output, 'write').mockReturnValue(false)
    start(server)
    input.write('{"id":1,"method":"a"}\n{"id":2,"method":"b"}\n')
    const [first, second] = [await server.next(), await server.next()]
    first.exchange.notify?.(progress(1))
    first.exchange.notify?.(progress(2))
    second.exchange.notify?.(progress(3))
    second.exchange.cancel?.(1, 'enough')
    full.mockRestore()
    output.emit('drain')
    second.answer('{"id":2}')
    await turn()
    expect(written()).toMatchObject([{ params: { progress: 3 } }, { id: 2 }])
  })

  it('HS1 is not sent more than it takes, and no more is read for it meanwhile', async () => {
    const taken: string[] = []
    let take: (() => void) | undefined
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        taken.push(chunk.toString())
        take = done
      },
    })
    const server = {
      handle: (message: { id: number }) => ({ status: 200, body: `{"id":${message.id},"pad":"${'x'.repeat(100)}"}` }),
    }
    served = new LineServer(server as never, input, slow, { heldLimit: 1000 })
    for (let id = 1; id <= 100; id++) input.write(`{"id":${id},"method":"a"}\n`)
    await turn()
    expect(taken).toHaveLength(1)
    expect(input.isPaused()).toBe(true)
    while (taken.length < 100) {
      take?.()
      await turn()
    }
    take?.()
    expect(taken.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    )
    const closed = served.close()
    await turn()
    take?.()
    await closed
  })
})
