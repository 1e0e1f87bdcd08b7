import { describe, expect, test, vi } from 'vitest'
import { RondoError } from '../errors/rondo-error.ts'
import { answers, carried, type Ctx, delay, keys, round, rounds, suspended, turns } from '../../test/replay/kit.ts'
import { host as thisHost } from './host.ts'
import { newJournal } from './journal.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { type Outcome } from './outcome.ts'

const errorOf = (outcome: Outcome<unknown> | undefined): string =>
  outcome?.kind === 'failed' ? `${(outcome.error as { code: string }).code} ${String(outcome.error)}` : 'none'

describe('when a round ends', () => {
  test('E2 asks awaited together go out together, in the order asked', async () => {
    const outcome = await round((ctx) =>
      Promise.all([ctx.ask('b'), Promise.resolve().then(() => ctx.ask('a')), ctx.ask('c')]),
    )
    expect(keys(outcome)).toEqual(['b', 'c', 'a'])
  })

  test('E2 not while a step runs, and what it leads to goes out too', async () => {
    const outcome = await round((ctx) =>
      Promise.all([ctx.ask('a'), ctx.step('s', () => delay(10)).then(() => ctx.ask('b'))]),
    )
    expect(keys(outcome)).toEqual(['a', 'b'])
  })

  test('E2 not while an answer is being checked', async () => {
    const check = (value: unknown) => delay(10).then(() => ({ ok: true, value }) as const)
    const handler = (ctx: Ctx): Promise<unknown> =>
      Promise.all([ctx.ask('a', { check }).then(() => ctx.ask('c')), ctx.ask('b')])
    const [, second] = await rounds(handler, [{ a: 1 }])
    expect(keys(second as Outcome<unknown>)).toEqual(['b', 'c'])
  })

  test('E2 an answer is read once, whatever else happens while it is', async () => {
    const check = vi.fn((value: unknown) => delay(15).then(() => ({ ok: true, value }) as const))
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const step = ctx.step('s', () => delay(5))
      await Promise.all([ctx.ask('a', { check }), step])
      return ctx.ask('b')
    }
    const first = await round((ctx) => ctx.ask('a'))
    const second = await round(handler, { journal: carried(first), answers: answers({ a: 1 }) })
    expect(check).toHaveBeenCalledOnce()
    expect(carried(second).e.map(([, key]) => key)).toEqual(['a', 's'])
  })

  test('E2 a handler that awaits no ask is never quiescent, however slow', async () => {
    expect(await round(() => delay(30).then(() => 'done'))).toEqual({ kind: 'completed', value: 'done' })
    expect(await round((ctx) => ctx.step('s', () => 1).then(() => delay(30)))).toMatchObject({ kind: 'completed' })
  })

  test('E2 a whole turn passes after the last activity', async () => {
    const deferred: (() => void)[] = []
    const host = { ...thisHost, defer: (fn: () => void) => void deferred.push(fn) }
    const done = vi.fn()
    let more = (): void => undefined
    void Promise.resolve(
      round((ctx) => Promise.all([ctx.ask('a'), new Promise<void>((go) => (more = go)).then(() => ctx.ask('b'))]), {
        host,
      }),
    ).then(done)
    await turns(1)
    more()
    await turns(1)
    expect(deferred).toHaveLength(1)
    deferred.shift()?.()
    await turns(1)
    expect(done).not.toHaveBeenCalled()
    expect(deferred).toHaveLength(1)
    deferred.shift()?.()
    await turns(1)
    expect(keys(done.mock.calls[0]?.[0] as Outcome<unknown>)).toEqual(['a', 'b'])
  })

  test('E2 a recorded answer that is unmet is waited for first', async () => {
    const handler = (ctx: Ctx): Promise<unknown> =>
      Promise.all([ctx.ask('a'), delay(300).then(() => ctx.ask('b').then(() => ctx.ask('c')))])
    const first = await round((ctx) => Promise.all([ctx.ask('a'), ctx.ask('b')]))
    const options = { journal: carried(first), answers: answers({ b: 1 }) }
    expect(keys(await round(handler, options))).toEqual(['a', 'c'])
    expect(keys(await round(handler, { ...options, limits: { grace: 5 } }))).toEqual(['a'])
  })
})

describe('what goes out', () => {
  test('E11 the asks of a round are admitted together, and nothing goes out when one is not', async () => {
    const refusal = new RondoError('CAPABILITY_MISSING', 'roots')
    const admit = vi.fn((asks: readonly { kind: string }[]) =>
      asks.some(({ kind }) => kind === 'roots') ? refusal : undefined,
    )
    const handler = (ctx: Ctx): Promise<unknown> => Promise.all([ctx.ask('a'), ctx.ask('b', { kind: 'roots' })])
    expect(await round(handler, { admit })).toEqual({ kind: 'failed', error: refusal })
    expect(admit.mock.calls).toEqual([[[expect.objectContaining({ key: 'a' }), expect.objectContaining({ key: 'b' })]]])
    const thrown = (): never => {
      throw refusal
    }
    expect(await round(handler, { admit: thrown })).toEqual({ kind: 'failed', error: refusal })
  })

  test('E11 a round that puts no ask needs nothing', async () => {
    const admit = vi.fn(() => new Error('no'))
    expect(keys(await round((ctx) => ctx.waitFor('w', () => undefined, { hold: 0 }), { admit }))).toEqual([])
    expect(admit).not.toHaveBeenCalled()
  })

  test('E19 the journal is plain JSON, its text beside it, and the one that was given is not changed', async () => {
    const journal = newJournal(1, 'call')
    const frozen = JSON.stringify(journal)
    const outcome = suspended(
      await round(async (ctx) => [await ctx.step('s', () => 1), await ctx.ask('a')], { journal }),
    )
    expect(JSON.stringify(journal)).toBe(frozen)
    expect(JSON.parse(outcome.text)).toEqual(outcome.journal)
    expect(outcome.journal).toMatchObject({ id: 'call', t: 1, n: 1, e: [['s', 's', 1]], o: [{ k: 'a' }] })
  })
})

