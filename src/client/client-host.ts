import { LONGEST, LongTimer } from '../replay/long-timer.ts'

/** A timer, opaque. */
export type Timer = unknown

/** Host functions of the client; injectable, so that tests need not wait. */
export interface ClientHost {
  /** Milliseconds since the epoch. */
  now(): number
  /** @param ms of any length */
  setTimer(fn: () => void, ms: number): Timer
  clearTimer(timer: Timer): void
  /** A number in [0, 1). */
  random(): number
}

// Called as plain functions: a browser refuses its timers as methods of another object.
const { setTimeout, clearTimeout } = globalThis

/** The real ones, captured when the module loads. */
export const clientHost: ClientHost = {
  now: Date.now,
  setTimer: (fn, ms) => (ms > LONGEST ? new LongTimer(fn, ms) : setTimeout(fn, ms)),
  clearTimer(timer) {
    if (timer instanceof LongTimer) timer.clear()
    else clearTimeout(timer as ReturnType<typeof setTimeout>)
  },
  random: Math.random,
}
