import { describe, expect, test, vi } from 'vitest'
import { answers, carried, type Ctx, delay, keys, logbook, round, rounds, turns } from '../../test/replay/kit.ts'
import { type Attempt } from './attempt.ts'
import { host as thisHost } from './host.ts'
import { type Journal } from './journal.ts'

describe('asks and steps begin', () => {
  test('E1 an ask that is only made neither suspends nor goes out; a step starts at once', async () => {
    const ran: string[] = []
    const outcome = await round((ctx) => {
      ctx.ask('never awaited')
      ctx.waitFor('never awaited', () => ran.push('poll'))
      void ctx.step('s', () => ran.push('step'))
      ran.push('after')
      return 'done'
    })
    expect(outcome).toEqual({ kind: 'completed', value: 'done' })
    expect(ran).toEqual(['step', 'after'])
  })

  test('E1 an ask is a PromiseLike that may be awaited any number of times', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const ask = ctx.ask('a')
      expect(Object.keys(Object.getPrototypeOf(ask) as object)).not.toContain('catch')
      return Promise.all([ask, ask, Promise.race([ask, ask])])
    }
    const outcomes = await rounds(handler, [{ a: 1 }])
    expect(keys(outcomes[0] as never)).toEqual(['a'])
    expect(outcomes[1]).toEqual({ kind: 'completed', value: [1, 1, 1] })
  })
})

describe('how an attempt ends', () => {
  test('E3 the first outcome counts, what comes later is dropped and logged', async () => {
    const { log, codes } = logbook()
    let goOn = (): void => undefined
    const outcome = await round(
      async (ctx) => {
        await Promise.race([ctx.ask('a'), new Promise<void>((resolve) => (goOn = resolve))])
        return 'late'
      },
      { log },
    )
    expect(outcome.kind).toBe('suspended')
    goOn()
    await turns(1)
    expect(codes()).toEqual(['LATE_OUTCOME'])

    const twice = await round((ctx) => {
      void ctx.attempt.end({ value: 'first' })
      void ctx.attempt.end({ error: 'second' })
      throw new Error('third')
    })
    expect(twice).toEqual({ kind: 'completed', value: 'first' })
  })

  test('E6 run gives a value whatever happens: completed, suspended, failed, cancelled', async () => {
    const error = new Error('own')
    expect(round(() => 1)).toEqual({ kind: 'completed', value: 1 })
    expect(
      round(() => {
        throw error
      }),
    ).toEqual({ kind: 'failed', error })
    expect(await round(() => Promise.reject(error))).toEqual({ kind: 'failed', error })
    expect((await round((ctx) => ctx.ask('a'))).kind).toBe('suspended')
    expect(await round((ctx) => (ctx.attempt.cancel(), ctx.ask('a')))).toEqual({ kind: 'cancelled' })
    // A log that throws changes nothing.
    const log = (): never => {
      throw error
    }
    expect(await round((ctx) => ctx.ask('#'), { log })).toMatchObject({ kind: 'failed' })
  })

  test('E6 a handler that returns no promise has its outcome at once, whatever it started', () => {
    expect(round((ctx) => (void ctx.step('s', () => 1), 'now'))).toEqual({ kind: 'completed', value: 'now' })
    expect(round((ctx) => (void ctx.step('#', () => 1), 'now'))).toMatchObject({ kind: 'failed' })
  })

  test('E5 what was registered runs last in, first out, at the end of every attempt; failures are logged', async () => {
    const ran: string[] = []
    const { log, codes } = logbook()
    const handler = async (ctx: Ctx): Promise<unknown> => {
      ctx.attempt.onEnd(() => void ran.push('first'))
      ctx.attempt.onEnd(async () => {
        await delay(2)
        ran.push('second')
        throw new Error('async')
      })
      ctx.attempt.onEnd(() => {
        ran.push('third')
        throw new Error('sync')
      })
      return ctx.ask('a')
    }
    const outcomes = await rounds(handler, [{ a: 1 }], { log })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['suspended', 'completed'])
    expect(ran).toEqual(['third', 'second', 'first', 'third', 'second', 'first'])
    expect(codes()).toEqual(Array(4).fill('CLEANUP_FAILED'))
  })

  test('E5 the end is not held up for ever, and what comes to be registered after it runs at once', async () => {
    const { log, codes } = logbook()
    const late = vi.fn()
    const outcome = await round(
      (ctx) => {
        ctx.attempt.onEnd(() => new Promise(() => undefined))
        setTimeout(() => ctx.attempt.onEnd(late), 5)
        return 'done'
      },
      { log, limits: { cleanup: 10 } },
    )
    expect(outcome).toEqual({ kind: 'completed', value: 'done' })
    expect(codes()).toEqual(['CLEANUP_SLOW'])
    expect(late).toHaveBeenCalledOnce()
  })

  test('E5 the signal aborts when the call is cancelled, before or after it was looked at, and for nothing else', async () => {
    const attempts: Attempt[] = []
    const onAttempt = (attempt: Attempt): void => void attempts.push(attempt)
    await round((ctx) => (void ctx.attempt.signal, ctx.ask('a')), { onAttempt })
    await round((ctx) => (void ctx.attempt.signal, ctx.ask('#')), { onAttempt })
    const aborted = vi.fn()
    await round((ctx) => (ctx.attempt.signal.addEventListener('abort', aborted), ctx.attempt.cancel('gone')), {
      onAttempt,
    })
    await round((ctx) => ctx.attempt.cancel(), { onAttempt })
    attempts.forEach((attempt) => attempt.cancel())
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([false, false, true, true])
    expect(aborted).toHaveBeenCalledOnce()
    expect(String(attempts[2]?.signal.reason)).toBe('AbortError: gone')
  })
})

