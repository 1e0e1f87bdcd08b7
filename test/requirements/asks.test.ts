import { type Context, Server, type ServerLog } from 'rondo'
import { connect } from 'rondo/client'
import { describe, expect, it } from 'vitest'
import { callTool, textOf } from '../support/rpc.ts'

/** A server whose only tool runs `handler`, and what it logged. */
function asker(handler: (ctx: Context) => unknown) {
  const log: ServerLog[] = []
  const server = new Server({ name: 'asker', version: '1.0.0' }, { log: (event) => void log.push(event) })
  server.tool('it', {}, async (_args, ctx) => String(await handler(ctx)))
  return { server, log }
}

describe('elicitation requests', () => {
  it('MUST-elicit-09 a form has a message and a flat schema, a URL ask a message and a URL', async () => {
    const { server } = asker((ctx) =>
      Promise.all([
        ctx.ask.text('text', 'Which text?'),
        ctx.ask.form('form', { message: 'Which?', schema: { type: 'object', properties: { a: { type: 'number' } } } }),
        ctx.ask.url('url', { message: 'Look', url: 'https://example.com/x' }),
      ]),
    )
    const { inputRequests } = (await callTool(server, 'it')).result ?? {}
    expect(inputRequests).toEqual({
      text: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which text?',
          requestedSchema: {
            type: 'object',
            properties: { value: expect.objectContaining({ type: 'string' }) as object },
            required: ['value'],
          },
        },
      },
      form: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which?',
          requestedSchema: { type: 'object', properties: { a: { type: 'number' } } },
        },
      },
      url: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Look', url: 'https://example.com/x' },
      },
    })
  })

  it.each(['', 'example.com', '/pay', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', 'https://a b', 42])(
    'MUST-elicit-11 %j is not put to anybody as a URL',
    async (url) => {
      const { server, log } = asker((ctx) => ctx.ask.url('it', { message: 'Look', url: url as string }))
      const reply = await callTool(server, 'it')
      expect(reply.error?.code).toBe(-32603)
      expect(JSON.stringify(reply)).not.toContain('inputRequests')
      expect(log.map(({ code }) => code)).toContain('ASK_SCHEMA')
    },
  )

  it('MUST-elicit-13 who the user is comes from authentication alone', async () => {
    const { server } = asker((ctx) => JSON.stringify([ctx.principal, ctx.auth ?? null]))
    const claims = {
      principal: 'mallory',
      auth: { sub: 'mallory' },
      'io.modelcontextprotocol/clientInfo': { name: 'ada', version: '1' },
    }
    const more = { principal: 'mallory', auth: { sub: 'mallory' } }
    expect(textOf(await callTool(server, 'it', more, more, { meta: claims }))).toBe('["",null]')
    const exchange = { principal: 'ada', auth: { sub: 'ada' } }
    expect(textOf(await callTool(server, 'it', more, more, { meta: claims, exchange }))).toBe('["ada",{"sub":"ada"}]')
  })

  it.each([
    ['declined', { go: { action: 'decline' } }, '{"action":"decline"}'],
    ['cancelled', { go: { action: 'cancel' } }, '{"action":"cancel"}'],
  ])('MUST-elicit-14 one that is %s comes back as a value', async (_how, inputResponses, expected) => {
    const { server } = asker(async (ctx) => JSON.stringify(await ctx.ask.text('go', 'Go?')))
    const { result } = await callTool(server, 'it')
    const more = { inputResponses, requestState: result?.requestState }
    expect(textOf(await callTool(server, 'it', {}, more))).toBe(expected)
  })

  it.each([
    ['missing', {}],
    ['unreadable', { go: { action: 'perhaps' } }],
    ['null', { go: null }],
    ['of another kind', { go: { roots: [] } }],
  ])('MUST-elicit-14 one whose answer is %s is asked again', async (_how, inputResponses) => {
    const { server } = asker((ctx) => ctx.ask.text('go', 'Go?'))
    const { result } = await callTool(server, 'it')
    const again = await callTool(server, 'it', {}, { inputResponses, requestState: result?.requestState })
    expect(again.result?.resultType).toBe('input_required')
    expect(Object.values(again.result?.inputRequests ?? {})).toHaveLength(1)
  })

  it('MUST-elicit-20 a signed URL tells nothing of the user and opens nothing by itself', async () => {
    const { server } = asker((ctx) => ctx.signUrl('https://example.com/pay?order=7'))
    const exchange = { principal: 'ada@example.com', auth: { token: 'hush' } }
    const url = textOf(await callTool(server, 'it', {}, {}, { exchange })) ?? ''
    for (const word of ['ada', 'hush', Buffer.from('ada@example.com').toString('base64url').slice(0, 12)]) {
      expect(decodeURIComponent(url)).not.toContain(word)
    }
    expect(new URL(url).searchParams.get('order')).toBe('7')
    expect(await server.verifyUrl(url, 'ada@example.com')).toEqual(expect.any(String))
    for (const other of ['', 'eve', 'ada@example.com ']) expect(await server.verifyUrl(url, other)).toBeUndefined()
    expect(await server.verifyUrl(url.replace('order=7', 'order=8'), 'ada@example.com')).toBeUndefined()
  })
})

