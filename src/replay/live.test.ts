import { describe, expect, it } from 'vitest'
import { delay, type Handler, logbook, round, type RoundOptions, turns } from '../../test/replay/kit.ts'
import type { Attempt } from './attempt.ts'
import { host as thisHost } from './host.ts'
import type { LiveCaller } from './options.ts'

/** A caller that notes what it is asked, and the attempt that asks it. */
function asked<R>(handler: Handler<R>, options: RoundOptions = {}) {
  const puts: string[][] = []
  const withdrawn: string[] = []
  let attempt: Attempt | undefined
  const live: LiveCaller = {
    put: (asks) => void puts.push(asks.map(({ key }) => key)),
    withdraw: (key) => void withdrawn.push(key),
  }
  const outcome = round(handler, { live, onAttempt: (made) => (attempt = made), ...options })
  return { outcome, puts, withdrawn, attempt: attempt as Attempt }
}

/** A clock that goes on when it is told to, and fires what is due. */
function manualHost() {
  let now = 0
  let timers: { fn: () => void; at: number }[] = []
  const host = {
    ...thisHost,
    now: () => now,
    setTimer: (fn: () => void, ms: number) => {
      const timer = { fn, at: now + ms }
      timers.push(timer)
      return timer
    },
    clearTimer: (timer: unknown) => void (timers = timers.filter((other) => other !== timer)),
  }
  const pass = async (ms: number) => {
    now += ms
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers = timers.filter((other) => other !== timer)
      timer.fn()
    }
    await turns(4)
  }
  return { host, pass, timers: () => timers.length }
}

