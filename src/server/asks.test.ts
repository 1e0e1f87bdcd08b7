import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputRequired, Server, type Context, type ServerLog } from '../entry/index.ts'
import { EVERYTHING, rpc, type RpcReply } from '../../test/support/rpc.ts'

type Body = (ctx: Context) => Promise<unknown>

/** A server with one tool, `t`, whose outcome is `body`'s value as JSON. */
function serverOf(body: Body, logs: ServerLog[] = []): Server {
  const server = new Server({ name: 'asks', version: '1.0.0' }, { log: (event) => logs.push(event) })
  server.tool('t', {}, async (_args, ctx) => JSON.stringify((await body(ctx)) ?? null))
  server.prompt('p', {}, async (_args, ctx) => JSON.stringify((await body(ctx)) ?? null))
  return server
}

const ask = (server: Server, more: object = {}, capabilities: object = EVERYTHING) =>
  rpc(server, 'tools/call', { name: 't', ...more }, { capabilities })

/** Plays a call to its end with one answer per key. */
async function play(body: Body, answers: Record<string, unknown>): Promise<{ last: RpcReply; asked: RpcReply }> {
  const server = serverOf(body)
  const asked = await ask(server)
  let last = asked
  for (let round = 0; round < 5 && last.result?.resultType === 'input_required'; round += 1) {
    last = await ask(server, { requestState: last.result.requestState, inputResponses: answers })
  }
  return { last, asked }
}

const accept = (value: unknown) => ({ action: 'accept', content: { value } })
const valueOf = ({ result }: RpcReply): unknown => JSON.parse(result?.content?.[0]?.text ?? 'null')
const formOf = ({ result }: RpcReply, key = 'q') =>
  (result?.inputRequests?.[key]?.params as { requestedSchema: { properties: Record<string, unknown> } }).requestedSchema

describe('kinds of asks', () => {
  it.each<[string, Body, unknown, unknown, unknown]>([
    [
      'confirm yes',
      (ctx) => ctx.ask.confirm('q', 'Go?').then(Boolean) as Promise<unknown>,
      accept(true),
      { type: 'boolean' },
      true,
    ],
    ['confirm no', async (ctx) => ctx.ask.confirm('q', 'Go?'), accept(false), { type: 'boolean' }, false],
    ['confirm declined', async (ctx) => ctx.ask.confirm('q', 'Go?'), { action: 'decline' }, { type: 'boolean' }, false],
    [
      'text',
      async (ctx) => ctx.ask.text('q', 'Name?', { minLength: 2, title: 'Name' }),
      accept('Ada'),
      { type: 'string', title: 'Name', minLength: 2 },
      { action: 'accept', content: 'Ada' },
    ],
    [
      'number',
      async (ctx) => ctx.ask.number('q', 'How many?', { integer: true, minimum: 1, default: 3 }),
      accept(4),
      { type: 'integer', default: 3, minimum: 1 },
      { action: 'accept', content: 4 },
    ],
    [
      'choice of values',
      async (ctx) => ctx.ask.choice('q', 'Which?', ['a', 'b']),
      accept('b'),
      { type: 'string', enum: ['a', 'b'] },
      { action: 'accept', content: 'b' },
    ],
    [
      'choice with titles',
      async (ctx) => ctx.ask.choice('q', 'Which?', { a: 'First', b: 'Second' }),
      accept('a'),
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'First' },
          { const: 'b', title: 'Second' },
        ],
      },
      { action: 'accept', content: 'a' },
    ],
    [
      'choice of several',
      async (ctx) => ctx.ask.choice('q', 'Which?', ['a', 'b', 'c'], { multiple: true, min: 1 }),
      accept(['a', 'c']),
      { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1 },
      { action: 'accept', content: ['a', 'c'] },
    ],
  ])('%s', async (_name, body, answer, property, value) => {
    const { asked, last } = await play(body, { q: answer })
    expect(formOf(asked)).toEqual({ type: 'object', properties: { value: property }, required: ['value'] })
    expect(valueOf(last)).toEqual(value)
  })

  it('a form gives the content as the author’s schema makes it', async () => {
    const schema = z.object({ when: z.iso.date(), note: z.string().default('none') })
    const { last } = await play(async (ctx) => ctx.ask.form('q', { message: 'When?', schema }), {
      q: { action: 'accept', content: { when: '2026-08-01' } },
    })
    expect(valueOf(last)).toEqual({ action: 'accept', content: { when: '2026-08-01', note: 'none' } })
  })

  it('a URL ask gives the action alone', async () => {
    const { asked, last } = await play(
      async (ctx) => ctx.ask.url('q', { message: 'Pay', url: 'https://pay.example/1' }),
      {
        q: { action: 'accept' },
      },
    )
    expect(asked.result?.inputRequests?.['q']?.params).toEqual({
      mode: 'url',
      message: 'Pay',
      url: 'https://pay.example/1',
    })
    expect(valueOf(last)).toEqual({ action: 'accept' })
  })

  it('sampling and roots give the result itself', async () => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }
    const roots = { roots: [{ uri: 'file:///home' }] }
    const body: Body = async (ctx) =>
      Promise.all([
        ctx.ask.sample('s', {
          messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }],
          maxTokens: 5,
        }),
        ctx.ask.roots(),
      ])
    const { last } = await play(body, { s: sampled, roots })
    expect(valueOf(last)).toEqual([sampled, roots])
  })
})

