import { afterEach, describe, expect, test, vi } from 'vitest'
import { contextIsFree, currentContext } from '#context'
import { isRondoError } from '../errors/rondo-error.ts'
import {
  answers,
  carried,
  type Ctx,
  delay,
  type Handler,
  keys,
  logbook,
  round,
  rounds,
  turns,
} from '../../test/replay/kit.ts'
import { type Outcome } from './outcome.ts'

const codeOf = (outcome: Outcome<unknown> | undefined): string | undefined =>
  outcome?.kind === 'failed' && isRondoError(outcome.error) ? outcome.error.code : undefined

afterEach(() => {
  vi.useRealTimers()
})

/** Each test is a program that went wrong under one reading of the rules or another. */
describe('when to suspend', () => {
  test('hazard: slow I/O (fetch) before the first ask', async () => {
    const handler: Handler<unknown> = async (ctx) => {
      await delay(15)
      return ctx.ask('a')
    }
    const [first, second] = await rounds(handler, [{ a: 1 }])
    expect(keys(first as Outcome<unknown>)).toEqual(['a'])
    expect(second).toEqual({ kind: 'completed', value: 1 })
  })

  test('hazard: `all([ask a, slow I/O then ask b])`', async () => {
    let started = 0
    const handler: Handler<unknown> = (ctx) =>
      Promise.all([
        ctx.ask('a'),
        (async () => {
          started++
          await delay(15)
          return ctx.ask('b')
        })(),
      ])
    const [first, second, third] = await rounds(handler, [{ a: 1 }, { b: 2 }])
    expect([keys(first as Outcome<unknown>), keys(second as Outcome<unknown>)]).toEqual([['a'], ['b']])
    expect(third).toEqual({ kind: 'completed', value: [1, 2] })
    expect(started).toBe(3)
  })

  test('hazard: an ask nobody awaits / an async helper that awaits one inside, itself not awaited', async () => {
    const helper = async (ctx: Ctx): Promise<void> => {
      await ctx.ask('inside')
    }
    const outcome = await round(async (ctx) => {
      ctx.ask('nobody')
      void helper(ctx)
      return ctx.ask('last')
    })
    expect(keys(outcome)).toEqual(['inside', 'last'])
  })

  test('hazard: `race([ask, raw 20 ms timer])`, modern era', async () => {
    // Longer here, so that a busy machine does not decide.
    const handler: Handler<unknown> = (ctx) => Promise.race([ctx.ask('a'), delay(400).then(() => 'timer')])
    const outcomes = await rounds(handler, [{}, { a: 'answer' }])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['suspended', 'suspended', 'completed'])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 'answer' })
  })

  test('hazard: `all([waitFor, slow I/O then ask])` with hold 0 / 60 ms', async () => {
    let paid = ''
    const handler =
      (hold: number): Handler<unknown> =>
      (ctx) =>
        Promise.all([
          ctx.waitFor('paid', () => paid || undefined, { hold, every: 5 }),
          (async () => {
            await delay(15)
            return ctx.ask('a')
          })(),
        ])
    const impatient = await rounds(handler(0), [{}, {}, {}])
    expect(impatient.map((outcome) => keys(outcome))).toEqual([[], [], [], []])

    const first = await round(handler(5_000))
    expect(keys(first)).toEqual(['a'])
    paid = 'yes'
    const second = await round(handler(5_000), { journal: carried(first), answers: answers({ a: 1 }) })
    expect(second).toEqual({ kind: 'completed', value: ['yes', 1] })
  })

  test("hazard: generator's `return()` while parked at an ask", async () => {
    async function* questions(ctx: Ctx): AsyncGenerator<unknown> {
      yield await ctx.ask('a')
    }
    const outcome = await round(async (ctx) => {
      const generator = questions(ctx)
      void generator.next()
      await generator.return(undefined)
    })
    expect(keys(outcome)).toEqual(['a'])
  })
})

