import { generateKey, inputRequired, type Context, type Server, type ServerLog } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, rpc, type RpcReply, textOf } from '../support/rpc.ts'
import { askingServer, METHODS, type Respond } from './asking-server.ts'

const KEYS = generateKey()
const ACCEPTED = { action: 'accept', content: { value: true } }
const GO = {
  method: 'elicitation/create',
  params: {
    message: 'Go?',
    requestedSchema: { type: 'object', properties: { value: { type: 'boolean' } }, required: ['value'] },
  },
} as const

/** What a handler may touch first; gives whether it was shown something to act upon. */
const TOUCHES = {
  inputResponse: (ctx: Context) => ctx.inputResponse('go').kind !== 'missing',
  inputResponses: (ctx: Context) => ctx.inputResponses?.['go'] !== undefined,
  requestState: (ctx: Context) => ctx.requestState !== undefined,
  ask: (ctx: Context) => ctx.ask.confirm('go', 'Go?'),
  step: async (ctx: Context, worked: () => boolean) => (await ctx.step('s', worked)) as boolean,
  waitFor: async (ctx: Context, worked: () => boolean) => (await ctx.waitFor('w', worked)) as boolean,
}
type Touch = keyof typeof TOUCHES
const NAMES = Object.keys(TOUCHES) as Touch[]
const READS: readonly Touch[] = ['inputResponse', 'inputResponses']
const ASKS: readonly Touch[] = ['ask', 'step', 'waitFor']

/** Handlers of the version before, by the form of the state that they leave behind. */
const WRITERS: Record<Token, Respond | undefined> = {
  none: undefined,
  ask: async (ctx) => String(await ctx.ask.confirm('go', 'Go?')),
  return: () => inputRequired({ inputRequests: { go: GO }, requestState: 'mine' }),
}
type Token = 'none' | 'ask' | 'return'
const TOKENS: readonly Token[] = ['none', 'ask', 'return']

const PAIRS = NAMES.flatMap((first) => NAMES.filter((name) => name !== first).map((second) => [first, second] as const))

/** Whether a state of this form, or what was touched first, makes one of the two a mix of forms. */
function mixes(token: Token, first: Touch, second: Touch): boolean {
  if (token === 'return') return [first, second].some((touch) => ASKS.includes(touch))
  if (token === 'none') return READS.includes(first) && ASKS.includes(second)
  return READS.includes(first) || (!ASKS.includes(first) && READS.includes(second))
}

/** Whether an answer or a state of its own form is shown to the handler. */
function shows(token: Token, first: Touch, second: Touch): boolean {
  const pair = [first, second]
  if (mixes(token, first, second)) return false
  if (token === 'return') return true
  if (token === 'ask') return pair.includes('ask')
  return pair.some((touch) => READS.includes(touch)) && !pair.some((touch) => ASKS.includes(touch))
}

/** Sends the answer, and the state that a handler of `token`'s form wrote, to one that responds so. */
async function deployedBetween(token: Token, method: string, params: object, respond: Respond): Promise<RpcReply> {
  const serverOf = (handler: Respond): Server =>
    askingServer(handler, { state: { keys: KEYS }, limits: { grace: 1 }, log: () => undefined })
  const writer = WRITERS[token]
  const requestState = writer && (await rpc(serverOf(writer), method, params)).result?.requestState
  return rpc(serverOf(respond), method, { ...params, requestState, inputResponses: { go: ACCEPTED } })
}

const codeIn = (reply: RpcReply): string | undefined => reply.error?.message