describe('asks in place', () => {
  it('E2 puts what is awaited together, and goes on in the same attempt when it is answered', async () => {
    let runs = 0
    const call = asked(async ({ ask }) => {
      runs++
      const both = await Promise.all([ask('a'), ask('b')])
      return [both, await ask('c')]
    })
    await turns(3)
    expect(call.puts).toEqual([['a', 'b']])
    call.attempt.answer('b', 2)
    await turns(3)
    expect(call.puts.at(-1)).toEqual(['a'])
    call.attempt.answer('a', 1)
    await turns(3)
    expect(call.puts.at(-1)).toEqual(['c'])
    call.attempt.answer('c', 3)
    expect(await call.outcome).toEqual({ kind: 'completed', value: [[1, 2], 3] })
    expect(runs).toBe(1)
  })

  it('E19 answers reach the handler in the order they came: the first wins a race, the other is withdrawn', async () => {
    const call = asked(({ ask }) => Promise.race([ask('a'), ask('b')]))
    await turns(3)
    call.attempt.answer('b', 2)
    call.attempt.answer('a', 1)
    expect(await call.outcome).toEqual({ kind: 'completed', value: 2 })
    const other = asked(({ ask }) => Promise.race([ask('a'), ask('b')]))
    await turns(3)
    other.attempt.answer('a', 1)
    await other.outcome
    expect(other.withdrawn).toEqual(['b'])
  })

  it('E17 puts an unfitting answer again under another key, with the reason, and a missing one under the same', async () => {
    const payloads: unknown[] = []
    let attempt: Attempt | undefined
    const live: LiveCaller = {
      put: (asks) => void payloads.push(...asks.map(({ key, payload }) => [key, payload])),
      withdraw: () => undefined,
    }
    const outcome = round(({ ask }) => ask('a'), { live, onAttempt: (made) => (attempt = made) })
    await turns(3)
    attempt?.answer('a', undefined)
    await turns(3)
    attempt?.answer('a', 'unfit')
    await turns(3)
    attempt?.answer('a~2', 'yes')
    expect(await outcome).toEqual({ kind: 'completed', value: 'yes' })
    expect(payloads).toEqual([
      ['a', { message: 'a?' }],
      ['a', { message: 'a?' }],
      ['a~2', { message: 'a?', reason: 'not like that' }],
    ])
  })

  it('E17 an answer to what is not out answers nothing', async () => {
    const call = asked(({ ask }) => ask('a'))
    await turns(3)
    call.attempt.answer('b', 1)
    call.attempt.answer('a~2', 1)
    call.attempt.answer('a', 1)
    call.attempt.answer('a', 2)
    expect(await call.outcome).toEqual({ kind: 'completed', value: 1 })
    call.attempt.answer('a', 3)
  })

  it('E4 an ended call withdraws what is out, and the line after the ask does not run', async () => {
    let wrote = false
    const call = asked(async ({ ask }) => {
      try {
        await Promise.all([ask('a'), ask('b')])
      } catch {}
      wrote = true
    })
    await turns(3)
    void call.attempt.end({ error: new Error('refused') })
    expect(await call.outcome).toMatchObject({ kind: 'failed', error: { message: 'refused' } })
    await turns(3)
    expect(call.withdrawn).toEqual(['a', 'b'])
    expect(wrote).toBe(false)
  })

  it('E5 a cancelled call withdraws what is out', async () => {
    const call = asked(({ ask }) => ask('a'))
    await turns(3)
    call.attempt.cancel()
    expect(await call.outcome).toEqual({ kind: 'cancelled' })
    expect(call.withdrawn).toEqual(['a'])
  })

  it('E11 what may not go out ends the call and nothing is put', async () => {
    const error = new Error('not covered')
    const call = asked(({ ask }) => ask('a'), { admit: () => error })
    expect(await call.outcome).toEqual({ kind: 'failed', error })
    expect(call.puts).toEqual([])
  })

  it('E15 a deadline passes while the ask is out: it is late, and withdrawn', async () => {
    const { host, pass } = manualHost()
    const call = asked(({ ask }) => ask('a', { within: 1000, late: 'late' }), { host })
    await turns(3)
    await pass(999)
    expect(call.withdrawn).toEqual([])
    await pass(1)
    expect(await call.outcome).toEqual({ kind: 'completed', value: 'late' })
    expect(call.withdrawn).toEqual(['a'])
  })

  it('E18 the time of people is not the handler’s: two hours pass with a form, then its own time goes on', async () => {
    const { host, pass, timers } = manualHost()
    const call = asked(
      async ({ ask, step }) => {
        await ask('a')
        await step('hangs', () => new Promise<never>(() => undefined))
      },
      { host },
    )
    await turns(3)
    await pass(7_200_000)
    call.attempt.answer('a', 1)
    await turns(3)
    await pass(59_000)
    expect(call.attempt.ended).toBe(false)
    await pass(1_000)
    expect(await call.outcome).toMatchObject({ kind: 'failed', error: { code: 'HANDLER_TIME' } })
    expect(timers()).toBe(0)
  })

  it('E18 asks that go out too often end the call', async () => {
    const call = asked(({ ask }) => ask('a'), { limits: { rounds: 3 } })
    for (let i = 0; i < 4; i++) {
      await turns(3)
      call.attempt.answer('a', undefined)
    }
    expect(await call.outcome).toMatchObject({ kind: 'failed', error: { code: 'ROUNDS_EXCEEDED' } })
    expect(call.puts).toHaveLength(3)
  })

  it('E18 asks that are out together are counted together', async () => {
    const call = asked(({ ask }) => Promise.all(['a', 'b', 'c'].map((name) => ask(name))), {
      limits: { asksPerRound: 2 },
    })
    expect(await call.outcome).toMatchObject({ kind: 'failed', error: { code: 'ASKS_EXCEEDED' } })
  })

  it('a wait polls beside an ask that is out, and for as long as it takes', async () => {
    const { host, pass } = manualHost()
    let polls = 0
    const call = asked(
      ({ ask, waitFor }) => Promise.all([ask('a'), waitFor('paid', () => (++polls > 3 ? 'paid' : undefined))]),
      { host },
    )
    await turns(4)
    expect(call.puts).toEqual([['a']])
    for (let i = 0; i < 5; i++) await pass(1_000)
    expect(polls).toBe(4)
    call.attempt.answer('a', 1)
    expect(await call.outcome).toEqual({ kind: 'completed', value: [1, 'paid'] })
  })

  it('E18 waiting without an ask is bounded by waitTime and not by the handler’s', async () => {
    const { host, pass } = manualHost()
    const call = asked(({ waitFor }) => waitFor('paid', () => undefined), { host, limits: { every: 60_000 } })
    await turns(4)
    for (let i = 0; i < 14; i++) await pass(60_000)
    expect(call.attempt.ended).toBe(false)
    await pass(60_000)
    await pass(60_000)
    expect(await call.outcome).toMatchObject({ kind: 'failed', error: { code: 'WAIT_TIME' } })
  })

  it('E13 nothing is quiet', async () => {
    const said: boolean[] = []
    const call = asked(async ({ ask, attempt }) => {
      said.push(attempt.quiet)
      await ask('a')
      said.push(attempt.quiet)
    })
    await turns(3)
    call.attempt.answer('a', 1)
    await call.outcome
    expect(said).toEqual([false, false])
  })

  it('E14 a step after an answer keeps its key, and runs once', async () => {
    const { log, codes } = logbook()
    let runs = 0
    const call = asked(
      async ({ ask, step }) => {
        await ask('a')
        return step('build', () => ++runs)
      },
      { log },
    )
    await turns(3)
    call.attempt.answer('a', 1)
    expect(await call.outcome).toEqual({ kind: 'completed', value: 1 })
    await delay(5)
    expect([runs, codes()]).toEqual([1, []])
  })
})
