import { inputRequired, Server, type Context } from 'rondo'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EVERYTHING } from '../support/rpc.ts'
import { LineClient, type Message } from './line-client.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const open: LineClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

function serverOf(handler: (ctx: Context) => unknown): Server {
  const server = new Server({ name: 'old', version: '1' }, { log: () => undefined })
  server.tool('it', {}, (_args, ctx) => handler(ctx) as string)
  return server
}

async function connect(
  handler: (ctx: Context) => unknown,
  revision = '2025-11-25',
  capabilities: object = EVERYTHING,
): Promise<LineClient> {
  const client = await LineClient.connect(serverOf(handler), revision, capabilities)
  open.push(client)
  return client
}

const isRequest = ({ id, method }: Message) => id !== undefined && method !== undefined
const isReplyTo = (id: number) => (message: Message) => message.id === id && message.method === undefined
const begin = (client: LineClient) => client.begin('tools/call', { name: 'it', arguments: {} })
const answer = (client: LineClient, { id }: Message, result: object) => client.send({ jsonrpc: '2.0', id, result })
const accept = (content: object) => ({ action: 'accept', content })

async function textOf(client: LineClient, id: number): Promise<string> {
  const { result } = await client.until(isReplyTo(id))
  return (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? ''
}

describe('an ask is a request of the server’s own', () => {
  test('L6 a form, with its answer in place', async () => {
    const client = await connect(async (ctx) => {
      const why = await ctx.ask.form('why', { message: 'Why?', schema: z.object({ reason: z.string() }) })
      return why.action === 'accept' ? why.content.reason : why.action
    })
    const id = begin(client)
    const asked = await client.until(isRequest)
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { mode: 'form', message: 'Why?' } })
    answer(client, asked, accept({ reason: 'because' }))
    expect(await textOf(client, id)).toBe('because')
  })

  test('L6 a URL has the id that 2025-11-25 wants with it, another each time', async () => {
    const client = await connect(async (ctx) => {
      await ctx.ask.url('one', { message: 'Go', url: 'https://example.com/1' })
      return (await ctx.ask.url('two', { message: 'Go', url: 'https://example.com/2' })).action
    })
    const id = begin(client)
    const first = await client.until(isRequest)
    answer(client, first, { action: 'accept' })
    const second = await client.until(isRequest)
    answer(client, second, { action: 'decline' })
    expect(await textOf(client, id)).toBe('decline')
    const ids = [first, second].map(({ params }) => params?.['elicitationId'])
    expect(ids.every((one) => typeof one === 'string' && one.length > 20)).toBe(true)
    expect(new Set(ids).size).toBe(2)
  })

  test('L6 asks awaited together go out together; one that fails takes the others back, and none of the handler runs on', async () => {
    let after = false
    const client = await connect(async (ctx) => {
      try {
        await Promise.all([ctx.ask.confirm('a', 'A?'), ctx.ask.confirm('b', 'B?')])
      } catch {
        // Whatever it was.
      }
      after = true
      return 'never'
    })
    const id = begin(client)
    const one = await client.until(isRequest)
    const two = await client.until(isRequest)
    client.send({ jsonrpc: '2.0', id: one.id, error: { code: -1, message: 'User rejected' } })
    const cancelled = await client.until(({ method }) => method === 'notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: two.id })
    const { result } = await client.until(isReplyTo(id))
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'The client answered elicitation/create with the error -1: User rejected' }],
    })
    await turn()
    expect(after).toBe(false)
  })

  test('L6 a call that its client cancels takes its ask back, and gets no reply', async () => {
    const client = await connect((ctx) => ctx.ask.confirm('a', 'A?').then(String))
    const id = begin(client)
    const asked = await client.until(isRequest)
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } })
    const cancelled = await client.until(({ method }) => method === 'notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: asked.id })
    answer(client, asked, { action: 'decline' })
    await client.request('tools/list')
    expect(client.take()).toEqual([])
  })

  test('L6 the return form asks all it returned together, and is run again with the answers', async () => {
    const question = (message: string) => ({
      method: 'elicitation/create' as const,
      params: {
        mode: 'form' as const,
        message,
        requestedSchema: { type: 'object' as const, properties: { v: { type: 'string' as const } } },
      },
    })
    const client = await connect((ctx) => {
      if (ctx.inputResponses === undefined) {
        return inputRequired({ inputRequests: { a: question('A?'), b: question('B?') }, requestState: 'once' })
      }
      const { a, b } = ctx.inputResponses as unknown as Record<string, { content: { v: string } }>
      return `${a?.content.v} ${b?.content.v} ${ctx.requestState}`
    })
    const id = begin(client)
    const asked = [await client.until(isRequest), await client.until(isRequest)]
    for (const one of asked.reverse()) answer(client, one, accept({ v: String(one.params?.['message']) }))
    expect(await textOf(client, id)).toBe('A? B? once')
  })

  test('L6 two calls wait for their people at the same time, each for its own', async () => {
    const client = await connect(
      async (ctx) => (await ctx.ask.url('a', { message: 'A', url: 'https://a.example/' })).action,
    )
    const [first, second] = [begin(client), begin(client)]
    const [one, two] = [await client.until(isRequest), await client.until(isRequest)]
    answer(client, two, { action: 'decline' })
    expect(await textOf(client, second)).toBe('decline')
    answer(client, one, { action: 'accept' })
    expect(await textOf(client, first)).toBe('accept')
  })

  test('L6 a client that is gone ends its calls', async () => {
    let aborted = false
    const client = await connect(async (ctx) => {
      ctx.signal.addEventListener('abort', () => (aborted = true))
      await ctx.ask.confirm('a', 'A?')
      return 'never'
    })
    begin(client)
    await client.until(isRequest)
    await client.close()
    expect(aborted).toBe(true)
  })
})

