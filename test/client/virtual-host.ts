import { type ClientHost } from '../../src/client/client-host.ts'

/** A clock that moves only when told, and timers that it runs. */
export interface VirtualHost extends ClientHost {
  /** Milliseconds of each timer that was set, in order. */
  readonly set: number[]
  readonly pending: number
  /** Runs the next timer, and moves the clock to it; `false` when there is none. */
  next(): boolean
  advance(ms: number): void
}

export function virtualHost(chance = 0.5): VirtualHost {
  let now = 1_700_000_000_000
  let last = 0
  const timers = new Map<number, { at: number; fn: () => void }>()
  const set: number[] = []
  const first = (): [number, { at: number; fn: () => void }] | undefined =>
    [...timers].sort(([, a], [, b]) => a.at - b.at)[0]
  return {
    set,
    get pending() {
      return timers.size
    },
    now: () => now,
    random: () => chance,
    setTimer(fn, ms) {
      set.push(ms)
      timers.set(++last, { at: now + ms, fn })
      return last
    },
    clearTimer: (timer) => void timers.delete(timer as number),
    next() {
      const due = first()
      if (!due) return false
      timers.delete(due[0])
      now = Math.max(now, due[1].at)
      due[1].fn()
      return true
    },
    advance(ms) {
      const until = now + ms
      for (let due = first(); due && due[1].at <= until; due = first()) this.next()
      now = until
    },
  }
}
