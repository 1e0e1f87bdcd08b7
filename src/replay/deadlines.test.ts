import { expect, test } from 'vitest'
import { Deadlines, deadlinesOn } from './deadlines.ts'
import { type Host, host as thisHost } from './host.ts'

/** A host whose clock and timers are moved by hand. */
function handHost(): { readonly host: Host; readonly timers: Map<unknown, () => void>; run(now: number): void } {
  const timers = new Map<unknown, () => void>()
  const due = new Map<unknown, number>()
  let clock = 0
  const host: Host = {
    ...thisHost,
    now: () => clock,
    setTimer(fn, ms) {
      const timer = Symbol('timer')
      timers.set(timer, fn)
      due.set(timer, clock + ms)
      return timer
    },
    clearTimer: (timer) => void timers.delete(timer),
  }
  const run = (now: number): void => {
    clock = now
    for (const [timer, fn] of [...timers]) {
      if ((due.get(timer) as number) > now) continue
      timers.delete(timer)
      fn()
    }
  }
  return { host, timers, run }
}

test('E18 one timer, set for the earliest time limit; none when there is nothing to watch', () => {
  const { host, timers, run } = handHost()
  const deadlines = new Deadlines(host)
  const expired: string[] = []
  const deadline = (name: string, at: number) => ({ at, index: -1, expire: () => void expired.push(name) })
  const late = deadline('late', 100)
  deadlines.add(late, 0)
  deadlines.add(deadline('early', 50), 0)
  deadlines.add(deadline('endless', 1e15), 0)
  expect(timers.size).toBe(1)
  run(49)
  expect(expired).toEqual([])
  run(50)
  expect(expired).toEqual(['early'])
  expect(timers.size).toBe(1)
  deadlines.delete(late)
  run(100)
  expect(expired).toEqual(['early'])
  expect(timers.size).toBe(1)
})

test('E18 where a timer belongs to its request, each attempt has its own', () => {
  const { host } = handHost()
  const own = { ...host, sharedTimers: false }
  expect(deadlinesOn(host)).toBe(deadlinesOn(host))
  expect(deadlinesOn(own)).not.toBe(deadlinesOn(own))
  expect(deadlinesOn(thisHost)).toBe(deadlinesOn(thisHost))
})
