import { RondoError } from '../errors/rondo-error.ts'
import { type JsonRpcNotification } from '../jsonrpc/messages.ts'
import { isThenable } from '../replay/thenable.ts'
import { type ClientHost, type Timer } from './client-host.ts'
import { type RequestOptions } from './transport.ts'

/** How long one request may take, in milliseconds; 0 for no limit. */
export interface RequestTimes {
  /** Without a reply or progress. */
  readonly timeout: number
  /** At all. */
  readonly maxTimeout: number
}

/** Milliseconds without a reply from which a host may want to show that it waits. */
export const SLOW = 1000

/** Everything that can end one request early, without a controller for requests that nobody ends. */
export class RequestScope implements RequestOptions {
  readonly headers: Readonly<Record<string, string>>
  onNotification?: (notification: JsonRpcNotification) => void
  readonly #host: ClientHost
  readonly #times: RequestTimes
  readonly #outer: AbortSignal | undefined
  readonly #started: number
  #timer: Timer
  /** Whether the timer runs to the end of `maxTimeout`. */
  #last: boolean
  #slow: Timer
  #listener: ((error: unknown) => void) | undefined
  #controller: AbortController | undefined
  #error: unknown

  constructor(
    headers: Readonly<Record<string, string>>,
    times: RequestTimes,
    host: ClientHost,
    outer: AbortSignal | undefined,
  ) {
    this.headers = headers
    this.#times = times
    this.#host = host
    this.#outer = outer
    const { timeout, maxTimeout } = times
    this.#started = timeout > 0 && maxTimeout > 0 ? host.now() : 0
    this.#last = maxTimeout > 0 && (timeout === 0 || maxTimeout <= timeout)
    const first = this.#last ? maxTimeout : timeout
    if (first > 0) this.#timer = host.setTimer(this.#expire, first)
    outer?.addEventListener('abort', this.#abort)
  }

  onCancel(listener: (error: unknown) => void): void {
    if (this.#error === undefined) this.#listener = listener
    else listener(this.#error)
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#error !== undefined) this.#controller.abort(this.#error)
    return this.#controller.signal
  }

  /** Progress came: the time-out starts again, within the total. */
  progressed(): void {
    const { timeout, maxTimeout } = this.#times
    if (timeout === 0 || this.#last || this.#error !== undefined) return
    const left = maxTimeout > 0 ? this.#started + maxTimeout - this.#host.now() : Infinity
    this.#last = left <= timeout
    this.#host.clearTimer(this.#timer)
    this.#timer = this.#host.setTimer(this.#expire, Math.max(0, Math.min(timeout, left)))
  }

  /** Calls `listener` once if the request is still out after {@link SLOW}; what it throws ends the request. */
  whenSlow(listener: () => unknown): void {
    this.#slow = this.#host.setTimer(() => this.tell(listener), SLOW)
  }

  /** Calls a listener of the caller's: what it throws, or is rejected with, ends the request and nothing else. */
  tell(listener: () => unknown): void {
    try {
      const given = listener()
      if (isThenable(given)) given.then(undefined, (error: unknown) => this.#cancel(error))
    } catch (error) {
      this.#cancel(error)
    }
  }

  /** The request is over; nothing can end it any more. */
  done(): void {
    if (this.#timer !== undefined) this.#host.clearTimer(this.#timer)
    if (this.#slow !== undefined) this.#host.clearTimer(this.#slow)
    this.#outer?.removeEventListener('abort', this.#abort)
    this.#listener = undefined
  }

  #cancel(error: unknown): void {
    if (this.#error !== undefined) return
    this.#error = error
    const listener = this.#listener
    this.done()
    this.#controller?.abort(error)
    listener?.(error)
  }

  readonly #expire = (): void => {
    const { timeout, maxTimeout } = this.#times
    const told = this.#last
      ? `No reply within ${maxTimeout} ms in all. The server may still be at work; "maxTimeout" sets the limit, whatever the progress.`
      : `No reply within ${timeout} ms. The server may still be at work; "timeout" sets the limit, and progress extends it.`
    this.#cancel(new RondoError('REQUEST_TIMEOUT', told, { data: { timeout, maxTimeout } }))
  }

  readonly #abort = (): void => {
    this.#cancel(cancelled(this.#outer?.reason))
  }
}

/** The error of a request that its caller gave up. */
export function cancelled(reason: unknown): RondoError<'REQUEST_CANCELLED'> {
  return new RondoError('REQUEST_CANCELLED', 'The request was cancelled by its caller', { cause: reason })
}