describe('races', () => {
  test('hazard: `race([ask, step])` over rounds / with the answer known beforehand', async () => {
    const race = (ctx: Ctx): Promise<unknown> => Promise.race([ctx.ask('a'), ctx.step('s', () => 'step')])
    expect(await round(race)).toEqual({ kind: 'completed', value: 'step' })
    const earlier = await round((ctx) => ctx.ask('a'))
    const known = { journal: carried(earlier), answers: answers({ a: 'answer' }) }
    expect(await round(race, known)).toEqual({ kind: 'completed', value: 'answer' })
  })

  test('hazard: `race([ask a, ask b])`, b answered first, a a round later', async () => {
    const handler: Handler<unknown> = async (ctx) => {
      const winner = await Promise.race([ctx.ask('a'), ctx.ask('b')])
      return [winner, await ctx.ask('c')]
    }
    const outcomes = await rounds(handler, [{ b: 'b' }, { a: 'a' }, { c: 'c' }])
    expect(outcomes.slice(0, 3).map((outcome) => keys(outcome))).toEqual([['a', 'b'], ['a', 'c'], ['c']])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: ['b', 'c'] })
  })

  test('hazard: race of two steps, then an ask', async () => {
    const handler: Handler<unknown> = async (ctx) => {
      const slow = ctx.step('slow', () => delay(15).then(() => 'slow'))
      const fast = ctx.step('fast', () => delay(1).then(() => 'fast'))
      const winner = await Promise.race([slow, fast])
      return [winner, await ctx.ask(`after ${winner}`)]
    }
    const outcomes = await rounds(handler, [{ 'after fast': 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: ['fast', 1] })
  })
})

describe('what a handler catches and cleans up', () => {
  test('hazard: step fails, `catch` asks "other card?"; failure unrecorded / recorded', async () => {
    const charged: string[] = []
    const charge = (card: string): string => {
      charged.push(card)
      if (card === 'first') throw new Error('declined')
      return `charged ${card}`
    }
    const handler: Handler<unknown> = async (ctx) => {
      try {
        return await ctx.step('charge', () => charge('first'))
      } catch {
        const other = await ctx.ask<string>('other card?')
        return ctx.step('charge again', () => charge(other))
      }
    }
    const outcomes = await rounds(handler, [{ 'other card?': 'second' }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 'charged second' })
    expect(charged).toEqual(['first', 'second'])
  })

  test('hazard: `try { ask } catch {} ; rm()` with a divergence error thrown into the handler / attempt ended instead', async () => {
    const rm = vi.fn()
    const first = await round((ctx) => ctx.ask('a', { kind: 'url' }))
    const second = await round(
      async (ctx) => {
        try {
          await ctx.ask('a', { kind: 'form' })
        } catch {
          // whatever it was
        }
        rm()
      },
      { journal: carried(first), answers: answers({ a: 1 }) },
    )
    expect(codeOf(second)).toBe('REPLAY_DIVERGED')
    await delay(5)
    expect(rm).not.toHaveBeenCalled()
  })

  test('hazard: `try { all([fetch(u, { signal: ctx.signal }), ask]) } catch {} ; rm()`', async () => {
    const rm = vi.fn()
    const fetchIt = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const outcome = await round(async (ctx) => {
      try {
        await Promise.all([fetchIt(ctx.attempt.signal), ctx.ask('a')])
      } catch {
        // whatever it was
      }
      rm()
    })
    expect(keys(outcome)).toEqual(['a'])
    await delay(5)
    expect(rm).not.toHaveBeenCalled()
  })

  test('hazard: a sibling branch that fails by itself after the suspension', async () => {
    const caught = vi.fn()
    let fail = (_: Error): void => undefined
    const outcome = await round(async (ctx) => {
      const sibling = new Promise((_, reject) => (fail = reject))
      await Promise.all([ctx.ask('a'), sibling]).catch(caught)
    })
    expect(outcome.kind).toBe('suspended')
    fail(new Error('on its own'))
    await turns(1)
    expect(caught).toHaveBeenCalledOnce()
  })

  test('hazard: `finally` when the call completes / with a connection opened per attempt / when the call ends while parked', async () => {
    let finals = 0
    let open = 0
    const handler: Handler<unknown> = async (ctx) => {
      open++
      ctx.attempt.onEnd(() => void open--)
      try {
        return await ctx.ask('a')
      } finally {
        finals++
      }
    }
    await rounds(handler, [{}, {}])
    expect({ finals, open }).toEqual({ finals: 0, open: 0 })
    await rounds(handler, [{}, { a: 1 }])
    expect({ finals, open }).toEqual({ finals: 1, open: 0 })
  })

  test('hazard: a mutex held across an ask', async () => {
    let lock = Promise.resolve()
    const handler: Handler<unknown> = async (ctx) => {
      const before = lock
      let release = (): void => undefined
      lock = new Promise((resolve) => (release = resolve))
      await before
      const answer = await ctx.ask('a')
      release()
      return answer
    }
    const [, second] = await rounds(handler, [{ a: 1 }], { limits: { handlerTime: 30 } })
    expect(codeOf(second)).toBe('HANDLER_TIME')
    expect(String(second?.kind === 'failed' && second.error)).toContain('A lock held across an ask?')
  })

  test('hazard: `const p = fetch(); await ask; await p`, p failing while parked', async () => {
    const before = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    try {
      await round(async (ctx) => {
        const p = delay(5).then(() => Promise.reject(new Error('raw')))
        await ctx.ask('a')
        await p
      })
      await delay(15)
      expect(unhandled).toHaveBeenCalledOnce()
      // A step is what to use instead: its failure waits in the journal.
      const handler: Handler<unknown> = async (ctx) => {
        const p = ctx.step('p', () => delay(5).then(() => Promise.reject(new Error('recorded'))))
        await ctx.ask('a')
        return p
      }
      const [, second] = await rounds(handler, [{ a: 1 }])
      expect(String(second?.kind === 'failed' && second.error)).toBe('Error: recorded')
      await delay(5)
      expect(unhandled).toHaveBeenCalledOnce()
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of before) process.on('unhandledRejection', listener)
    }
  })
})

