import { type Duration, milliseconds } from '../server/duration.ts'

/** A clock that runs like the real one until it is moved on. */
export class TestClock {
  #ahead = 0

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead
  }

  /** Moves on by a length of time, such as `'2 h'` or milliseconds. Nothing waits: what is due is due at the next request. */
  advance(by: Duration): void {
    this.#ahead += milliseconds(by, 'advance')
  }
}
