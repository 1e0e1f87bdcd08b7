import { Server, type Context } from 'rondo'
import { listen } from 'rondo/node'
import { harness, TestClock } from 'rondo/testing'
import { expect, test } from 'vitest'
import { EVERYTHING, callTool } from '../support/rpc.ts'
import { HandClock } from '../support/http.ts'
import { HttpClient } from './http-client.ts'
import { LineClient, type Message } from './line-client.ts'

type See = (value: unknown) => void
type Handler = (ctx: Context, see: See) => Promise<unknown>
/** Answers by what is asked; called anew each time. */
type Answers = (message: string, count: number) => object

const accept = (content: object) => ({ action: 'accept', content })
const text = { type: 'object', properties: { v: { type: 'string', minLength: 2 } }, required: ['v'] } as const
const form = (ctx: Context, key: string) => ctx.ask.form(key, { message: key, schema: text })
const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'four' } }
const question = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: '2+2?' } }],
  maxTokens: 9,
}

const HANDLERS: Readonly<Record<string, readonly [Handler, Answers]>> = {
  'one after the other': [
    async (ctx, see) => {
      see(await form(ctx, 'a'))
      see(await form(ctx, 'b'))
      return 'done'
    },
    (message) => accept({ v: `of ${message}` }),
  ],
  'all at once': [
    async (ctx, see) => {
      see(
        await Promise.all([
          form(ctx, 'a'),
          form(ctx, 'b'),
          ctx.ask.url('c', { message: 'c', url: 'https://c.example/' }),
        ]),
      )
      return 'done'
    },
    (message) => (message === 'c' ? { action: 'decline' } : accept({ v: `of ${message}` })),
  ],
  'in a loop, with steps between': [
    async (ctx, see) => {
      for (let n = 0; n < 5; n++) {
        see(await form(ctx, 'again'))
        see(await ctx.step('work', () => ({ n, none: undefined })))
      }
      return 'done'
    },
    (_message, count) => accept({ v: `number ${count}` }),
  ],
  'a step that fails': [
    async (ctx, see) => {
      try {
        await ctx.step('bad', () => {
          throw new Error('broken')
        })
      } catch (error) {
        see([(error as Error).name, (error as Error).message])
      }
      see(await form(ctx, 'after'))
      return 'done'
    },
    () => accept({ v: 'yes' }),
  ],
  'declined, cancelled': [
    async (ctx, see) => {
      see(await form(ctx, 'no'))
      see(await form(ctx, 'gone'))
      return 'done'
    },
    (message) => ({ action: message === 'no' ? 'decline' : 'cancel' }),
  ],
  'ended by a decline': [
    async (ctx, see) => {
      see(await form(ctx, 'first'))
      see(await ctx.ask.form('last', { message: 'last', schema: text, orEnd: 'Not done.' }))
      return 'done'
    },
    (message) => (message === 'last' ? { action: 'decline' } : accept({ v: 'ok' })),
  ],
  'an answer that does not fit, twice': [
    async (ctx, see) => {
      see(await form(ctx, 'long'))
      return 'done'
    },
    (_message, count) => accept({ v: count < 3 ? 'x' : 'long enough' }),
  ],
  'an answer that never fits': [
    async (ctx, see) => {
      see(await form(ctx, 'long'))
      return 'never'
    },
    () => accept({ v: 'x' }),
  ],
  'the model, roots, a scope': [
    async (ctx, see) => {
      see(await ctx.ask.sample('sum', question))
      see(await ctx.ask.roots())
      see(await form(ctx.scope('part'), 'a'))
      return 'done'
    },
    (message) =>
      message === 'sampling/createMessage'
        ? sampled
        : message === 'roots/list'
          ? { roots: [{ uri: 'file:///r' }] }
          : accept({ v: 'in scope' }),
  ],
  'a race': [
    async (ctx, see) => {
      see(await Promise.race([form(ctx, 'a'), form(ctx, 'b')]))
      return 'done'
    },
    (message) => accept({ v: `of ${message}` }),
  ],
}