describe('steps', () => {
  test('hazard: ask inside a step / step inside a step / two parallel steps, without async context', async () => {
    const detectNesting = true
    const asks = await round((ctx) => ctx.step('s', () => ctx.ask('a')), { detectNesting })
    const steps = await round((ctx) => ctx.step('s', () => ctx.step('t', () => 1)), { detectNesting })
    expect([codeOf(asks), codeOf(steps)]).toEqual(['STEP_NESTED', 'STEP_NESTED'])
    const parallel: Handler<unknown> = (ctx) =>
      Promise.all([ctx.step('s', () => delay(2)), ctx.step('t', () => delay(2))])
    expect((await round(parallel, { detectNesting })).kind).toBe('completed')
    expect((await round(parallel, { detectNesting: false })).kind).toBe('completed')

    const limits = { handlerTime: 30 }
    const slow = await round((ctx) => ctx.step('s', () => ctx.ask('a')), { detectNesting: false, limits })
    expect(codeOf(slow)).toBe('HANDLER_TIME')
    expect(String(slow.kind === 'failed' && slow.error)).toMatch(/ask "a".*step "s"/)
  })

  test.each<[string, Handler<unknown>, RegExp]>([
    ['an ask', (ctx) => ctx.step('s', () => ctx.ask('a')), /Open: ask "a"\. Running: step "s"\./],
    [
      'a wait',
      (ctx) => ctx.step('s', () => ctx.waitFor('w', () => undefined, { hold: 0 })),
      /Open: wait "w"\. Running: step "s"\./,
    ],
    ['an ask in a poll', (ctx) => ctx.waitFor('w', () => ctx.ask('a')), /Open: ask "a", wait "w"\. Running: poll/],
  ])('hazard: %s inside a step where nesting is not looked for is told of', async (_what, handler, told) => {
    const hint = /Is one inside the other\?.+NODE_ENV=development.+rondo\/testing.+STEP_NESTED/
    const { log, events } = logbook()
    const slow = await round(handler, { detectNesting: false, limits: { handlerTime: 30 } })
    const error = String(slow.kind === 'failed' && slow.error)
    expect(error).toMatch(told)
    expect(error).toMatch(hint)

    const onAttempt = (attempt: { cancel(): void }): void => void delay(10).then(() => attempt.cancel())
    expect(await round(handler, { detectNesting: false, log, onAttempt })).toEqual({ kind: 'cancelled' })
    const [event] = events.filter(({ code }) => code === 'cancelled-open')
    expect(event).toMatchObject({ level: 'warn' })
    expect(event?.message).toMatch(told)
    expect(event?.message).toMatch(hint)
  })

  test.each<[string, Handler<unknown>]>([
    ['steps beside each other', (ctx) => Promise.all([ctx.step('s', () => delay(60)), ctx.step('t', () => delay(60))])],
    ['a wait that polls', (ctx) => ctx.waitFor('w', () => delay(60))],
    ['work of its own', () => delay(60)],
  ])('a cancelled call with %s is no reason to warn', async (_what, handler) => {
    const { log, codes } = logbook()
    const onAttempt = (attempt: { cancel(): void }): void => void delay(10).then(() => attempt.cancel())
    await round(handler, { detectNesting: false, log, onAttempt })
    expect(codes()).not.toContain('cancelled-open')
  })

  test('hazard: token of round 1 replayed with another answer, step kept by (call, key)', async () => {
    const credited: string[] = []
    const handler: Handler<unknown> = async (ctx) => {
      const amount = await ctx.ask('amount')
      return ctx.step('credit', ({ idempotencyKey }) => void credited.push(`${idempotencyKey} ${String(amount)}`))
    }
    const first = await round(handler)
    for (const amount of [1, 1, 1000]) {
      const given = answers({ amount })
      const idempotencyKey = (key: string): string => `${key}@${JSON.stringify([...given])}`
      await round(handler, { journal: carried(first), answers: given, idempotencyKey })
    }
    const key = (amount: number): string => `credit@[["amount",${amount}]] ${amount}`
    expect(credited).toEqual([key(1), key(1), key(1000)])
  })

  test('hazard: three awaits before / after the first `AsyncLocalStorage.run` in the process', async () => {
    const within: unknown[] = []
    const look = (ctx: Ctx): Promise<unknown> => ctx.step('s', () => within.push(currentContext()) && undefined)
    await round(look)
    await round(look, { detectNesting: true })
    expect(within.map((context) => context !== undefined)).toEqual([contextIsFree, true])
  })
})

