import { RondoError } from '../errors/rondo-error.ts'
import { type ClientHost, type Timer } from './client-host.ts'
import { cancelled } from './request-scope.ts'

/** Milliseconds between state-only rounds: the first, and the longest. */
const DELAY = { first: 100, longest: 5000 } as const

/**
 * Pauses between state-only rounds: doubling, each drawn from the upper half of its span, so that clients that
 * were sent away together do not come back together. A server that held the round open is asked again soon: it did the
 * waiting itself.
 */
export class Backoff {
  readonly #host: ClientHost
  readonly #maxWait: number
  #delay: number = DELAY.first
  /** When the first of the state-only rounds in a row ended. */
  #since: number | undefined
  /** When the last pause ended. */
  #resumed = 0

  constructor(host: ClientHost, maxWait: number) {
    this.#host = host
    this.#maxWait = maxWait
  }

  /** An asking round came in between: the next pause is a first one again. */
  reset(): void {
    this.#since = undefined
  }

  /** @throws RondoError `CALL_EXPIRED` when the limit is reached, `REQUEST_CANCELLED` when the caller gives up */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    const now = this.#host.now()
    if (this.#since === undefined) {
      this.#since = now
      this.#delay = DELAY.first
    } else if (now - this.#resumed > this.#delay) {
      this.#delay = DELAY.first
    } else {
      this.#delay = Math.min(this.#delay * 2, DELAY.longest)
    }
    const pause = this.#delay * (0.5 + this.#host.random() / 2)
    if (now + pause - this.#since > this.#maxWait) {
      throw new RondoError(
        'CALL_EXPIRED',
        `The server kept putting the call off for ${this.#maxWait} ms ("maxWait") without a result or a question.`,
        { data: { maxWait: this.#maxWait } },
      )
    }
    await sleep(this.#host, pause, signal)
    this.#resumed = this.#host.now()
  }
}

function sleep(host: ClientHost, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(cancelled(signal.reason))
      return
    }
    let timer: Timer = undefined
    const abort = (): void => {
      host.clearTimer(timer)
      reject(cancelled(signal?.reason))
    }
    timer = host.setTimer(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
