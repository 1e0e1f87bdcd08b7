import { describe, expect, test } from 'vitest'
import { type Ctx, logbook, round, rounds } from '../../test/replay/kit.ts'

/** What was warned of, as `once` names it. */
async function idleIn(handler: (ctx: Ctx) => unknown): Promise<(string | undefined)[]> {
  const { log, events } = logbook()
  await round(handler, { log })
  return events.filter(({ code }) => code === 'NOT_AWAITED').map(({ once }) => once)
}

describe('what was made and never awaited', () => {
  test.each<[string, (ctx: Ctx) => unknown, string[]]>([
    ['an ask in a condition', (ctx) => (Boolean(ctx.ask('go')) ? 'wrote' : 'no'), ['ask "go"']],
    [
      'an ask of a handler that awaits',
      async (ctx) => void (ctx.ask('go'), await ctx.step('s', () => 1)),
      ['ask "go"'],
    ],
    ['a wait', (ctx) => void ctx.waitFor('paid', () => 1), ['wait "paid"']],
    ['each name once', (ctx) => void [ctx.ask('a'), ctx.ask('a'), ctx.ask('b')], ['ask "a"', 'ask "b"']],
    ['none: all awaited', async (ctx) => Promise.race([ctx.ask('a'), ctx.ask('b'), Promise.resolve(1)]), []],
    ['none: returned', (ctx) => ctx.ask('a'), []],
    ['none: the handler failed', (ctx) => (ctx.ask('a'), Promise.reject(new Error('no'))), []],
    ['none: the call was ended before it came to it', (ctx) => (ctx.ask('a'), ctx.attempt.end({ value: 1 })), []],
  ])('E1 is warned of when the handler comes to its end: %s', async (_what, handler, told) => {
    expect(await idleIn(handler)).toEqual(told)
  })

  test('E1 is not warned of in a round that is suspended: it may be awaited later', async () => {
    const { log, events } = logbook()
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const later = ctx.ask('b')
      return [await ctx.ask('a'), await later]
    }
    const outcomes = await rounds(handler, [{ a: 1 }, { b: 2 }], { log })
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: [1, 2] })
    expect(events).toEqual([])
  })
})
