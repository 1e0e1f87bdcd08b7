/** A timer, opaque. */
export type Timer = unknown

/** Host functions of the client; injectable, so that tests need not wait. */
export interface ClientHost {
  /** Milliseconds since the epoch. */
  now(): number
  setTimer(fn: () => void, ms: number): Timer
  clearTimer(timer: Timer): void
  /** A number in [0, 1). */
  random(): number
}

/** The real ones, captured when the module loads. */
export const clientHost: ClientHost = {
  now: Date.now,
  setTimer: globalThis.setTimeout,
  clearTimer: (timer) => globalThis.clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
}
