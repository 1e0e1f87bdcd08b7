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

describe('what no type checker saw', () => {
  it.each(MISUSES)('E4 %s ends the call, and no catch-all goes on', async (_what, misuse) => {
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
