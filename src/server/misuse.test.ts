import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isRondoError, Server, type Context, type ServerLog } from '../entry/index.ts'
import { callTool } from '../../test/support/rpc.ts'

/** The context as JavaScript sees it, without the type checker. */
type Loose = Record<string, never> & {
  readonly ask: Record<string, (...given: unknown[]) => unknown>
  readonly scope: (name: unknown) => Loose
  readonly step: (...given: unknown[]) => unknown
  readonly waitFor: (...given: unknown[]) => unknown
  readonly signUrl: (url: unknown) => unknown
}

function cyclic(): object {
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  return loop
}

const FORM = { type: 'object', properties: { a: { type: 'string' } } }
const MISUSES: readonly [string, (ctx: Loose) => unknown][] = [
  ['a form without a question', ({ ask }) => ask['form']?.('a')],
  ['a form of null', ({ ask }) => ask['form']?.('a', null)],
  ['a form without a message', ({ ask }) => ask['form']?.('a', { schema: FORM })],
  ['a form with an empty message', ({ ask }) => ask['form']?.('a', { message: 7, schema: FORM })],
  ['a form without a schema', ({ ask }) => ask['form']?.('a', { message: 'x' })],
  ['a URL ask without a question', ({ ask }) => ask['url']?.('a')],
  ['a URL ask without a message', ({ ask }) => ask['url']?.('a', { url: 'https://x.example/' })],
  ['a confirm without a message', ({ ask }) => ask['confirm']?.('a')],
  ['a choice without choices', ({ ask }) => ask['choice']?.('a', 'x')],
  ['a sample without params', ({ ask }) => ask['sample']?.('a')],
  ['a name that is a symbol', ({ ask }) => ask['confirm']?.(Symbol('a'), 'x')],
  ['a name that is a number', ({ ask }) => ask['roots']?.(7)],
  ['a default that JSON has not', ({ ask }) => ask['confirm']?.('a', 'x', { default: 1n })],
  ['an infinite deadline', ({ ask }) => ask['confirm']?.('a', 'x', { within: Infinity })],
  ['a pin that is none', ({ ask }) => ask['confirm']?.('a', 'x', { pin: 'loose' })],
  ['a sample with a deadline', ({ ask }) => ask['sample']?.('a', { messages: [], maxTokens: 1 }, { within: '1 min' })],
  ['a step whose name is a symbol', ({ step }) => step(Symbol('a'), () => 1)],
  ['a step without a function', ({ step }) => step('a')],
  ['a wait without a function', ({ waitFor }) => waitFor('a')],
  ['a wait whose name is a symbol', ({ waitFor }) => waitFor(Symbol('a'), () => 1)],
  ['a URL that is a symbol', ({ signUrl }) => signUrl(Symbol('a'))],
  ['a scope that is a symbol', ({ scope }) => scope(Symbol('a')).ask['confirm']?.('a', 'x')],
  ['a scope that is no text', ({ scope }) => scope({ toString: null }).step('a', () => 1)],
]

const odd = (kind: string, options: Record<string, unknown>[], choices?: unknown): typeof MISUSES =>
  options.map((given) => [
    `a ${kind} with ${inspect(given)}`,
    ({ ask }) => (choices === undefined ? ask[kind]?.('a', 'x', given) : ask[kind]?.('a', 'x', choices, given)),
  ])
const NO_NUMBERS = [NaN, Infinity, -Infinity, '1', null, 1n, {}]
const NO_COUNTS = [...NO_NUMBERS, -1, 1.5]
const NO_TEXTS = [7, null, {}, [], Symbol('s'), 1n, () => 'x']
const each = (name: string, values: readonly unknown[], more: object = {}): Record<string, unknown>[] =>
  values.map((value) => ({ ...more, [name]: value }))

/** Short forms that the specification's schema of forms does not have. */
const UNSAYABLE: typeof MISUSES = [
  ...['confirm', 'text', 'number'].flatMap((kind) => [
    ...odd(kind, [...each('title', NO_TEXTS), ...each('orEnd', NO_TEXTS)]),
    ...[7, 'x', true, []].map((options): (typeof MISUSES)[number] => [
      `a ${kind} with ${inspect(options)} for options`,
      ({ ask }) => ask[kind]?.('a', 'x', options),
    ]),
    ...NO_TEXTS.map((message): (typeof MISUSES)[number] => [
      `a ${kind} with ${inspect(message)} for a message`,
      ({ ask }) => ask[kind]?.('a', message),
    ]),
  ]),
  ...odd('confirm', each('default', ['yes', 1, null, {}])),
  ...odd('text', [
    ...each('format', ['phone', '', 7, null]),
    ...each('minLength', NO_COUNTS),
    ...each('maxLength', NO_COUNTS),
    { minLength: 3, maxLength: 2 },
    ...each('default', [7, null, {}]),
    { default: 'x', minLength: 2 },
    { default: 'xyz', maxLength: 2 },
    { default: 'x', format: 'email' },
  ]),
  ...odd('number', [
    ...each('minimum', NO_NUMBERS),
    ...each('maximum', NO_NUMBERS),
    { minimum: 3, maximum: 2 },
    ...each('default', NO_NUMBERS),
    { default: 1, minimum: 2 },
    { default: 1.5, integer: true },
    ...each('integer', ['yes', 1, null]),
  ]),
  ...[[], {}, null, 7, 'ab', new Map([['a', 'A']]), [1], ['a', 1], ['a', 'a'], { a: 1 }, { a: null }, () => 'a'].map(
    (choices): (typeof MISUSES)[number] => [
      `a choice of ${inspect(choices)}`,
      ({ ask }) => ask['choice']?.('a', 'x', choices),
    ],
  ),
  ...odd(
    'choice',
    [
      ...each('default', ['c', 1, null, ['a']]),
      ...each('multiple', ['yes', 1, null]),
      ...each('title', NO_TEXTS),
      ...each('orEnd', NO_TEXTS),
    ],
    ['a', 'b'],
  ),
  ...odd(
    'choice',
    [...each('min', NO_COUNTS, { multiple: true }), ...each('max', NO_COUNTS, { multiple: true })],
    ['a', 'b'],
  ),
  ...odd(
    'choice',
    [
      ...each('default', ['a', null, ['c'], ['a', 'a'], [1], []], { multiple: true, min: 1 }),
      { multiple: true, min: 2, max: 1 },
      { multiple: true, min: 3 },
    ],
    { a: 'A', b: 'B' },
  ),
  ...['form', 'url'].map((kind): (typeof MISUSES)[number] => [
    `a ${kind} with an odd orEnd`,
    ({ ask }) => ask[kind]?.('a', { message: 'x', schema: FORM, url: 'https://x.example/', orEnd: 7 }),
  ]),
  ...[7, 'x', true].flatMap((given) =>
    ['form', 'url'].map((kind): (typeof MISUSES)[number] => [
      `a ${kind} of ${inspect(given)}`,
      ({ ask }) => ask[kind]?.('a', given),
    ]),
  ),
  ...[7, null, {}, new URL('https://x.example/'), Symbol('s')].map((url): (typeof MISUSES)[number] => [
    `a URL ask of ${inspect(url)}`,
    ({ ask }) => ask['url']?.('a', { message: 'x', url }),
  ]),
  ...[{ n: 1n }, { n: NaN }, { at: new Map() }].map((metadata): (typeof MISUSES)[number] => [
    `a sample with the metadata ${inspect(metadata)}`,
    ({ ask }) => ask['sample']?.('a', { messages: [], maxTokens: 1, metadata }),
  ]),
]

