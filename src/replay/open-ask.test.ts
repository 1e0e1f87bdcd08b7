import { describe, expect, test, vi } from 'vitest'
import { answers, carried, type Ctx, delay, keys, logbook, round, rounds, suspended } from '../../test/replay/kit.ts'
import { host as thisHost } from './host.ts'
import { type Outcome } from './outcome.ts'

const errorOf = (outcome: Outcome<unknown> | undefined): string =>
  outcome?.kind === 'failed' ? `${(outcome.error as { code: string }).code} ${String(outcome.error)}` : 'none'

describe('keys', () => {
  test('E9 the key is the name and its occurrence; asks, steps and waits do not share names', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const got: unknown[] = []
      for (let i = 0; i < 3; i++) {
        got.push(await ctx.ask('item'), await ctx.step('item', () => i), await ctx.waitFor('item', () => `w${i}`))
      }
      return got
    }
    const outcomes = await rounds(handler, [{ item: 'a' }, { 'item#2': 'b' }, { 'item#3': 'c' }])
    expect(outcomes.slice(0, 3).map((outcome) => keys(outcome))).toEqual([['item'], ['item#2'], ['item#3']])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: ['a', 0, 'w0', 'b', 1, 'w1', 'c', 2, 'w2'] })
  })

  test('E9 the occurrence is given where the ask is made, not where it is awaited', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const first = ctx.ask('a')
      const second = ctx.ask('a')
      return [await second, await first]
    }
    const outcomes = await rounds(handler, [{ 'a#2': 2 }, { a: 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: [2, 1] })
  })

  test('E9 an ask put again has another wire key, and the answer to the old one is not taken for it', async () => {
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a')
    const outcomes = await rounds(handler, [{ a: 'unfit' }, { a: 'stale' }, { 'a~2': 'unfit' }, { 'a~3': 'good' }])
    expect(outcomes.slice(0, 4).map((outcome) => keys(outcome))).toEqual([['a'], ['a~2'], ['a~2'], ['a~3']])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 'good' })
  })

  test('E9 keys that are names of Object.prototype are keys like any other', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => [
      await ctx.ask('__proto__'),
      await ctx.step('constructor', () => 1),
      await ctx.ask('toString'),
    ]
    const first = await round(handler)
    const given = new Map<string, unknown>([['__proto__', 'p']])
    const second = await round(handler, { journal: carried(first), answers: given })
    expect(keys(second)).toEqual(['toString'])
  })
})

