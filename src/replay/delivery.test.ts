import { describe, expect, test, vi } from 'vitest'
import { answers, carried, type Ctx, delay, round, rounds, turns } from '../../test/replay/kit.ts'
import { Delivery } from './delivery.ts'
import { type Outcome } from './outcome.ts'

const noop = (): void => undefined

describe('the order of everything that is settled', () => {
  test('E19 a record that was set aside comes after everything that waits when the handler comes to it', () => {
    const delivery = new Delivery()
    delivery.expect(['s', 'early', 1], true, undefined, false)
    delivery.setAside()
    delivery.push(['s', 'live', 2], noop)
    const aside = delivery.find('step', 'early')
    expect(aside?.state).toBe('aside')
    delivery.meet(aside as NonNullable<typeof aside>, noop)
    const order: string[] = []
    for (let item = delivery.next(); item; item = delivery.next()) {
      order.push(item.entry[1])
      delivery.delivered(item)
    }
    expect(order).toEqual(['live', 'early'])
  })

  test('E19 answers of one round arrive in the order asked, not in the order of the reply', async () => {
    const order: unknown[] = []
    const handler = (ctx: Ctx): Promise<unknown> =>
      Promise.all(['c', 'a', 'b'].map((name) => ctx.ask(name).then((value) => order.push(value))))
    await rounds(handler, [{ a: 'a', b: 'b', c: 'c' }])
    expect(order).toEqual(['c', 'a', 'b'])
  })

  test('E19 a turn passes between two of them, so that what one leads to comes before the next', async () => {
    const order: string[] = []
    const chain = async (name: string, first: PromiseLike<unknown>): Promise<void> => {
      await first
      for (let i = 0; i < 5; i++) {
        order.push(`${name}${i}`)
        await Promise.resolve()
      }
    }
    const handler = (ctx: Ctx): Promise<unknown> =>
      Promise.all([
        chain(
          's',
          ctx.step('s', () => 1),
        ),
        chain(
          't',
          ctx.step('t', () => 1),
        ),
        chain('a', ctx.ask('a')),
      ])
    const expected = ['s', 't'].flatMap((name) => [0, 1, 2, 3, 4].map((i) => `${name}${i}`))
    const first: Outcome<unknown> = await round(handler)
    expect(order.splice(0)).toEqual(expected)
    await round(handler, { journal: carried(first), answers: answers({ a: 1 }) })
    expect(order).toEqual([...expected, 'a0', 'a1', 'a2', 'a3', 'a4'])
  })

  test('E19 steps are replayed in the order they ended, whatever the order they are started in', async () => {
    const order: string[] = []
    const handler = async (ctx: Ctx): Promise<void> => {
      order.length = 0
      const run = (name: string, ms: number): Promise<unknown> =>
        ctx.step(name, () => delay(ms)).then(() => order.push(name))
      await Promise.all([run('slow', 20), run('fast', 1), run('middle', 10)])
      await ctx.ask('a')
    }
    await rounds(handler, [{ a: 1 }])
    expect(order).toEqual(['fast', 'middle', 'slow'])
  })

  test('E19 a record whose owner comes late holds the others up, but not for ever', async () => {
    const order: string[] = []
    const handler =
      (ms: number) =>
      async (ctx: Ctx): Promise<unknown> => {
        order.length = 0
        await Promise.all([
          delay(ms).then(() => ctx.step('first', () => 1).then(() => order.push('first'))),
          delay(ms === 0 ? 5 : 0).then(() => ctx.step('second', () => 1).then(() => order.push('second'))),
        ])
        return ctx.ask('a')
      }
    const first: Outcome<unknown> = await round(handler(0))
    expect(order).toEqual(['first', 'second'])
    await round(handler(20), { journal: carried(first) })
    expect(order).toEqual(['first', 'second'])
    const third = await round(handler(200), { journal: carried(first), limits: { grace: 5 } })
    expect(order).toEqual(['second', 'first'])
    // What was taken out of order is recorded as it went.
    expect(carried(third).e.map(([, key]) => key)).toEqual(['second', 'first'])
  })
})

describe('the queue', () => {
  test('E19 gives the head once it is met, and nothing else', () => {
    const queue = new Delivery()
    queue.expect(['s', 'one'], true, undefined, false)
    queue.expect(['s', 'two'], true, undefined, false)
    const [one, two] = [queue.find('step', 'one'), queue.find('step', 'two')]
    if (!one || !two) throw new Error('both are recorded')
    queue.meet(two, noop)
    expect(queue.next()).toBeUndefined()
    expect([queue.isHeldUp(false), queue.left]).toEqual([true, 2])
    queue.meet(one, noop)
    expect(queue.next()).toBe(one)
    queue.delivered(one)
    expect(queue.next()).toBe(two)
    queue.push(['s', 'live', 1], noop)
    queue.delivered(two)
    expect(queue.next()?.entry).toEqual(['s', 'live', 1])
    expect([queue.find('step', 'live'), queue.left]).toEqual([undefined, 0])
  })

  test('E2 a record found by its key takes no search, however long the journal', async () => {
    const count = 2_000
    const handler = async (ctx: Ctx): Promise<number> => {
      let sum = 0
      for (let i = 0; i < count; i++) sum += await ctx.step(`s${i}`, () => 1)
      return sum + Number(await ctx.ask('a'))
    }
    const find = vi.spyOn(Array.prototype, 'find')
    const outcomes = await rounds(handler, [{ a: 1 }], { limits: { journalBytes: 1e6 } })
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: count + 1 })
    expect(find).not.toHaveBeenCalled()
    find.mockRestore()
    await turns(1)
  })
})