describe('what no type checker saw', () => {
  it.each([...MISUSES, ...UNSAYABLE])('E4 %s ends the call, and no catch-all goes on', async (_what, misuse) => {
    const logs: ServerLog[] = []
    let wrote = false
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx: Context) => {
      try {
        await misuse(ctx as unknown as Loose)
      } catch {
        // An author's catch-all.
      }
      wrote = true
      return 'went on'
    })
    expect((await callTool(server, 't')).error?.code).toBe(-32603)
    expect(wrote).toBe(false)
    const told = logs.find(({ level }) => level === 'error')
    expect(isRondoError(told?.error)).toBe(true)
    expect(told?.message).toMatch(/^.{20,}$/)
  })

  it.each(UNSAYABLE)('E4 %s is ASK_SCHEMA', async (_what, misuse) => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx: Context) => String(await misuse(ctx as unknown as Loose)))
    expect((await callTool(server, 't')).error).toEqual({ code: -32603, message: 'Internal error (ASK_SCHEMA)' })
    expect(logs.find(({ level }) => level === 'error')?.code).toBe('ASK_SCHEMA')
  })

  it.each([7, null, undefined, 'x', {}])('E4 a clean-up that is %j and no function ends the call', async (odd) => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, async (_args, ctx: Context) => {
      ctx.onAttemptEnd(odd as never)
      await ctx.step('write', () => 1)
      return 'went on'
    })
    expect((await callTool(server, 't')).error?.code).toBe(-32603)
    expect(logs.find(({ level }) => level === 'error')?.code).toBe('DEFINITION_INVALID')
  })

  it('E4 what gives nothing to await never throws', async () => {
    const server = new Server({ name: 's', version: '1.0.0' })
    const things = [undefined, null, NaN, 1n, Symbol('s'), () => 1, [], {}, Object.create(null), cyclic()]
    server.tool('t', {}, (_args, ctx) => {
      for (const one of things as never[]) {
        ctx.progress(one, one, one)
        ctx.log.info(one, one)
        expect(ctx.inputResponse(one)).toEqual({ kind: 'missing' })
      }
      return 'well'
    })
    const notify = () => undefined
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }
    const reply = await callTool(server, 't', {}, {}, { meta, exchange: { notify } })
    expect(reply.result?.content?.[0]?.text).toBe('well')
  })

  it.each<[string, (ctx: Loose) => unknown]>([
    ['an ask', ({ ask }) => ask['confirm']?.('a', 'x', null)],
    ['a choice', ({ ask }) => ask['choice']?.('a', 'x', ['a'], null)],
    ['a text', ({ ask }) => ask['text']?.('a', 'x', null)],
    ['a number', ({ ask }) => ask['number']?.('a', 'x', null)],
    ['a sample', ({ ask }) => ask['sample']?.('a', { messages: [], maxTokens: 1 }, null)],
  ])('E4 options of %s that are null are none', async (_what, asks) => {
    const server = new Server({ name: 's', version: '1.0.0' })
    server.tool('t', {}, async (_args, ctx: Context) => String(await asks(ctx as unknown as Loose)))
    expect(Object.keys((await callTool(server, 't')).result?.inputRequests ?? {})).toEqual(['a'])
  })

  it.each<[string, (ctx: Loose) => unknown]>([
    ['a step', ({ step }) => step('a', () => 'done', null)],
    ['a wait', ({ waitFor }) => waitFor('a', () => 'done', null)],
  ])('E4 options of %s that are null are none, too', async (_what, works) => {
    const server = new Server({ name: 's', version: '1.0.0' })
    server.tool('t', {}, async (_args, ctx: Context) => String(await works(ctx as unknown as Loose)))
    expect((await callTool(server, 't')).result?.content?.[0]?.text).toBe('done')
  })
})
