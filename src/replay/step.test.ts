import { describe, expect, test, vi } from 'vitest'
import { isToolError, ToolError } from '../errors/tool-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { answers, carried, type Ctx, delay, logbook, round, rounds } from '../../test/replay/kit.ts'
import { type Outcome } from './outcome.ts'

/** Runs a step in round 1 and gives what the handler gets for it there and, replayed, in round 2. */
async function both(fn: () => unknown): Promise<[first: unknown, replayed: unknown]> {
  const got: unknown[] = []
  await rounds(
    async (ctx) => {
      got.push(await ctx.step('s', fn).catch((error: unknown) => error))
      await ctx.ask('a')
    },
    [{ a: 1 }],
  )
  expect(got).toHaveLength(2)
  return got as [unknown, unknown]
}

const errorOf = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'failed' ? `${(outcome.error as { code: string }).code} ${String(outcome.error)}` : 'none'

describe('E10 results', () => {
  test.each([
    ['a number', 1, 1],
    ['undefined', undefined, undefined],
    ['null', null, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['undefined inside', { a: undefined, b: [undefined] }, { b: [null] }],
    ['an own __proto__', JSON.parse('{"__proto__":1}') as unknown, JSON.parse('{"__proto__":1}') as unknown],
  ])('E10 %s: the recorded form in the first attempt too', async (_, value, recorded) => {
    const [first, replayed] = await both(() => value)
    expect(first).toEqual(recorded)
    expect(replayed).toEqual(recorded)
    expect(JSON.stringify(first)).toBe(JSON.stringify(replayed))
  })

  test('E10 a step runs once, sync or async, and nobody can change what is recorded of it', async () => {
    const fn = vi.fn(() => ({ list: [1] }))
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const result = await ctx.step('s', fn)
      result.list.push(2)
      await ctx.ask('a')
      return result
    }
    const outcomes = await rounds(handler, [{}, {}, { a: 1 }])
    expect(outcomes.at(-1)).toEqual({ kind: 'completed', value: { list: [1, 2] } })
    expect(fn).toHaveBeenCalledOnce()
  })
})

describe('E10 failures', () => {
  test('E10 a failure is recorded as name, message and code, and is an Error with those in every attempt', async () => {
    const fn = vi.fn(() => Promise.reject(Object.assign(new TypeError('gone'), { code: 'ENOENT', path: '/secret' })))
    const [first, replayed] = await both(fn)
    for (const error of [first, replayed]) {
      expect(error).toBeInstanceOf(Error)
      expect({ ...(error as object) }).toEqual({ code: 'ENOENT' })
      expect(String(error)).toBe('TypeError: gone')
    }
    expect(fn).toHaveBeenCalledOnce()
  })

  test('E10 whatever is thrown becomes an Error', async () => {
    for (const thrown of ['text', { a: 1 }, undefined, null, 7n]) {
      const [first, replayed] = await both(() => {
        throw thrown
      })
      expect(first).toBeInstanceOf(Error)
      expect(String(replayed)).toBe(String(first))
    }
  })

  test("E10 a tool error and an author's wire error stay what they are", async () => {
    const [, tool] = await both(() => {
      throw new ToolError('no such branch')
    })
    expect(isToolError(tool) && String(tool)).toBe('ToolError: no such branch')
    const [, wire] = await both(() => {
      throw new WireError(1001, 'quota', { data: { left: 0 } })
    })
    expect((wire as WireError).toJSON()).toEqual({ code: 1001, message: 'quota', data: { left: 0 } })
  })

  test('E10 a failure nobody waits for does not end the process', async () => {
    const { log, events } = logbook()
    const cause = new Error('alone')
    await round((ctx) => (void ctx.step('s', () => Promise.reject(cause)), ctx.ask('a')), { log })
    expect(events).toEqual([{ level: 'debug', code: 'STEP_FAILED', message: 'The step "s" failed: alone', cause }])
  })
})