describe('orEnd', () => {
  const body =
    (after: string[]): Body =>
    async (ctx) => {
      try {
        const text = await ctx.ask.text('q', 'Name?', { orEnd: 'No name, no greeting.' })
        after.push('accepted')
        return text
      } catch {
        after.push('caught')
      }
      after.push('went on')
      return undefined
    }

  it('gives the content alone', async () => {
    expect(valueOf((await play(body([]), { q: accept('Ada') })).last)).toBe('Ada')
  })

  it.each(['decline', 'cancel'])('E4 a %s ends the call with the text, and no further line runs', async (action) => {
    const after: string[] = []
    const { last } = await play(body(after), { q: { action } })
    expect(last.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'No name, no greeting.' }] })
    expect(after).toEqual([])
  })

  it('is -32603 with the text for a prompt', async () => {
    const server = serverOf(body([]))
    const first = await rpc(server, 'prompts/get', { name: 'p' })
    const answered = {
      name: 'p',
      requestState: first.result?.requestState,
      inputResponses: { q: { action: 'decline' } },
    }
    expect((await rpc(server, 'prompts/get', answered)).error).toEqual({
      code: -32603,
      message: 'No name, no greeting.',
    })
  })
})

describe('a wait that does not hold', () => {
  it.each([0, '0 s', '0ms'] as const)('E2 ends the round at once with a state alone: hold %j', async (hold) => {
    let polls = 0
    const server = serverOf(async (ctx) => {
      return ctx.waitFor('paid', () => (++polls < 3 ? undefined : 'paid'), { hold, every: '1 h' })
    })
    const first = await ask(server)
    expect(first.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string })
    expect(first.result).not.toHaveProperty('inputRequests')
    const second = await ask(server, { requestState: first.result?.requestState })
    expect(second.result?.resultType).toBe('input_required')
    expect(valueOf(await ask(server, { requestState: second.result?.requestState }))).toBe('paid')
    expect(polls).toBe(3)
  })

  it.each([-1, NaN, Infinity, '-0 s', '0', 'soon', null])('E2 a hold of %j is none', async (hold) => {
    const logs: ServerLog[] = []
    await ask(serverOf(async (ctx) => ctx.waitFor('q', () => 1, { hold: hold as never }), logs))
    expect(logs.some(({ code }) => code === 'DEFINITION_INVALID')).toBe(true)
  })
})

describe('an unusable ask ends the call, and nothing after it runs', () => {
  it.each<[string, string, (ctx: Context) => PromiseLike<unknown>]>([
    [
      'ASK_SCHEMA',
      'a nested form',
      (ctx) => ctx.ask.form('q', { message: 'm', schema: z.object({ a: z.object({}) }) }),
    ],
    ['ASK_SCHEMA', 'a relative URL', (ctx) => ctx.ask.url('q', { message: 'm', url: '/pay' })],
    ['ASK_SCHEMA', 'a script URL', (ctx) => ctx.ask.url('q', { message: 'm', url: 'javascript:alert(1)' })],
    ['DEFINITION_INVALID', 'a deadline that is none', (ctx) => ctx.ask.text('q', 'm', { within: 'soon' as never })],
    ['DEFINITION_INVALID', 'a hold that is none', (ctx) => ctx.waitFor('q', () => 1, { hold: -1 })],
    ['ASK_NAME', 'a name with #', (ctx) => ctx.ask.text('q#1', 'm')],
  ])('E4 %s: %s', async (code, _what, make) => {
    const logs: ServerLog[] = []
    let wrote = false
    const server = serverOf(async (ctx) => {
      try {
        await make(ctx)
      } catch {
        // The catch-all that authors write.
      }
      wrote = true
      return undefined
    }, logs)
    const reply = await ask(server)
    expect(reply.error).toEqual({ code: -32603, message: `Internal error (${code})` })
    expect(wrote).toBe(false)
    expect(logs.some((event) => event.code === code)).toBe(true)
  })
})