describe('limits', () => {
  test('E18 asking rounds: default, option, code', async () => {
    const handler = async (ctx: Ctx): Promise<never> => {
      for (;;) await ctx.ask('a')
    }
    const given = Array.from({ length: 70 }, (_, i) => ({ [i === 0 ? 'a' : `a#${i + 1}`]: 1 }))
    const outcomes = await rounds(handler, given)
    expect(outcomes).toHaveLength(DEFAULT_LIMITS.rounds + 1)
    expect(errorOf(outcomes.at(-1))).toMatch(/^ROUNDS_EXCEEDED .*64 rounds.*"a#65"/)
    expect(await rounds(handler, given, { limits: { rounds: 3 } })).toHaveLength(4)
  })

  test('E18 asks per round: default, option, code; a breach does not split the round', async () => {
    const many = (count: number) => (ctx: Ctx) => Promise.all(Array.from({ length: count }, (_, i) => ctx.ask(`a${i}`)))
    expect(keys(await round(many(DEFAULT_LIMITS.asksPerRound)))).toHaveLength(32)
    expect(errorOf(await round(many(33)))).toMatch(/^ASKS_EXCEEDED .*33 asks/)
    expect(errorOf(await round(many(3), { limits: { asksPerRound: 2 } }))).toMatch(/^ASKS_EXCEEDED/)
  })

  test('E18 size of the journal in bytes: default, option, code; the largest entries are named', async () => {
    const handler = (size: number) => async (ctx: Ctx) => [
      await ctx.step('small', () => 1),
      await ctx.step('large', () => 'é'.repeat(size / 2)),
      await ctx.ask('a'),
    ]
    expect(keys(await round(handler(120 * 1024)))).toEqual(['a'])
    expect(errorOf(await round(handler(128 * 1024)))).toMatch(/^JOURNAL_TOO_LARGE .*"large" \(\d+\), "small"/)
    expect(errorOf(await round(handler(1000), { limits: { journalBytes: 1000 } }))).toMatch(/^JOURNAL_TOO_LARGE/)
  })

  test('E18 time of waiting: counted over rounds that put no ask and bring nothing', async () => {
    const clock = { now: 0 }
    const host = { ...thisHost, now: () => clock.now }
    let ready = 0
    const handler = async (ctx: Ctx): Promise<unknown> => {
      await ctx.waitFor('first', () => ready > 0 || undefined, { hold: 0 })
      await ctx.ask('a')
      return ctx.waitFor('second', () => ready > 1 || undefined, { hold: 0 })
    }
    let outcome: Outcome<unknown> = await round(handler, { host })
    const later = async (minutes: number, given: Record<string, unknown> = {}): Promise<void> => {
      clock.now += minutes * 60_000
      outcome = await round(handler, { host, journal: carried(outcome), answers: answers(given) })
    }
    for (let i = 0; i < 100; i++) await later(0.1)
    expect(keys(outcome)).toEqual([])
    ready = 1
    await later(4)
    expect(keys(outcome)).toEqual(['a'])
    // A person's time is no time of waiting.
    await later(60, { a: 1 })
    expect(keys(outcome)).toEqual([])
    await later(14)
    expect(keys(outcome)).toEqual([])
    await later(1)
    expect(errorOf(outcome)).toMatch(/^WAIT_TIME .*"second" for 900 s/)
  })

  test('E18 time of waiting: a wait that is over is something that was brought', async () => {
    const clock = { now: 0 }
    const host = { ...thisHost, now: () => clock.now }
    const minutes = (count: number) => () => clock.now >= count * 60_000 || undefined
    const handler = async (ctx: Ctx): Promise<unknown> => [
      await ctx.waitFor('first', minutes(14), { hold: 0 }),
      await ctx.waitFor('second', minutes(28), { hold: 0 }),
    ]
    let outcome: Outcome<unknown> = await round(handler, { host })
    for (let i = 0; i < 28; i++) {
      clock.now += 60_000
      outcome = await round(handler, { host, journal: carried(outcome) })
    }
    expect(outcome).toEqual({ kind: 'completed', value: [true, true] })
  })

  test('E18 time per attempt: names the open asks and the running steps, and asks about a lock', async () => {
    const handler = (ctx: Ctx): Promise<unknown> => Promise.all([ctx.ask('a'), ctx.step('build', () => delay(200))])
    const error = errorOf(await round(handler, { limits: { handlerTime: 10 } }))
    expect(error).toMatch(/^HANDLER_TIME .*ask "a".*step "build".*A lock held across an ask\?/)
    expect(errorOf(await round(() => delay(100), { limits: { handlerTime: 10 } }))).toMatch(/something of its own/)
    expect(DEFAULT_LIMITS.handlerTime).toBe(60_000)
  })
})