describe('E10 what cannot be recorded', () => {
  const cyclic: Record<string, unknown> = { name: 'x' }
  cyclic.self = { list: [cyclic] }

  test.each([
    ['a function', () => 1, 'result: it is a function'],
    ['a bigint inside', { rows: [{ id: 1n }] }, 'result.rows[0].id: it is a bigint'],
    ['a cycle', cyclic, 'result.self.list[0]: it contains itself'],
    ['NaN', { 'a b': NaN }, 'result["a b"]: it is NaN'],
    ['a map', { m: new Map([[1, 2]]) }, 'result.m: it is an instance of Map'],
    ['a promise nobody awaited', { p: Promise.resolve(1) }, 'result.p: it is an instance of Promise'],
    ['a response', new Response('x'), 'result: it is an instance of Response'],
    ['an error', { e: new Error('x') }, 'result.e: it is an instance of Error'],
  ])('E10 %s: the call ends and the path is named', async (_, value, text) => {
    const outcome = await round((ctx) => ctx.step('s', () => value))
    expect(errorOf(outcome)).toMatch(/^STEP_UNRECORDABLE/)
    expect(errorOf(outcome)).toContain(text)
  })
})

describe('what a step is given', () => {
  test('E14 its idempotency key comes from the step key, and a function that needs time for it gets it', async () => {
    for (const wrap of [String, (key: string) => delay(2).then(() => key)]) {
      const seen: string[] = []
      const idempotencyKey = (key: string): string | Promise<string> => wrap(`hmac(${key})`)
      await round(
        async (ctx) => {
          for (const name of ['s', 's', 't'])
            await ctx.step(name, ({ idempotencyKey }) => void seen.push(idempotencyKey))
        },
        { idempotencyKey },
      )
      expect(seen).toEqual(['hmac(s)', 'hmac(s#2)', 'hmac(t)'])
    }
  })

  test('E14 a key that cannot be made ends the call before the step runs', async () => {
    const ran = vi.fn()
    const error = new Error('kms')
    const throwing = (): never => {
      throw error
    }
    for (const idempotencyKey of [throwing, () => Promise.reject(error)]) {
      expect(await round((ctx) => ctx.step('s', ran), { idempotencyKey })).toEqual({ kind: 'failed', error })
    }
    expect(ran).not.toHaveBeenCalled()
  })

  test('E10 a signal that aborts on cancellation, and a log', async () => {
    const stepLog = vi.fn()
    const aborted = vi.fn()
    const outcome = await round(
      (ctx) => {
        setTimeout(() => ctx.attempt.cancel(), 2)
        return ctx.step('s', ({ signal, log }) => {
          log('begun', { n: 1 })
          signal.addEventListener('abort', aborted)
          return delay(20)
        })
      },
      { stepLog },
    )
    expect(outcome).toEqual({ kind: 'cancelled' })
    expect(aborted).toHaveBeenCalledOnce()
    expect(stepLog).toHaveBeenCalledWith('begun', { n: 1 }, 's')
  })

  test('E10 a time limit of its own: a recorded failure, and its signal aborts', async () => {
    const aborted = vi.fn()
    const fn = vi.fn(({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => aborted((signal.reason as Error).name))
      return delay(50)
    })
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const error = await ctx.step('s', fn, { timeout: 5 }).catch(String)
      await ctx.ask('a')
      return error
    }
    const first = await round(handler)
    const second = await round(handler, { journal: carried(first), answers: answers({ a: 1 }) })
    expect(second).toEqual({ kind: 'completed', value: 'TimeoutError: The step "s" took longer than 5 ms' })
    expect(fn).toHaveBeenCalledOnce()
    expect(aborted).toHaveBeenCalledExactlyOnceWith('TimeoutError')
  })

  test('E10 without async context parallel steps are nothing special', async () => {
    const handler = (ctx: Ctx): Promise<unknown> =>
      Promise.all(['s', 't', 'u'].map((name) => ctx.step(name, () => delay(1).then(() => name))))
    expect(await round(handler, { detectNesting: true })).toEqual({ kind: 'completed', value: ['s', 't', 'u'] })
  })

  test('E10 an ask beside a running step is not inside it', async () => {
    const handler = async (ctx: Ctx): Promise<unknown> => {
      const step = ctx.step('s', () => delay(5))
      await ctx.ask('a')
      return step
    }
    expect((await round(handler, { detectNesting: true })).kind).toBe('suspended')
  })
})
