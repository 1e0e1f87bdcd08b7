import type { AskClient } from './exchange.ts'
import type { Limiter, LimiterSlot } from './limiter.ts'
import type { ServerRequest } from './request.ts'

const places = new WeakMap<ServerRequest, Place>()

/**
 * A call's place among those of its principal that run at the same time. A call of the modern era gives it back between
 * its rounds; one of the legacy era, which is asked within its only request, while the client is being asked.
 */
export class Place {
  readonly #limiter: Limiter
  readonly #slot: LimiterSlot
  /** Asks that are out. */
  #asks = 0
  #lent = false
  #over = false

  constructor(limiter: Limiter, slot: LimiterSlot, request: ServerRequest) {
    this.#limiter = limiter
    this.#slot = slot
    places.set(request, this)
  }

  async during<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#asks++ === 0 && !this.#over) this.#lent = this.#limiter.pause(this.#slot)
    try {
      return await ask()
    } finally {
      if (--this.#asks === 0) this.#takeBack()
    }
  }

  /** The call is over, whatever is still out. */
  leave(): void {
    this.#takeBack()
    this.#over = true
    this.#limiter.leave(this.#slot)
  }

  #takeBack(): void {
    if (this.#lent) this.#limiter.resume(this.#slot)
    this.#lent = false
  }
}

/** What sends asks to the client of a request of the legacy era; `undefined` where it cannot be asked, or never is. */
export function askClientOf(request: ServerRequest): AskClient | undefined {
  const { legacy } = request.exchange
  const ask = legacy?.request
  const place = ask === undefined ? undefined : places.get(request)
  if (ask === undefined || place === undefined) return ask
  return (asked, signal) => place.during(() => ask.call(legacy, asked, signal))
}