describe('sampling requests', () => {
  const text = (role: string, words = 'x') => ({ role, content: { type: 'text', text: words } })
  const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} })
  const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] })

  async function sample(messages: readonly object[]) {
    const { server, log } = asker((ctx) => ctx.ask.sample('it', { messages, maxTokens: 10 } as never))
    const { result: asked, error } = await callTool(server, 'it')
    return { asked: asked?.resultType === 'input_required', code: error?.code, log: log.map(({ code }) => code) }
  }
  const refused = { asked: false, code: -32603, log: expect.arrayContaining(['ASK_SCHEMA']) as string[] }
  const passed = expect.objectContaining({ asked: true, code: undefined }) as object

  it('MUST-sampling-03 a user message with tool results holds nothing else', async () => {
    const asked = [text('user'), { role: 'assistant', content: [use('a'), use('b')] }]
    expect(await sample([...asked, { role: 'user', content: [result('a'), result('b')] }])).toEqual(passed)
    const mixed = [result('a'), result('b'), { type: 'text', text: 'and' }]
    expect(await sample([...asked, { role: 'user', content: mixed }])).toEqual(refused)
    expect(await sample([...asked, { role: 'user', content: [...mixed].reverse() }])).toEqual(refused)
  })

  it('MUST-sampling-04 every use of a tool is answered by the next message', async () => {
    const asks = { role: 'assistant', content: [use('a'), use('b')] }
    const answers = (...ids: string[]) => ({ role: 'user', content: ids.map(result) })
    expect(await sample([text('user'), asks, answers('b', 'a'), text('assistant')])).toEqual(passed)
    for (const rest of [
      [],
      [text('user')],
      [answers('a')],
      [answers('a', 'c')],
      [text('assistant'), answers('a', 'b')],
    ]) {
      expect(await sample([text('user'), asks, ...rest])).toEqual(refused)
    }
    expect(await sample([answers('a')])).toEqual(refused)
  })

  it('MUST-sampling-05 a message has the role of user or assistant', async () => {
    expect(await sample([text('user'), text('assistant')])).toEqual(passed)
    for (const role of ['system', 'tool', '', undefined]) {
      expect(await sample([text(role as string)])).toEqual(refused)
    }
  })
})

describe('roots', () => {
  const BAD = ['https://example.com/', '/srv', 'srv', 'file:', 'FILE', '']

  it('MUST-roots-02 a server asks again where a root is no file URI', async () => {
    const { server } = asker(async (ctx) => JSON.stringify(await ctx.ask.roots('dirs')))
    const { result } = await callTool(server, 'it')
    const answer = (roots: unknown) =>
      callTool(server, 'it', {}, { inputResponses: { dirs: { roots } }, requestState: result?.requestState })
    expect(textOf(await answer([{ uri: 'file:///srv' }]))).toBe('{"roots":[{"uri":"file:///srv"}]}')
    for (const uri of BAD) {
      const reply = await answer([{ uri: 'file:///srv' }, { uri }])
      expect([uri, reply.result?.resultType]).toEqual([uri, 'input_required'])
    }
  })

  /** What came of a client that answers with these roots. */
  async function exposed(uri: string): Promise<string> {
    const { server } = asker(async (ctx) => JSON.stringify(await ctx.ask.roots('dirs')))
    const client = await connect(server, { onRoots: () => [{ uri }] })
    try {
      const { content } = await client.callTool('it')
      return (content[0] as { text: string }).text
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('MUST-roots-02 a client sends no root that is no file URI', async () => {
    expect(await exposed('file:///srv')).toContain('file:///srv')
    for (const uri of BAD) expect([uri, await exposed(uri)]).toEqual([uri, 'INPUT_REQUIRED'])
  })

  it('MUST-roots-03 a client sends no root that climbs', async () => {
    for (const uri of [
      'file:///srv/../etc',
      'file:///srv/%2e%2e/etc',
      'file:///srv/..',
      'file:///srv/..%2fetc',
      'file:///a%00b',
    ]) {
      expect([uri, await exposed(uri)]).toEqual([uri, 'INPUT_REQUIRED'])
    }
    for (const uri of ['file:///srv/..a', 'file:///srv/a..b/', 'file:///srv/...']) {
      expect([uri, await exposed(uri)]).not.toEqual([uri, 'INPUT_REQUIRED'])
    }
  })
})
