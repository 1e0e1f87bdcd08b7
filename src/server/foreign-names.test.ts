import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isRondoError, Server, type Context, type ServerLog } from '../entry/index.ts'
import { callTool } from '../../test/support/rpc.ts'

type Loose = Record<string, ((...given: unknown[]) => unknown) & Record<string, (...given: unknown[]) => unknown>>

const handler = () => 'x'
const loose = (server: Server): Loose => server as unknown as Loose
const refusal = (use: (server: Loose) => unknown): string => {
  try {
    use(loose(new Server({ name: 's', version: '1.0.0' })))
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('taken')
}

describe('habits of other libraries, at registration', () => {
  it.each<[string, unknown[], string]>([
    ['registerTool', ['t', { inputSchema: {} }, handler], 'server.tool(name'],
    ['registerPrompt', ['p', {}, handler], 'server.prompt(name'],
    ['registerResource', ['r', 'a:b', {}, handler], 'server.resource(name'],
    ['setRequestHandler', [{}, handler], 'server.method('],
    ['connect', [{}], 'listen(server, { port })'],
    ['elicitInput', [{}], 'ctx.ask.form('],
    ['createMessage', [{}], 'ctx.ask.sample('],
    ['listRoots', [], 'ctx.ask.roots('],
    ['sendLoggingMessage', [{}], 'ctx.log.info('],
    ['addTool', [{ name: 't' }], 'server.tool(name'],
  ])('server.%s says what to write', (name, given, advice) => {
    expect(refusal((server) => server[name]?.(...given))).toContain(advice)
    expect(refusal((server) => server[name]?.(...given))).toContain(`There is no server.${name}() in Rondo`)
  })

  it('none of them is listed, and none hides what a server has', () => {
    const server = new Server({ name: 's', version: '1.0.0' })
    const shown: string[] = []
    for (const name in server) shown.push(name)
    expect(shown).toEqual(['info'])
    expect(() => server.tool('t', {}, handler)).not.toThrow()
  })

  it.each<[string, unknown[], RegExp]>([
    [
      'a description',
      ['t', 'Says hello', { a: z.string() }, handler],
      /options must be an object, not a string.+description/,
    ],
    ['the handler', ['t', handler], /options must be an object, not a function/],
    [
      'a shape',
      ['t', { a: z.string() }, handler],
      /`a` is a schema where an option must be\. Write \{ input: z\.object\(\{ a/,
    ],
    ['inputSchema', ['t', { inputSchema: z.object({}) }, handler], /Use `input`/],
    ['a shape as input', ['t', { input: { a: z.string() } }, handler], /Wrap it: input: z\.object/],
    ['no handler', ['t', { description: 'x' }], /handler \(the last argument\) must be a function/],
  ])('server.tool with %s for options says how they are written', (_what, given, told) => {
    expect(refusal((server) => server['tool']?.(...given))).toMatch(told)
  })

  it('server.prompt with a shape for options says how they are written', () => {
    expect(refusal((server) => server['prompt']?.('p', { a: z.string() }, handler))).toMatch(/\{ arguments: z\.object/)
    expect(refusal((server) => server['prompt']?.('p', { argsSchema: {} }, handler))).toMatch(/Use `arguments`/)
  })
})

describe('habits of other libraries, in a handler', () => {
  const told = async (use: (ctx: Loose) => unknown): Promise<{ log: ServerLog | undefined; wrote: boolean }> => {
    const logs: ServerLog[] = []
    let wrote = false
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx: Context) => {
      try {
        await use(ctx as unknown as Loose)
      } catch {
        // An author's catch-all.
      }
      wrote = true
      return 'went on'
    })
    expect((await callTool(server, 't')).error?.code).toBe(-32603)
    return { log: logs.find(({ level }) => level === 'error'), wrote }
  }

  it.each<[string, string, (ctx: Loose) => unknown]>([
    ['ctx.sendRequest()', 'ctx.ask.form(', (ctx) => ctx['sendRequest']?.({ method: 'elicitation/create' }, {})],
    ['ctx.sendRequest()', 'ctx.ask.form(', ({ sendRequest }) => sendRequest?.({ method: 'roots/list' })],
    ['ctx.sendNotification()', 'ctx.progress(', (ctx) => ctx['sendNotification']?.({})],
    ['ctx.elicit()', 'ctx.ask.form(', (ctx) => ctx['elicit']?.({})],
    ['ctx.reportProgress()', 'ctx.progress(', (ctx) => ctx['reportProgress']?.({ progress: 1 })],
    ['ctx.mcpReq.elicitInput()', 'ctx.ask.form(', (ctx) => ctx['mcpReq']?.['elicitInput']?.({})],
    ['ctx.mcpReq.requestSampling()', 'ctx.ask.sample(', (ctx) => ctx['mcpReq']?.['requestSampling']?.({})],
    ['ctx.sendRequest()', 'ctx.ask.form(', (ctx) => (ctx['scope']?.('a') as Loose)['sendRequest']?.({})],
  ])('E4 %s ends the call and says to write %s', async (name, advice, use) => {
    const { log, wrote } = await told(use)
    expect(log?.code).toBe('DEFINITION_INVALID')
    expect(log?.message).toContain(`There is no ${name} in Rondo`)
    expect(log?.message).toContain(advice)
    expect(wrote).toBe(false)
  })

  it.each([
    ['without output', {}],
    ['with output', { output: z.object({ n: z.number() }) }],
  ])('a result that is plain data says how to write it: %s', async (_what, options) => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    const data = { content: [{ type: 'text', text: 'x' }], isError: true }
    server.tool('t', options as object, () => data as never)
    expect((await callTool(server, 't')).error?.message).toContain('RESULT_INVALID')
    expect(logs.find(({ level }) => level === 'error')?.message).toContain('Write result({ content: […] })')
  })
})