describe('an option that an ask does not have ends the call, and nothing after it runs', () => {
  const schema = { type: 'object', properties: {} }
  it.each<[string, RegExp, (ctx: Context) => PromiseLike<unknown>]>([
    [
      'form',
      /`requestedSchema`. Use `schema`/,
      (ctx) => ctx.ask.form('q', { message: 'm', requestedSchema: schema } as never),
    ],
    [
      'form',
      /`title`. Known are message, schema, within, pin, orEnd/,
      (ctx) => ctx.ask.form('q', { message: 'm', schema, title: 't' } as never),
    ],
    [
      'url',
      /`schema`. Known are message, url/,
      (ctx) => ctx.ask.url('q', { message: 'm', url: 'https://a.b/', schema } as never),
    ],
    [
      'confirm',
      /`message`. The message is the second argument/,
      (ctx) => ctx.ask.confirm('q', 'm', { message: 'm' } as never),
    ],
    ['confirm', /`timeout`. Use `within`/, (ctx) => ctx.ask.confirm('q', 'm', { timeout: 5 } as never)],
    ['text', /`min`. Use `minLength`/, (ctx) => ctx.ask.text('q', 'm', { min: 1 } as never)],
    ['text', /`Title`. Known are title/, (ctx) => ctx.ask.text('q', 'm', { Title: 't' } as never)],
    ['number', /`min`. Use `minimum`/, (ctx) => ctx.ask.number('q', 'm', { min: 1 } as never)],
    ['number', /`max`. Use `maximum`/, (ctx) => ctx.ask.number('q', 'm', { max: undefined } as never)],
    ['choice', /`min`. Only a choice of several/, (ctx) => ctx.ask.choice('q', 'm', ['a'], { min: 1 } as never)],
    [
      'choice',
      /`minItems`. Use `min`/,
      (ctx) => ctx.ask.choice('q', 'm', ['a'], { multiple: true, minItems: 1 } as never),
    ],
    [
      'sample',
      /`orEnd`. Known are pin/,
      (ctx) => ctx.ask.sample('q', { messages: [], maxTokens: 1 }, { orEnd: 'x' } as never),
    ],
  ])('E4 %s: %s', async (_kind, told, make) => {
    const logs: ServerLog[] = []
    let wrote = false
    const server = serverOf(async (ctx) => {
      try {
        await make(ctx)
      } catch {
        // The catch-all that authors write.
      }
      wrote = true
      return undefined
    }, logs)
    expect((await ask(server)).error).toEqual({ code: -32603, message: 'Internal error (ASK_SCHEMA)' })
    expect(wrote).toBe(false)
    expect(logs.find(({ code }) => code === 'ASK_SCHEMA')?.message).toMatch(told)
  })
})

describe('a question whose members throw when they are read ends the call, and nothing after it runs', () => {
  const throwing = (base: object, member: string): never =>
    Object.defineProperty({ ...base }, member, {
      enumerable: true,
      get() {
        throw new RangeError('not to be read')
      },
    }) as never
  const schema = { type: 'object', properties: {} }
  const text = { type: 'text', text: 'Hi' }

  it.each<[string, (ctx: Context, member: string) => unknown, readonly string[]]>([
    [
      'form',
      (ctx, m) => ctx.ask.form('q', throwing({ message: 'm', schema }, m)),
      ['message', 'schema', 'orEnd', 'within', 'pin'],
    ],
    [
      'url',
      (ctx, m) => ctx.ask.url('q', throwing({ message: 'm', url: 'https://a.b/' }, m)),
      ['message', 'url', 'orEnd', 'within'],
    ],
    ['confirm', (ctx, m) => ctx.ask.confirm('q', 'm', throwing({}, m)), ['title', 'default', 'orEnd', 'within']],
    ['choice', (ctx, m) => ctx.ask.choice('q', 'm', ['a'], throwing({}, m)), ['title', 'multiple', 'orEnd', 'within']],
    ['text', (ctx, m) => ctx.ask.text('q', 'm', throwing({}, m)), ['title', 'format', 'orEnd', 'within']],
    ['number', (ctx, m) => ctx.ask.number('q', 'm', throwing({}, m)), ['minimum', 'orEnd', 'within']],
    [
      'sample',
      (ctx, m) => ctx.ask.sample('q', throwing({ messages: [{ role: 'user', content: text }], maxTokens: 1 }, m)),
      ['messages', 'maxTokens'],
    ],
  ])('E4 %s', async (_kind, make, members) => {
    for (const member of members) {
      let wrote = false
      const server = serverOf(async (ctx) => {
        try {
          await make(ctx, member)
        } catch {
          // The catch-all that authors write.
        }
        wrote = true
        return undefined
      }, [])
      expect((await ask(server)).error, member).toMatchObject({ code: -32603 })
      expect(wrote, member).toBe(false)
    }
  })
})

