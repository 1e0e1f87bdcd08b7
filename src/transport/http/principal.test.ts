import { afterEach, expect, it } from 'vitest'
import { Server } from '../../entry/index.ts'
import { HttpRefusal, listen, type Listening, type ListenOptions } from '../../entry/node.ts'
import { begin, HeldServer, send } from '../../../test/support/http.ts'
import { requestText } from '../../../test/support/rpc.ts'

let listening: Listening | undefined

afterEach(async () => {
  await listening?.close()
  listening = undefined
})

async function start(options: ListenOptions): Promise<string> {
  const server = new Server({ name: 'who', version: '1.0.0' })
  server.tool('who', {}, (_input, ctx) => JSON.stringify([ctx.principal, ctx.auth ?? null, ctx.http?.header('x-who')]))
  listening = await listen(server, { port: 0, ...options })
  return listening.url
}

async function who(options: ListenOptions, headers: Record<string, string> = {}) {
  const url = await start(options)
  const reply = await send(url, {
    body: requestText('tools/call', { name: 'who' }, { id: 1 }),
    headers: { 'mcp-method': 'tools/call', 'mcp-name': 'who', ...headers },
  })
  const message = JSON.parse(reply.text) as { result?: { content: { text: string }[] }; error?: { message: string } }
  const told = message.result && (JSON.parse(message.result.content[0]?.text ?? '') as unknown)
  return { status: reply.status, challenge: reply.headers['www-authenticate'], told, error: message.error }
}

it('H1 nobody asks: the caller is anonymous', async () => {
  expect((await who({}, { 'x-who': 'me' })).told).toEqual(['', null, 'me'])
})

it.each([
  ['a string', () => 'ada', ['ada', null, null]],
  ['an object', () => ({ principal: 'ada', auth: { scope: 'x' } }), ['ada', { scope: 'x' }, null]],
  ['a promise', async () => 'ada', ['ada', null, null]],
  ['anonymous', () => '', ['', null, null]],
])('H1 the principal option gives %s', async (_what, principal, told) => {
  expect((await who({ principal })).told).toEqual(told)
})

it('H1 the principal option sees the request without its body', async () => {
  const seen: unknown[] = []
  await who(
    {
      principal: (request) => {
        seen.push(request.method, request.url, request.header('x-who'), request.peer, request.raw.httpVersion)
        return 'ada'
      },
    },
    { 'x-who': 'me' },
  )
  expect(seen).toEqual(['POST', '/mcp', 'me', '127.0.0.1', '1.1'])
})

it('H2 undefined: 401 with the challenge', async () => {
  expect(await who({ principal: () => undefined })).toMatchObject({ status: 401, challenge: 'Bearer' })
  const challenge = 'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource"'
  expect(await who({ principal: async () => undefined, challenge })).toMatchObject({ status: 401, challenge })
})

it.each([
  ['returned', () => new HttpRefusal(403, { message: 'Not you.', challenge: 'Bearer error="insufficient_scope"' })],
  [
    'thrown',
    () => {
      throw new HttpRefusal(403, { message: 'Not you.', challenge: 'Bearer error="insufficient_scope"' })
    },
  ],
  [
    'rejected with',
    async () => {
      throw new HttpRefusal(403, { message: 'Not you.', challenge: 'Bearer error="insufficient_scope"' })
    },
  ],
])('H2 a refusal that is %s: 403', async (_how, principal) => {
  expect(await who({ principal })).toMatchObject({
    status: 403,
    challenge: 'Bearer error="insufficient_scope"',
    error: { code: -32600, message: 'Not you.' },
  })
})

it('H2 a refusal of 403 has no challenge unless it says so', async () => {
  expect((await who({ principal: () => new HttpRefusal(403) })).challenge).toBeUndefined()
})

it.each([
  [
    'throws',
    () => {
      throw new Error('the database is at db.internal')
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('the database is at db.internal')
    },
  ],
  ['gives nonsense', () => ({ user: 'ada' }) as never],
])('H2 an option that %s: 500, logged, and nothing of why leaves', async (_how, principal) => {
  const events: { code: string }[] = []
  const reply = await who({ principal, log: (event) => events.push(event) })
  expect(reply).toMatchObject({ status: 500, error: { code: -32603, message: 'Internal error' } })
  expect(events.filter(({ code }) => code.startsWith('http'))).toMatchObject([
    { code: 'http-failed', error: expect.any(Error) },
  ])
})

it('H2 a log that throws does no harm', async () => {
  const log = () => {
    throw new Error('full disk')
  }
  expect(
    (
      await who({
        principal: () => {
          throw new Error('no')
        },
        log,
      })
    ).status,
  ).toBe(500)
})

it('H2 the caller is refused before the body is read', async () => {
  const url = await start({ principal: () => undefined })
  const { sent, response } = begin(url, { headers: { 'content-length': '100', expect: '100-continue' } })
  sent.on('continue', () => expect.unreachable('the server wants the body'))
  expect((await response).statusCode).toBe(401)
})

it('H4 a client that goes away while it is identified is never served', async () => {
  const server = new HeldServer()
  let answer: (principal: string) => void = () => undefined
  let asked: () => void = () => undefined
  const identifying = new Promise<void>((resolve) => (asked = resolve))
  listening = await listen(server, {
    port: 0,
    principal: () => {
      asked()
      return new Promise((resolve) => (answer = resolve))
    },
  })
  const { sent } = begin(listening.url, { body: '{}' })
  const gone = new Promise((resolve) => listening?.server.once('connection', (socket) => socket.once('close', resolve)))
  await identifying
  sent.destroy()
  await gone
  answer('ada')
  await new Promise((resolve) => setImmediate(resolve))
  expect(server.calls).toBe(0)
})

it('H2 a challenge that cannot stand in a header is refused at once', async () => {
  expect(() => new HttpRefusal(401, { challenge: 'Bearer\r\nSet-Cookie: a=b' })).toThrow(RangeError)
  await expect(
    listen({ handle: () => ({ status: 202, body: undefined }) }, { port: 0, challenge: 'é' }),
  ).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: { option: 'challenge' } })
})