describe('what is remembered', () => {
  test('E15 facts and the call id are recorded when met and never computed again', async () => {
    const compute = vi.fn(() => ({ at: Math.random() }))
    const callId = vi.fn(() => 'call-1')
    const seen: unknown[] = []
    const handler = async ({ attempt, ask }: Ctx): Promise<unknown> => {
      seen.push([attempt.fact('clock', compute), attempt.fact('clock', compute), attempt.callId])
      await ask('a')
      return attempt.fact('later', () => 1)
    }
    const outcomes = await rounds(handler, [{}, { a: 1 }], { callId })
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 1 })
    expect(new Set(seen.map((facts) => JSON.stringify(facts))).size).toBe(1)
    expect(compute).toHaveBeenCalledOnce()
    expect(callId).toHaveBeenCalledOnce()
  })

  test('E15 nobody can change a recorded fact, and one that is no JSON ends the call', async () => {
    const first = await round(async ({ attempt, ask }) => {
      attempt.fact('list', () => [1]).push(2)
      await ask('a')
    })
    const second = await round(({ attempt }) => attempt.fact('list', () => []), { journal: carried(first) })
    expect(second).toEqual({ kind: 'completed', value: [1] })
    expect(round(({ attempt }) => attempt.fact('clock', () => 1n))).toMatchObject({
      kind: 'failed',
      error: { code: 'STEP_UNRECORDABLE' },
    })
  })

  test('E15 nobody can change a fact for whoever reads it next, in the first round or a later one', async () => {
    const handler = async ({ attempt, ask }: Ctx): Promise<unknown> => {
      const read = (): { list: number[] } => attempt.fact('list', () => ({ list: [1] }))
      read().list.push(2)
      read().list.push(3)
      await ask('a')
      return read()
    }
    const first = await round(handler)
    const second = await round(handler, { journal: carried(first) })
    for (const outcome of [first, second]) expect(carried(outcome).f).toEqual([['list', { list: [1] }]])
    const third = await round(handler, { journal: carried(second), answers: answers({ a: 1 }) })
    expect(third).toEqual({ kind: 'completed', value: { list: [1] } })
  })

  test('E15 a fact outlives rounds that do not come to it', async () => {
    const compute = vi.fn(() => Math.random())
    let looks = true
    const handler = async ({ attempt, ask }: Ctx): Promise<unknown> => {
      const fact = looks ? attempt.fact('clock', compute) : undefined
      await ask('a')
      return fact
    }
    const first = await round(handler)
    looks = false
    const second = await round(handler, { journal: carried(first) })
    looks = true
    const third = await round(handler, { journal: carried(second), answers: answers({ a: 1 }) })
    expect(third).toEqual({ kind: 'completed', value: compute.mock.results[0]?.value })
    expect(compute).toHaveBeenCalledOnce()
  })

  test('E13 quiet until every record was delivered or something unrecorded is met', async () => {
    const heard: string[] = []
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const say = (what: string): void => void (ctx.attempt.quiet || heard.push(what))
      say('start')
      await ctx.step('s', () => say('in step'))
      say('after step')
      await ctx.ask('a')
      say('after a')
      await ctx.ask('b')
      say('after b')
      return 'done'
    }
    const heardInRound: string[][] = []
    let journal: Journal | undefined
    for (const given of [{}, {}, { a: 1 }, {}, { b: 1 }]) {
      const outcome = await round(handler, { journal, answers: answers(given) })
      heardInRound.push(heard.splice(0))
      journal = outcome.kind === 'suspended' ? carried(outcome) : undefined
    }
    expect(heardInRound).toEqual([['start', 'in step', 'after step'], [], ['after a'], [], ['after b']])
  })

  test('E13 a wait that is not over is something unrecorded, and what was said before it is not said again', async () => {
    const heard: string[] = []
    const handler = async (ctx: Ctx): Promise<unknown> => {
      if (!ctx.attempt.quiet) heard.push('start')
      return ctx.waitFor('w', () => (ctx.attempt.quiet || heard.push('poll'), undefined), { hold: 0 })
    }
    await rounds(handler, [{}, {}])
    expect(heard).toEqual(['start', 'poll', 'poll', 'poll'])
  })
})

describe('what it costs', () => {
  test('E18 one timer for the time limits of all running attempts, none when no attempt runs', async () => {
    const timers = new Set<unknown>()
    let most = 0
    const host = {
      ...thisHost,
      setTimer(fn: () => void, ms: number, background?: boolean): unknown {
        const timer = thisHost.setTimer(fn, ms, background)
        timers.add(timer)
        most = Math.max(most, timers.size)
        return timer
      },
      clearTimer(timer: unknown): void {
        timers.delete(timer)
        thisHost.clearTimer(timer)
      },
    }
    await Promise.all(Array.from({ length: 20 }, (_, i) => Promise.resolve(round(() => turns(i + 1), { host }))))
    expect(most).toBe(1)
    expect(timers.size).toBe(0)
    await round(async (ctx) => [await ctx.step('s', () => turns(3), { timeout: 1_000 }), await ctx.ask('a')], { host })
    expect(timers.size).toBe(0)
  })

  test('E18 the handler learns of nothing else when its time is up: one attempt, named', async () => {
    const [slow, fast] = await Promise.all([
      Promise.resolve(round(() => delay(500), { limits: { handlerTime: 10 } })),
      Promise.resolve(round(() => delay(30).then(() => 'fast'), { limits: { handlerTime: 400 } })),
    ])
    expect(slow).toMatchObject({ kind: 'failed', error: { code: 'HANDLER_TIME' } })
    expect(fast).toEqual({ kind: 'completed', value: 'fast' })
  })
})