describe('capabilities', () => {
  const both: Body = async (ctx) => Promise.all([ctx.ask.confirm('c', 'Go?'), ctx.ask.roots('r')])

  it('E11 asks beyond what this request declares end the call with everything missing, merged', async () => {
    const reply = await ask(serverOf(both), {}, {})
    expect(reply).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} }, roots: {} } } },
    })
    expect(reply.error?.message).toContain('c, r')
  })

  it('E11 ctx.can stays what the first round declared, and never opens the gate', async () => {
    const seen: boolean[] = []
    const server = serverOf(async (ctx) => {
      seen.push(ctx.can.url)
      await ctx.ask.confirm('a', 'First?')
      return ctx.can.url ? ctx.ask.url('b', { message: 'm', url: 'https://example.com/' }) : 'no url'
    })
    const first = await ask(server)
    const again = { requestState: first.result?.requestState, inputResponses: { a: accept(true) } }
    const second = await ask(server, again, { elicitation: { form: {} } })
    expect(seen).toEqual([true, true])
    expect(second.error?.code).toBe(-32021)
  })
})

describe('the two forms', () => {
  it.each<[string, Body]>([
    ['asks and then returns', async (ctx) => (await ctx.ask.confirm('a', '?'), inputRequired({ requestState: 's' }))],
    ['steps and then returns', async (ctx) => (await ctx.step('s', () => 1), inputRequired({ requestState: 's' }))],
  ])('E4 FORMS_MIXED ends a handler that %s', async (_what, body) => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 'mixed', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx) => (await body(ctx)) as never)
    let reply = await ask(server)
    if (reply.result !== undefined) {
      reply = await ask(server, { requestState: reply.result.requestState, inputResponses: { a: accept(true) } })
    }
    expect(reply.error?.message).toBe('Internal error (FORMS_MIXED)')
  })

  it('E4 FORMS_MIXED ends a handler that returned a state and asks in the next round, inside a catch-all', async () => {
    let wrote = false
    const server = new Server({ name: 'mixed', version: '1.0.0' })
    server.tool('t', {}, async (_args, ctx) => {
      if (ctx.requestState === undefined) return inputRequired({ requestState: 's' })
      try {
        await ctx.ask.confirm('a', '?')
      } catch {}
      wrote = true
      return 'done'
    })
    const first = await ask(server)
    const second = await ask(server, { requestState: first.result?.requestState })
    expect(second.error?.message).toBe('Internal error (FORMS_MIXED)')
    expect(wrote).toBe(false)
  })
})

describe('warnings and helpers', () => {
  it('spec client/elicitation: a form that asks for a secret is warned of, once', async () => {
    const logs: ServerLog[] = []
    const schema = z.object({ apiKey: z.string() })
    const server = serverOf(async (ctx) => ctx.ask.form('q', { message: 'Key?', schema }), logs)
    await ask(server)
    await ask(server)
    expect(logs.filter(({ code }) => code === 'form-asks-secret')).toHaveLength(1)
  })

  it('spec client/elicitation: a signed URL tells who was asked from who opens it', async () => {
    const server = serverOf(async (ctx) =>
      ctx.ask.url('q', { message: 'Pay', url: await ctx.signUrl('https://pay.example/cart?item=a b&n=1') }),
    )
    const exchange = { principal: 'ada' }
    const { result } = await rpc(server, 'tools/call', { name: 't' }, { exchange })
    const url = String(result?.inputRequests?.['q']?.params['url'])
    expect(await server.verifyUrl(url, 'ada')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await server.verifyUrl(url, 'mallory')).toBeUndefined()
    expect(await server.verifyUrl(url.replace('n=1', 'n=2'), 'ada')).toBeUndefined()
    expect(await server.verifyUrl('https://pay.example/', 'ada')).toBeUndefined()
    expect(await server.verifyUrl('nonsense', 'ada')).toBeUndefined()
  })

  it('E15 now, random, uuid and callId are the same in every attempt', async () => {
    const seen: unknown[] = []
    const server = serverOf(async (ctx) => {
      seen.push([ctx.now(), ctx.now(), ctx.random(), ctx.uuid(), ctx.uuid(), ctx.callId])
      return ctx.ask.confirm('a', '?')
    })
    const first = await ask(server)
    await ask(server, { requestState: first.result?.requestState, inputResponses: { a: accept(true) } })
    expect(seen[1]).toEqual(seen[0])
    const [, , , one, two] = seen[0] as unknown[]
    expect(one).not.toBe(two)
  })

  it('E1 methods may be taken off the context', async () => {
    const { last } = await play(
      async ({ ask: { confirm }, step, scope, now }) => {
        const made = await step('s', () => now() > 0)
        const inner = scope('helper')
        return [made, await confirm('a', '?'), await inner.ask.confirm('a', 'Again?')]
      },
      { a: accept(true), 'helper/a': accept(true) },
    )
    expect(valueOf(last)).toEqual([true, true, true])
  })
})