describe('questions and answers', () => {
  test('hazard: question text that changes each round ("price is 41.2"), URL with a fresh id', async () => {
    let price = 41
    const handler: Handler<unknown> = (ctx) => ctx.ask('buy', { message: `The price is ${++price}. Buy?` })
    const outcomes = await rounds(handler, [{ buy: 1 }, { 'buy~2': 1 }, { 'buy~3': 1 }])
    expect(outcomes.slice(0, 3).map((outcome) => keys(outcome))).toEqual([['buy'], ['buy~2'], ['buy~3']])
    expect(codeOf(outcomes.at(-1))).toBe('ASK_UNSTABLE')
    const last = outcomes.at(-1)
    expect(String(last?.kind === 'failed' && last.error)).toMatch(/price is 44.*price is 45/)
  })

  test("hazard: answer unfitting, fingerprint over the sent text (with the reason) / the author's text", async () => {
    const outcomes = await rounds((ctx) => ctx.ask('a'), [{ a: 'unfit' }, { 'a~2': 'fit' }])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['suspended', 'suspended', 'completed'])
  })
})

describe('the machine', () => {
  test('hazard: `setImmediate` replaced by fake timers after load', async () => {
    vi.useFakeTimers()
    const outcomes = await rounds(async (ctx) => [await ctx.ask('a'), await ctx.step('s', () => 1)], [{ a: 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: [1, 1] })
  })

  test('hazard: microseconds: what costs some is made when it is used, not before', async () => {
    const made = vi.fn()
    const real = globalThis.AbortController
    vi.stubGlobal(
      'AbortController',
      class extends real {
        constructor() {
          super()
          made()
        }
      },
    )
    try {
      const { log, events } = logbook()
      const callId = vi.fn(() => 'id')
      expect(round(() => 'plain', { log, callId })).toEqual({ kind: 'completed', value: 'plain' })
      expect(await round(() => Promise.resolve('later'), { log, callId })).toEqual({
        kind: 'completed',
        value: 'later',
      })
      expect(made).not.toHaveBeenCalled()
      expect(callId).not.toHaveBeenCalled()
      expect(events).toEqual([])
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