describe('answers are pinned to the question', () => {
  test.each([
    ['strict', 'a~2', 'schema'],
    [undefined, 'a~2', 'schema'],
    ['schema', 'done', 'schema'],
    ['schema', 'a~2', 'other schema'],
    ['key', 'done', 'other schema'],
  ] as const)('E16 pin %s: the question reworded: %s', async (pin, expected, schemaPrint) => {
    const ask = (message: string, schemaPrint: string) => (ctx: Ctx) => ctx.ask('a', { pin, message, schemaPrint })
    const first = await round(ask('old', 'schema'))
    const second = await round(ask('new', schemaPrint), { journal: carried(first), answers: answers({ a: 1 }) })
    expect(second.kind === 'suspended' ? keys(second)[0] : 'done').toBe(expected)
  })

  test('E16 a question reworded goes out as it is, without the reason that the last answer to the old one did not fit', async () => {
    let message = 'old'
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a', { message })
    const first = await round(handler)
    const second = await round(handler, { journal: carried(first), answers: answers({ a: 'unfit' }) })
    expect(suspended(second).asks[0]?.payload).toEqual({ message: 'old', reason: 'not like that' })
    message = 'new'
    const options = { journal: carried(second), answers: answers({ 'a~2': 'good' }) }
    const third = await round(handler, options)
    const [asked] = suspended(third).asks
    expect([asked?.key, asked?.payload]).toEqual(['a~3', { message: 'new' }])
    const [open] = carried(third).o
    expect(open).toEqual({ k: 'a', y: 'form', p: open?.p, n: 3, u: 1, r: 1, m: 'new' })
    expect(open?.p).not.toBe(carried(second).o[0]?.p)
    const fourth = await round(handler, { journal: carried(third), answers: answers({ 'a~3': 'good' }) })
    expect(fourth).toEqual({ kind: 'completed', value: 'good' })
  })

  test('E16 an answer of an earlier round keeps its place when its question has to be put again', async () => {
    let message = 'old'
    const order: string[] = []
    const handler = async (ctx: Ctx): Promise<unknown> => {
      order.length = 0
      const see = (name: string) => (value: unknown) => void order.push(`${name}=${String(value)}`)
      await ctx.ask('a', { message }).then(see('a'))
      await ctx.ask('b').then(see('b'))
      await ctx.step('s', () => 1).then(see('s'))
      return ctx.ask('c')
    }
    let outcome = await round(handler)
    const next = async (given: Record<string, unknown>): Promise<void> => {
      const options = { journal: carried(outcome), answers: answers(given), onDivergence: 'fail' } as const
      // A grace nobody would live to see: what cannot come is not waited for.
      const limits = { grace: 100_000 }
      outcome = await round(handler, { ...options, limits })
    }
    await next({ a: 1 })
    await next({ b: 2 })
    expect(keys(outcome)).toEqual(['c'])
    message = 'new'
    await next({ c: 'early' })
    expect(keys(outcome)).toEqual(['a~2'])
    await next({})
    expect(keys(outcome)).toEqual(['a~2'])
    await next({ 'a~2': 'again' })
    expect(outcome).toEqual({ kind: 'completed', value: 'early' })
    expect(order).toEqual(['a=again', 'b=2', 's=1'])
  })

  test('E19 what is settled beside an ask that is out again is recorded before it', async () => {
    let message = 'old'
    const handler = (ctx: Ctx): Promise<unknown> => {
      const chain = async (): Promise<unknown> => {
        await ctx.ask('a', { message })
        await ctx.step('after a', () => 1)
        return ctx.ask('b')
      }
      const aside = message === 'new' ? ctx.step('aside', () => 1) : undefined
      return Promise.all([chain(), aside])
    }
    const first = await round(handler)
    const second = await round(handler, { journal: carried(first), answers: answers({ a: 1 }) })
    message = 'new'
    const third = await round(handler, { journal: carried(second) })
    expect(carried(third).e.map(([tag, key]) => `${tag} ${key}`)).toEqual(['s aside', 'o a', 's after a'])
  })

  test('E16 an open ask that is reworded before it was answered is put under another key, without count', async () => {
    let n = 0
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a', { message: `waiting for ${++n} minutes` })
    const outcomes = await rounds(handler, [{}, {}, {}, {}])
    expect(outcomes.map((outcome) => keys(outcome)[0])).toEqual(['a', 'a~2', 'a~3', 'a~4', 'a~5'])
  })

  test('E16 an answered ask left out: a warning that names what was expected and what was found', async () => {
    const first = await round((ctx) => ctx.ask('a'))
    const { log, events } = logbook()
    const options = { journal: carried(first), answers: answers({ a: 1 }), log, limits: { grace: 5 } }
    const second = await round((ctx) => ctx.ask('b'), options)
    expect(keys(second)).toEqual(['b'])
    expect(events.map(({ code, level }) => [code, level])).toEqual([['REPLAY_DIVERGED', 'warn']])
    expect(events[0]?.message).toMatch(/expects ask "a" first.*found first was: ask "b"/)
    // The answer is not lost: a handler that comes back to it has it.
    const third = await round((ctx) => ctx.ask('a'), { journal: carried(second) })
    expect(third).toEqual({ kind: 'completed', value: 1 })
  })

  test('E16 an answered ask left out by a handler that completes fails with onDivergence fail, and warns without', async () => {
    const first = await round((ctx) => ctx.ask('a'))
    const options = { journal: carried(first), answers: answers({ a: 1 }) }
    const { log, codes } = logbook()
    expect(round(() => 'done', { ...options, log })).toEqual({ kind: 'completed', value: 'done' })
    expect(codes()).toEqual(['REPLAY_DIVERGED'])
    expect(errorOf(await round(() => 'done', { ...options, onDivergence: 'fail' }))).toMatch(
      /^REPLAY_DIVERGED .*"a".*completed without coming to anything new/,
    )
  })

  test('E16 a step never met is a warning', async () => {
    const first = await round(async (ctx) => [await ctx.step('s', () => 1), await ctx.ask('a')])
    const { log, events } = logbook()
    const options = { journal: carried(first), answers: answers({ a: 1 }), log, onDivergence: 'fail' } as const
    // Its record holds the answer up until the grace is over.
    const second = await round((ctx) => ctx.ask('a'), { ...options, limits: { grace: 5 } })
    expect(second).toEqual({ kind: 'completed', value: 1 })
    expect(events.map(({ code, level }) => [code, level])).toEqual([['STEP_LEFT_OUT', 'warn']])
  })
})

