import { type Listed, Roster } from '../../server/roster.ts'

/** A call that waits for its reply. */
export interface WaitingCall extends Listed {
  /** A second went by. */
  tick(): void
  /** Ends it, if it lasts as long as its client listens. */
  end?(reason: string): void
  /** Ends it as if its client had gone away. */
  cancel(reason: string): void
}

/** How seconds are counted; injectable, so that no test waits. */
export interface Clock {
  /** Calls `tick` once a second until the returned function is called. Must not keep the process alive. */
  everySecond(tick: () => void): () => void
}

const { setInterval, clearInterval } = globalThis

/** The host's timer, captured when the module loads. */
export const hostClock: Clock = {
  everySecond(tick) {
    const timer: unknown = setInterval(tick, 1000)
    if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
    return () => clearInterval(timer as number)
  },
}

/** All calls that wait, and the seconds they count: one timer for all of them, and none while nothing waits. */
export class WaitingCalls {
  readonly #clock: Clock
  readonly #linger: boolean
  readonly #calls = new Roster<WaitingCall>()
  #stop: (() => void) | undefined
  #whenEmpty: (() => void) | undefined

  /**
   * @param linger keep the timer for up to a second without calls, since most such pauses are shorter. `false` where a
   *   timer must end with its request.
   */
  constructor(clock: Clock, linger = true) {
    this.#clock = clock
    this.#linger = linger
  }

  add(call: WaitingCall): void {
    this.#calls.add(call)
    this.#stop ??= this.#clock.everySecond(() => this.#tick())
  }

  delete(call: WaitingCall): void {
    if (call.place < 0) return
    this.#calls.delete(call)
    if (this.#calls.size > 0) return
    if (!this.#linger) this.#stopTimer()
    this.#whenEmpty?.()
  }

  /** Ends those that would last as long as their clients listen. */
  endListening(reason: string): void {
    for (const call of this.#calls.all()) call.end?.(reason)
  }

  /** Ends every call. */
  cancelAll(reason: string): void {
    for (const call of this.#calls.all()) call.cancel(reason)
  }

  /** Resolves when nothing waits any more, and leaves no timer behind. */
  async idle(): Promise<void> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve))
    this.#whenEmpty = undefined
    this.#stopTimer()
  }

  #tick(): void {
    if (this.#calls.size === 0) this.#stopTimer()
    for (const call of this.#calls.all()) call.tick()
  }

  #stopTimer(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
