import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Server, type Context } from 'rondo'
import { listen, type Listening } from 'rondo/node'
import { sseHandler, type SseOptions } from 'rondo/sse'
import { afterEach, expect, test } from 'vitest'
import type { IncomingMessage } from 'node:http'
import { HandClock, send } from '../support/http.ts'
import { initialize } from './line-client.ts'

let listening: Listening | undefined
afterEach(async () => {
  await listening?.close({ deadline: 0 })
  listening = undefined
})

const JSON_ONLY = { 'content-type': 'application/json' }

async function start(
  handler: (ctx: Context) => unknown = () => 'done',
  options: SseOptions<IncomingMessage> = {},
): Promise<URL> {
  const server = new Server({ name: 'old', version: '1' }, { log: () => undefined })
  server.tool('it', {}, (_args, ctx) => handler(ctx) as string)
  const beside = sseHandler(server, { path: '/sse', log: () => undefined, ...options })
  listening = await listen(server, { port: 0, log: () => undefined, beside })
  return new URL('/sse', listening.url)
}

/** The bare wire: the stream, and where to post. */
async function open(url: URL, headers: Record<string, string> = {}) {
  const gone = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: gone.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<{ event: string; data: string } | undefined> => {
    while (!text.includes('\n\n')) {
      const read = await reader?.read()
      if (read === undefined || read.done) return undefined
      text += read.value
    }
    const end = text.indexOf('\n\n')
    const [event = '', data = ''] = text.slice(0, end).split('\n')
    text = text.slice(end + 2)
    return { event, data: data.replace('data: ', '') }
  }
  const first = await next()
  const address = new URL(first?.data ?? '', url)
  const post = (message: unknown, more: Record<string, string> = {}) =>
    send(address.href, {
      body: JSON.stringify(message),
      headers: { ...JSON_ONLY, 'mcp-protocol-version': undefined, ...more },
    })
  return { status: response.status, first, next, post, address, drop: () => gone.abort() }
}

test('L9 a client that knows only HTTP+SSE is served, and asked', async () => {
  const url = await start(async (ctx) => {
    const answer = await ctx.ask.form('name', {
      message: 'Name?',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    })
    return answer.action === 'accept' ? `hello ${String(answer.content['name'])}` : 'bye'
  })
  const client = new Client({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }))
  await client.connect(new SSEClientTransport(url))
  expect(await client.callTool({ name: 'it', arguments: {} })).toMatchObject({ content: [{ text: 'hello Ada' }] })
  await client.close()
})

test('L9 the first event says where to post; what is answered goes out on the stream, and the POST gets 202', async () => {
  const client = await open(await start())
  expect(client.first?.event).toBe('event: endpoint')
  expect(await client.post(initialize('2024-11-05'))).toMatchObject({ status: 202, text: '' })
  const { event, data } = (await client.next()) ?? {}
  expect(event).toBe('event: message')
  expect(JSON.parse(data ?? '')).toMatchObject({ id: 'init', result: { protocolVersion: '2024-11-05' } })
  expect((await client.post('nonsense')).status).toBe(202)
  expect(JSON.parse((await client.next())?.data ?? '')).toMatchObject({ error: { code: -32600 } })
  client.drop()
})

test('L9 a stream is its principal’s alone', async () => {
  const principal: SseOptions<IncomingMessage>['principal'] = (request) => request.header('x-who') ?? ''
  const client = await open(await start(undefined, { principal }), { 'x-who': 'ada' })
  expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'x-who': 'eve' })).status).toBe(404)
  expect((await client.post(initialize('2024-11-05'), { 'x-who': 'ada' })).status).toBe(202)
  client.drop()
})

test('L9 a client that goes away cancels its calls, and its stream is no more', async () => {
  let cancelled: () => void = () => undefined
  let started: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (cancelled = resolve))
  const running = new Promise<void>((resolve) => (started = resolve))
  const url = await start(async (ctx) => {
    ctx.signal.addEventListener('abort', () => cancelled())
    started()
    await gone
    return ''
  })
  const client = await open(url)
  await client.post(initialize('2024-11-05'))
  await client.post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'it', arguments: {} } })
  await running
  client.drop()
  await gone
  expect((await client.post({ jsonrpc: '2.0', id: 3, method: 'ping' })).status).toBe(404)
})

test('L9 what is no such request is refused: no Accept, no stream, another method, too many clients, a strange Origin', async () => {
  const url = await start(undefined, { max: 1 })
  expect((await send(url.href, { method: 'GET', headers: { accept: 'application/json' } })).status).toBe(406)
  expect((await send(url.href, { body: '{}', headers: { 'mcp-protocol-version': undefined } })).status).toBe(404)
  expect((await send(url.href, { method: 'DELETE' })).status).toBe(405)
  const origin = { accept: 'text/event-stream', origin: 'https://evil.example' }
  expect((await send(url.href, { method: 'GET', headers: origin })).status).toBe(403)
  const client = await open(url)
  const second = await send(url.href, { method: 'GET', headers: { accept: 'text/event-stream' } })
  expect([second.status, second.headers['retry-after']]).toEqual([503, '60'])
  client.drop()
})

test('L9 a quiet stream is kept alive; no timer runs without one', async () => {
  const clock = new HandClock()
  const client = await open(await start(undefined, { clock, keepAlive: 5 }))
  expect(clock.running).toBe(1)
  clock.pass(5)
  expect((await client.next())?.event).toBe(':')
  await listening?.close({ deadline: 0 })
  expect(clock.running).toBe(0)
})

test('L9 H5 closing lets a call finish, then ends the stream', async () => {
  let finish: () => void = () => undefined
  let started: () => void = () => undefined
  const running = new Promise<void>((resolve) => (started = resolve))
  const url = await start(() => {
    started()
    return new Promise((resolve) => (finish = () => resolve('done')))
  })
  const client = await open(url)
  await client.post(initialize('2024-11-05'))
  await client.next()
  await client.post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'it', arguments: {} } })
  await running
  const closing = listening?.close()
  finish()
  expect(JSON.parse((await client.next())?.data ?? '')).toMatchObject({
    id: 2,
    result: { content: [{ text: 'done' }] },
  })
  expect(await client.next()).toBeUndefined()
  await closing
})

test('L9 other paths stay the endpoint’s', async () => {
  const url = await start()
  expect((await send(new URL('/health', url).href, { method: 'GET' })).status).toBe(200)
  expect((await send(new URL('/none', url).href, { method: 'GET' })).status).toBe(404)
})
