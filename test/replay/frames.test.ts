import { afterEach, describe, expect, test } from 'vitest'
import { Attempt } from '../../src/replay/attempt.ts'
import { host as thisHost } from '../../src/replay/host.ts'
import { answers, carried, type Ctx, delay, type Handler, round, type RoundOptions, suspended, turns } from './kit.ts'

const FRAMES = 200

/** What the test holds on to, as a server would: no frame may hang on any of it. */
let held: unknown[] = []

afterEach(() => {
  held = []
})

/** Runs a handler many times; each run keeps something in its frame while it is parked. */
async function abandon(
  handler: (ctx: Ctx, local: object) => Promise<unknown>,
  options: RoundOptions = {},
): Promise<number> {
  const frames: WeakRef<object>[] = []
  const run: Handler<unknown> = async (ctx) => {
    const local = { bytes: new Uint8Array(1_000) }
    frames.push(new WeakRef(local))
    const result = await handler(ctx, local)
    return [result, local]
  }
  await Promise.all(
    Array.from({ length: FRAMES }, async () => {
      const outcome = await round(run, { ...options, onAttempt: (attempt) => held.push(attempt) })
      expect(outcome.kind).not.toBe('completed')
      held.push(outcome)
    }),
  )
  return collected(frames)
}

async function collected(frames: readonly WeakRef<object>[]): Promise<number> {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('run with --expose-gc')
  const left = (): number => frames.filter((frame) => frame.deref()).length
  for (let i = 0; i < 20 && left() > 0; i++) {
    await turns(2)
    gc()
  }
  return frames.length - left()
}

describe('E7 every abandoned frame is collected', () => {
  test('E7 parked at an ask', async () => {
    expect(await abandon((ctx) => Promise.resolve(ctx.ask('a')))).toBe(FRAMES)
  })

  test('E7 parked at several asks, a race and a wait', async () => {
    const never = (): undefined => undefined
    expect(
      await abandon((ctx) =>
        Promise.all([ctx.ask('a'), Promise.race([ctx.ask('b'), ctx.ask('c')]), ctx.waitFor('w', never, { hold: 0 })]),
      ),
    ).toBe(FRAMES)
  })

  test('E7 parked after recorded answers and steps', async () => {
    const handler: Handler<unknown> = async (ctx) => [
      await ctx.ask('a'),
      await ctx.step('s', () => 1),
      await ctx.ask('b'),
    ]
    const first = suspended(await round(handler))
    const options = { journal: carried(first), answers: answers({ a: 1 }) }
    expect(await abandon(async (ctx) => handler(ctx), options)).toBe(FRAMES)
  })

  test('E7 parked at a recorded answer whose turn never came', async () => {
    const first = await round((ctx) => ctx.ask('a'))
    const options = { journal: carried(first), answers: answers({ a: 1 }) }
    const handler = (ctx: Ctx): Promise<unknown> => {
      setImmediate(() => void ctx.attempt.end({ error: new Error('no') }))
      return Promise.resolve(ctx.ask('a'))
    }
    // Turns that never come: the record is met and not delivered.
    const host = { ...thisHost, defer: () => undefined }
    expect(await abandon(handler, { ...options, host })).toBe(FRAMES)
  })

  test('E7 parked because the call was ended from inside', async () => {
    expect(await abandon((ctx) => ctx.attempt.end({ error: new Error('no') }))).toBe(FRAMES)
  })

  test('E7 parked by an error of the engine', async () => {
    expect(await abandon((ctx) => Promise.all([ctx.ask('a'), ctx.ask('a#')]))).toBe(FRAMES)
  })

  test('E7 out of time, with a step that never ends', async () => {
    const forever = new Promise<never>(() => undefined)
    held.push(forever)
    const options = { limits: { handlerTime: 30 } }
    expect(await abandon((ctx) => ctx.step('s', () => forever), options)).toBe(FRAMES)
  })

  test('E7 out of time, with an answer whose check never ends', async () => {
    const forever = new Promise<never>(() => undefined)
    held.push(forever)
    const first = await round((ctx) => ctx.ask('a'))
    const options = { journal: carried(first), answers: answers({ a: 1 }), limits: { handlerTime: 30 } }
    expect(await abandon((ctx) => Promise.resolve(ctx.ask('a', { check: () => forever })), options)).toBe(FRAMES)
  })

  test('E7 cancelled, with a poll that never ends and a signal in use', async () => {
    const forever = new Promise<never>(() => undefined)
    held.push(forever)
    expect(
      await abandon((ctx) => {
        setTimeout(() => ctx.attempt.cancel(), 5)
        held.push(ctx.attempt.signal)
        return Promise.resolve(ctx.waitFor('w', () => forever))
      }),
    ).toBe(FRAMES)
  })

  test('E7 asked in place, when the call ends while asks are out', async () => {
    const live = { put: (asks: unknown) => void held.push(asks), withdraw: () => undefined }
    const handler = (ctx: Ctx): Promise<unknown> => {
      setTimeout(() => void ctx.attempt.end({ error: new Error('no') }), 5)
      return Promise.all([
        ctx.ask('a'),
        Promise.race([ctx.ask('b', { within: 60_000 }), ctx.waitFor('w', () => undefined)]),
      ])
    }
    expect(await abandon(handler, { live })).toBe(FRAMES)
  })

  test('hazard: 200 abandoned frames after GC; freed by an attempt-end hook', async () => {
    const open = new Set<object>()
    const inUse = await abandon(async (ctx, local) => {
      open.add(local)
      ctx.attempt.onEnd(() => void open.delete(local))
      await ctx.ask('a')
    })
    expect(inUse).toBe(FRAMES)
  })

  test('E7 a context method used after the end keeps nothing either', async () => {
    const frames: WeakRef<object>[] = []
    const attempt = new Attempt({})
    await attempt.run(() => attempt.ask({ ...askOfNobody, name: 'a' }))
    const late = async (): Promise<unknown> => {
      const local = {}
      frames.push(new WeakRef(local))
      await attempt.step('s', () => 1)
      return local
    }
    held.push(attempt, late)
    for (let i = 0; i < FRAMES; i++) void late()
    await delay(1)
    expect(await collected(frames)).toBe(FRAMES)
  })
})

const askOfNobody = {
  kind: 'form',
  print: '',
  schemaPrint: '',
  text: '',
  payload: null,
  check: () => ({ ok: 'missing' }) as const,
}