describe('answers are checked', () => {
  test('E17 the count of unfitting answers outlives a question that changes while it is open', async () => {
    let message = 'one'
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a', { message })
    let outcome = await round(handler)
    const next = async (given: Record<string, unknown>): Promise<void> => {
      outcome = await round(handler, { journal: carried(outcome), answers: answers(given) })
    }
    await next({ a: 'unfit' })
    message = 'two'
    await next({})
    expect(keys(outcome)).toEqual(['a~3'])
    await next({ 'a~3': 'unfit' })
    await next({ 'a~4': 'unfit' })
    expect(keys(outcome)).toEqual(['a~5'])
    await next({ 'a~5': 'unfit' })
    expect(errorOf(outcome)).toMatch(/^ASK_UNFIT /)
  })

  test('E17 an unfitting answer: put again with the reason, three times, then an error that carries it', async () => {
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a')
    const given = [{ a: 'unfit' }, { 'a~2': 'unfit' }, {}, { 'a~3': 'unfit' }, { 'a~4': 'unfit' }]
    const outcomes = await rounds(handler, given)
    const put = outcomes.slice(0, -1).map((outcome) => suspended(outcome).asks[0])
    expect(put.map((ask) => ask?.key)).toEqual(['a', 'a~2', 'a~3', 'a~3', 'a~4'])
    expect(put.map((ask) => ask?.payload)).toEqual([
      { message: 'a?' },
      ...Array(4).fill({ message: 'a?', reason: 'not like that' }),
    ])
    expect(errorOf(outcomes.at(-1))).toMatch(/^ASK_UNFIT .*"a".*4 times: not like that/)
  })

  test('E17 a reason goes with the question it was given about', async () => {
    const handler = (message: string) => (ctx: Ctx) => ctx.ask('a', { message })
    const first = await round(handler('old'))
    const second = await round(handler('old'), { journal: carried(first), answers: answers({ a: 'unfit' }) })
    const third = suspended(await round(handler('new'), { journal: carried(second) }))
    expect(third.asks).toEqual([{ key: 'a~3', kind: 'form', payload: { message: 'new' } }])
  })

  test('E17 a missing answer is put again without count', async () => {
    const outcomes = await rounds((ctx) => ctx.ask('a'), [...Array<object>(9).fill({}), { a: 1 }] as never)
    expect(outcomes).toHaveLength(11)
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 1 })
    const unreadable = await rounds((ctx) => ctx.ask('a'), Array(9).fill({ a: undefined }))
    expect(unreadable.map((outcome) => keys(outcome))).toEqual(Array(10).fill(['a']))
  })

  test('E17 keys never asked are ignored, and an answer counts only beside a journal that records its question', async () => {
    const check = vi.fn((answer: unknown) => ({ ok: true, value: answer }) as const)
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a', { check })
    const early = await round(handler, { answers: answers({ a: 'early' }) })
    expect(keys(early)).toEqual(['a'])
    expect(check).not.toHaveBeenCalled()
    const other = await round((ctx) => ctx.ask('other'))
    expect(keys(await round(handler, { journal: carried(other), answers: answers({ a: 'early', b: 2 }) }))).toEqual([
      'a',
    ])
    expect(check).not.toHaveBeenCalled()
  })

  test('E17 an answer is parsed again in every attempt, and nobody can change the recorded one', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const list = await ctx.ask<number[]>('a')
      list.push(list.length)
      await ctx.ask('b')
      return list
    }
    const outcomes = await rounds(handler, [{ a: [7] }, {}, { b: 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: [7, 1] })
  })

  test('E17 a check may take its time, and one that fails ends the call', async () => {
    const slow = (value: unknown) => delay(5).then(() => ({ ok: true, value: `checked ${String(value)}` }) as const)
    const fast = await rounds((ctx) => Promise.all([ctx.ask('a', { check: slow }), ctx.ask('b')]), [{ a: 1, b: 2 }])
    expect(fast.at(-1)).toEqual({ kind: 'completed', value: ['checked 1', 2] })
    for (const check of [() => Promise.reject(new Error('broken')), () => JSON.parse('{')] as (() => never)[]) {
      const [, second] = await rounds((ctx) => ctx.ask('a', { check }), [{ a: 1 }])
      expect(second?.kind).toBe('failed')
    }
  })
})

