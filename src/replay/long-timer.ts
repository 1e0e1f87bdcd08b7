/** Longest delay, in milliseconds, that the timers of a host take; beyond it they fire at once. */
export const LONGEST = 2 ** 31 - 1

// Captured when the module loads, like everything of the host's (E8).
const { setTimeout, clearTimeout } = globalThis

/** Runs a function once after a time of any length, `Infinity` included. */
export class LongTimer {
  readonly #fn: () => void
  readonly #background: boolean
  #rest: number
  #timer: unknown

  constructor(fn: () => void, ms: number, background = false) {
    this.#fn = fn
    this.#rest = ms
    this.#background = background
    this.#wait()
  }

  clear(): void {
    clearTimeout(this.#timer as number)
  }

  #wait(): void {
    const next = Math.min(this.#rest, LONGEST)
    this.#rest -= next
    this.#timer = setTimeout(() => {
      if (this.#rest > 0) this.#wait()
      else this.#fn()
    }, next)
    if (this.#background) (this.#timer as { unref?: () => void }).unref?.()
  }
}
