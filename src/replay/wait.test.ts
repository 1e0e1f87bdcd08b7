import { describe, expect, test, vi } from 'vitest'
import { answers, carried, type Ctx, delay, keys, round, rounds } from '../../test/replay/kit.ts'
import { host as thisHost } from './host.ts'
import { type Outcome } from './outcome.ts'

describe('waitFor', () => {
  test('E2 polls inside the round while it holds, then ends it with no ask; what it gives is recorded', async () => {
    let polls = 0
    const poll = (): string | undefined => (++polls >= 3 ? `poll ${polls}` : undefined)
    const handler = async (ctx: Ctx): Promise<unknown> => [
      await ctx.waitFor('w', poll, { hold: 0 }),
      await ctx.ask('a'),
    ]
    const outcomes = await rounds(handler, [{}, {}, { a: 1 }])
    expect(outcomes.slice(0, 3).map((outcome) => keys(outcome))).toEqual([[], [], ['a']])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: ['poll 3', 1] })
    polls = 0
    expect(await round((ctx) => ctx.waitFor('w', poll, { hold: 1_000, every: 1 }))).toEqual({
      kind: 'completed',
      value: 'poll 3',
    })
  })

  test('E2 stops holding when an ask comes to be awaited, but lets a poll that runs come to its end', async () => {
    const poll = vi.fn(() => delay(10).then(() => undefined))
    const outcome = await round((ctx) =>
      Promise.all([ctx.waitFor('w', poll, { every: 1 }), delay(2).then(() => ctx.ask('a'))]),
    )
    expect(keys(outcome)).toEqual(['a'])
    expect(poll).toHaveBeenCalledOnce()

    const idle = await round((ctx) =>
      Promise.all([ctx.waitFor('w', () => undefined, { every: 100_000 }), delay(2).then(() => ctx.ask('a'))]),
    )
    expect(keys(idle)).toEqual(['a'])
  })

  test('E2 a recorded answer does not stop the holding', async () => {
    const handler = (ctx: Ctx): Promise<unknown> => {
      let polls = 0
      return Promise.all([ctx.waitFor('w', () => (++polls > 3 ? polls : undefined), { every: 2 }), ctx.ask('a')])
    }
    const first = await round(handler)
    const second = await round(handler, { journal: carried(first), answers: answers({ a: 1 }) })
    expect(second).toEqual({ kind: 'completed', value: [4, 1] })
  })

  test('E2 holding is counted from the start of the attempt, so that waits after one another hold once', async () => {
    const clock = { now: 0 }
    const waits: number[] = []
    const host = {
      ...thisHost,
      now: () => clock.now,
      setTimer(fn: () => void, ms: number, background?: boolean): unknown {
        if (background) return undefined
        waits.push(ms)
        clock.now += ms
        return thisHost.setTimer(fn, 0)
      },
    }
    const after = (time: number) => () => (clock.now >= time ? clock.now : undefined)
    const outcome = await round(
      async (ctx) => [await ctx.waitFor('v', after(1_500), { every: 1_500 }), await ctx.waitFor('w', after(99_000))],
      { host, limits: { hold: 4_000 } },
    )
    expect(keys(outcome)).toEqual([])
    expect(waits).toEqual([1_500, 1_000, 1_000, 500])
  })

  test('E10 a poll that fails is a recorded failure', async () => {
    const poll = vi.fn(() => Promise.reject(new RangeError('broken')))
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const error = await Promise.resolve(ctx.waitFor('w', poll)).catch(String)
      await ctx.ask('a')
      return error
    }
    const outcomes = await rounds(handler, [{ a: 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: 'RangeError: broken' })
    expect(poll).toHaveBeenCalledOnce()
  })

  test('E14 a poll and a step of one name have keys of their own', async () => {
    const keysSeen: string[] = []
    const see = ({ idempotencyKey }: { idempotencyKey: string }): number => keysSeen.push(idempotencyKey)
    await round(async (ctx) => [await ctx.step('x', see), await ctx.waitFor('x', see)], { idempotencyKey: String })
    expect(keysSeen).toEqual(['x', 'x~wait'])
  })

  test('E19 a wait that is over takes its turn like anything else', async () => {
    const order: string[] = []
    const handler = async (ctx: Ctx): Promise<void> => {
      order.length = 0
      const see = (value: unknown): number => order.push(String(value))
      await Promise.all([
        ctx.step('slow', () => delay(15).then(() => 'step')).then(see),
        Promise.resolve(ctx.waitFor('w', () => delay(5).then(() => 'wait'))).then(see),
        ctx.ask('a').then(see),
      ])
    }
    const first: Outcome<unknown> = await round(handler)
    expect(order).toEqual(['wait', 'step'])
    await round(handler, { journal: carried(first), answers: answers({ a: 'ask' }) })
    expect(order).toEqual(['wait', 'step', 'ask'])
  })
})
