import { host } from '../replay/host.ts'

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

/** The real ones, captured when the module loads. */
export const clientHost: ClientHost = {
  now: host.now,
  setTimer: host.setTimer,
  clearTimer: host.clearTimer,
  random: Math.random,
}