describe.each(TOKENS)('a handler that finds a state of form "%s"', (token) => {
  it.each(PAIRS)('E4 writes nothing that the other form was answered: %s, then %s', async (first, second) => {
    for (const { method, params } of METHODS) {
      const done: string[] = []
      const worked = () => {
        done.push('worked')
        return false
      }
      const reply = await deployedBetween(token, method, params, async (ctx) => {
        const shown: boolean[] = []
        try {
          shown.push(await TOUCHES[first](ctx, worked))
          shown.push(await TOUCHES[second](ctx, worked))
        } catch {
          // The catch-all that authors write.
        }
        if (shown.includes(true)) done.push('wrote')
        return 'done'
      })
      const mixed = mixes(token, first, second)
      expect([method, codeIn(reply)]).toEqual([method, mixed ? 'Internal error (FORMS_MIXED)' : undefined])
      expect(done.includes('wrote'), method).toBe(shows(token, first, second))
      if (mixed) expect(done, method).toEqual([])
    }
  })

  it.each(ASKS)('E17 shows nothing beside a %s that is not awaited', async (touch) => {
    for (const { method, params } of METHODS) {
      const shown: unknown[] = []
      await deployedBetween(token, method, params, (ctx) => {
        void TOUCHES[touch](ctx, () => false)
        shown.push(ctx.inputResponse('go').kind, ctx.inputResponses)
        return 'done'
      })
      expect(shown, method).toEqual(['missing', undefined])
    }
  })

  it.each([undefined, ...NAMES])('E4 asks in no second form, after %s', async (touch) => {
    for (const { method, params } of METHODS) {
      const reply = await deployedBetween(token, method, params, async (ctx) => {
        if (touch !== undefined) await TOUCHES[touch](ctx, () => false)
        return inputRequired({ inputRequests: { again: GO } })
      })
      const asks = touch !== undefined && ASKS.includes(touch)
      const asked = token === 'none' && touch === 'ask'
      expect([method, codeIn(reply)]).toEqual([
        method,
        (asks && !asked) || token === 'ask' ? 'Internal error (FORMS_MIXED)' : undefined,
      ])
    }
  })
})

describe('raw answers in the ask form', () => {
  it('E17 are those that its own asks gave, the same in every round, and none that nobody asked for', async () => {
    const seen: unknown[] = []
    const server = askingServer(async (ctx) => {
      await ctx.ask.confirm('a', 'A?')
      seen.push([
        ctx.requestState,
        { ...ctx.inputResponses },
        ctx.inputResponse('a').kind,
        ctx.inputResponse('other').kind,
      ])
      return String(await ctx.ask.confirm('b', 'B?'))
    })
    let reply = await callTool(server, 'it')
    for (const key of ['a', 'b']) {
      const inputResponses = { [key]: ACCEPTED, other: ACCEPTED }
      reply = await callTool(server, 'it', {}, { requestState: reply.result?.requestState, inputResponses })
    }
    expect(textOf(reply)).toBe('true')
    const once = [undefined, { a: ACCEPTED }, 'elicit', 'missing']
    expect(seen).toEqual([once, once])
  })

  it('E17 are a copy, so that nobody changes what the call remembers', async () => {
    const server = askingServer(async (ctx) => {
      await ctx.ask.confirm('a', 'A?')
      ;(ctx.inputResponses?.['a'] as { action: string }).action = 'decline'
      return JSON.stringify([ctx.inputResponse('a'), await ctx.ask.confirm('b', 'B?')])
    })
    let reply = await callTool(server, 'it')
    for (const key of ['a', 'b']) {
      const more = { requestState: reply.result?.requestState, inputResponses: { [key]: ACCEPTED } }
      reply = await callTool(server, 'it', {}, more)
    }
    expect(textOf(reply)).toBe(JSON.stringify([{ kind: 'elicit', response: ACCEPTED }, true]))
  })

  it('E4 the log says what was mixed, and what to do', async () => {
    const log: ServerLog[] = []
    const server = askingServer(
      async (ctx) => {
        if (ctx.inputResponse('go').kind === 'missing') await ctx.ask.confirm('go', 'Go?')
        return 'done'
      },
      { log: (event) => void log.push(event) },
    )
    expect(codeIn(await callTool(server, 'it'))).toBe('Internal error (FORMS_MIXED)')
    expect(log.find(({ code }) => code === 'FORMS_MIXED')?.message).toMatch(
      /^it asks with ctx \(ask, step, waitFor\), and has read ctx\.inputResponses: .*version of its own\.$/,
    )
  })
})