describe('a deadline of an ask', () => {
  const clock = { now: 1_000 }
  const host = { ...thisHost, now: () => clock.now }
  const options = { within: 100, late: 'cancelled' }

  test('E15 counts from when the ask is first put, over rounds and rewordings', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => [await ctx.ask('a', options), await ctx.ask('b')]
    const first = await round(handler, { host })
    clock.now += 60
    const second = await round(handler, { host, journal: carried(first), answers: answers({ a: 'unfit' }) })
    expect(keys(second)).toEqual(['a~2'])
    clock.now += 60
    // The answer is there, but late: it is not taken.
    const third = await round(handler, { host, journal: carried(second), answers: answers({ 'a~2': 'too late' }) })
    expect(keys(third)).toEqual(['b'])
    const fourth = await round(handler, { host, journal: carried(third), answers: answers({ b: 1 }) })
    expect(fourth).toEqual({ kind: 'completed', value: ['cancelled', 1] })
  })

  test('E15 an ask that wins a race by being late keeps winning', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const winner = await Promise.race([ctx.ask('slow'), ctx.ask('a', options)])
      return [winner, await ctx.ask('next')]
    }
    const first = await round(handler, { host })
    clock.now += 200
    const second = await round(handler, { host, journal: carried(first) })
    expect(keys(second)).toEqual(['slow', 'next'])
    const third = await round(handler, { host, journal: carried(second), answers: answers({ slow: 1, next: 2 }) })
    expect(third).toEqual({ kind: 'completed', value: ['cancelled', 2] })
  })

  test('E15 the deadline of an ask stays when a round does not come to it', async () => {
    const handler =
      (slow: boolean) =>
      (ctx: Ctx): Promise<unknown> =>
        Promise.all([ctx.ask('b'), (slow ? delay(15) : Promise.resolve()).then(() => ctx.ask('a', options))])
    const first = await round(handler(false), { host })
    clock.now += 60
    const second = await round(handler(true), { host, journal: carried(first) })
    expect(keys(second)).toEqual(['b'])
    clock.now += 60
    const third = await round(handler(false), { host, journal: carried(second), answers: answers({ b: 1 }) })
    expect(third).toEqual({ kind: 'completed', value: [1, 'cancelled'] })
  })

  test('E17 what a late ask gets must fit, too', async () => {
    const handler = (ctx: Ctx): PromiseLike<unknown> => ctx.ask('a', { within: 10, late: 'unfit' })
    const first = await round(handler, { host })
    clock.now += 20
    expect(errorOf(await round(handler, { host, journal: carried(first) }))).toMatch(/^ASK_UNFIT/)
  })
})