describe('what a revision cannot ask', () => {
  test.each([
    ['2025-11-25', { form: true, url: true, sample: true, sampleWithTools: true, roots: true }],
    ['2025-06-18', { form: true, url: false, sample: true, sampleWithTools: false, roots: true }],
    ['2025-03-26', { form: false, url: false, sample: true, sampleWithTools: false, roots: true }],
    ['2024-11-05', { form: false, url: false, sample: true, sampleWithTools: false, roots: true }],
  ])('L6 %s: ctx.can tells, whatever the client declared', async (revision, can) => {
    const told = ({ can: { form, url, sample, sampleWithTools, roots } }: Context) =>
      JSON.stringify({ form, url, sample, sampleWithTools, roots })
    const client = await connect(told, revision)
    expect(JSON.parse(await textOf(client, begin(client)))).toEqual(can)
  })

  test('L6 a client that cannot be asked gets an error that says what it lacks, and nothing of the handler runs on', async () => {
    let after = false
    const handler = async (ctx: Context) => {
      await ctx.ask.confirm('a', 'A?')
      after = true
    }
    const client = await connect(handler, '2025-11-25', {})
    const { error } = await client.request('tools/call', { name: 'it', arguments: {} })
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } })
    expect(after).toBe(false)
  })

  test('L6 2025-06-18 gets a form in its words: no mode, titles of choices beside them, a default for a yes or no alone', async () => {
    const sizes = [
      { const: 's', title: 'Small' },
      { const: 'l', title: 'Large' },
    ]
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'string', oneOf: sizes, default: 's' },
        count: { type: 'integer', default: 3 },
        gift: { type: 'boolean', default: true },
      },
    } as const
    const client = await connect(
      async (ctx) => (await ctx.ask.form('f', { message: 'F', schema })).action,
      '2025-06-18',
    )
    const id = begin(client)
    const asked = await client.until(isRequest)
    expect(asked.params).toEqual({
      message: 'F',
      requestedSchema: {
        type: 'object',
        properties: {
          size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
          count: { type: 'integer' },
          gift: { type: 'boolean', default: true },
        },
      },
    })
    answer(client, asked, accept({ size: 'l' }))
    expect(await textOf(client, id)).toBe('accept')
  })

  test('L6 2025-06-18 cannot ask for several choices: the call says so', async () => {
    const tags = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } as const
    const schema = { type: 'object', properties: { tags } } as const
    const client = await connect(
      async (ctx) => (await ctx.ask.form('f', { message: 'F', schema })).action,
      '2025-06-18',
    )
    expect(await textOf(client, begin(client))).toBe(
      'The client speaks revision 2025-06-18 of MCP, which cannot ask for a field with several choices, as "tags" is.',
    )
  })

  test('L6 2025-06-18 gets one block a message when a model is asked', async () => {
    const client = await connect(async (ctx) => {
      const content = [
        { type: 'text' as const, text: 'a' },
        { type: 'text' as const, text: 'b' },
      ]
      await ctx.ask.sample('s', { messages: [{ role: 'user', content }], maxTokens: 5 })
      return 'asked'
    }, '2025-06-18')
    const id = begin(client)
    const asked = await client.until(isRequest)
    expect(asked.params?.['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: 'a' } },
      { role: 'user', content: { type: 'text', text: 'b' } },
    ])
    answer(client, asked, { role: 'assistant', model: 'm', content: { type: 'text', text: 'c' } })
    expect(await textOf(client, id)).toBe('asked')
  })
})