/** The server, and what the handler's last attempt saw. */
function traced(handler: Handler): { readonly server: Server; readonly seen: () => readonly unknown[] } {
  let seen: unknown[] = []
  const server = new Server({ name: 'eras', version: '1' }, { log: () => undefined })
  server.tool('it', {}, async (_args, ctx) => {
    const mine: unknown[] = []
    seen = mine
    return (await handler(ctx, (value) => mine.push(value))) as string
  })
  return { server, seen: () => seen }
}

function answering(answers: Answers): (request: { method: string; params?: Record<string, unknown> }) => object {
  const counts = new Map<string, number>()
  return ({ method, params }) => {
    // What is put again has a reason behind its message.
    const message = typeof params?.['message'] === 'string' ? (params['message'].split('\n')[0] as string) : method
    const count = (counts.get(message) ?? 0) + 1
    counts.set(message, count)
    return answers(message, count)
  }
}

/** By rounds, as a client of 2026-07-28 does. */
async function modern(server: Server, answers: Answers): Promise<unknown> {
  const answer = answering(answers)
  let more: object = {}
  for (;;) {
    const { result, error } = await callTool(server, 'it', {}, more)
    if (result?.resultType !== 'input_required') return { content: result?.content, isError: result?.isError, error }
    const { inputRequests = {}, requestState } = result
    const inputResponses = Object.fromEntries(Object.entries(inputRequests).map(([key, asked]) => [key, answer(asked)]))
    more = { inputResponses, requestState }
  }
}

/** While the handler waits, as a client of 2025-11-25 does. */
async function legacy(server: Server, answers: Answers): Promise<unknown> {
  const answer = answering(answers)
  const client = await LineClient.connect(server, '2025-11-25', EVERYTHING)
  const id = client.begin('tools/call', { name: 'it', arguments: {} })
  for (;;) {
    const message: Message = await client.until(
      ({ id: of, method }) => of !== undefined && (method !== undefined || of === id),
    )
    if (message.method === undefined) {
      await client.close()
      const { result, error } = message
      return { content: result?.['content'], isError: result?.['isError'], error }
    }
    const { id: of, method, params } = message
    client.send({ jsonrpc: '2.0', id: of, result: answer(params === undefined ? { method } : { method, params }) })
  }
}

test.each(Object.entries(HANDLERS))(
  'L10 %s: what the handler saw is the same in both eras',
  async (_name, [handler, answers]) => {
    const now = traced(handler)
    const before = traced(handler)
    const outcomes = [await modern(now.server, answers), await legacy(before.server, answers)]
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(before.seen()).toEqual(now.seen())
  },
)

test('L10 a form left open for two hours still completes at 2026-07-28', async () => {
  const server = new Server({ name: 'slow', version: '1' }, { state: { roundTtl: '3 h' } })
  server.tool('it', {}, async (_args, ctx) => ((await form(ctx, 'a')).action === 'accept' ? 'done' : 'no'))
  const clock = new TestClock()
  const kit = harness(server, { clock })
  const round = await kit.startTool('it', {})
  clock.advance('2 h')
  expect((await kit.finish(round, { a: { v: 'at last' } })).text).toBe('done')
})

test('L10 a form left open for two hours still completes in a session', async () => {
  const clock = new HandClock()
  const now = new TestClock()
  const server = new Server({ name: 'slow', version: '1' }, { now: () => now.now() })
  server.tool('it', {}, async (_args, ctx) => ((await form(ctx, 'a')).action === 'accept' ? 'done' : 'no'))
  const listening = await listen(server, { port: 0, clock })
  const client = await HttpClient.connect(listening.url, '2025-11-25', EVERYTHING)
  const stream = await client.stream({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'it', arguments: {} },
  })
  const asked = await stream.message()
  now.advance('2 h')
  clock.pass(7200)
  const result = accept({ v: 'at last' })
  expect((await client.post({ jsonrpc: '2.0', id: asked.data.id, result })).status).toBe(202)
  expect((await stream.message()).data).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  await listening.close()
})
