/** What a step's or a poll's function is given. */
export interface StepTools {
  /** The same when a round is retried with the same answers, another otherwise (E14). */
  readonly idempotencyKey: string
  /** Aborts when the call is cancelled, or this step's `timeout` has passed. */
  readonly signal: AbortSignal
  log(message: string, data?: unknown): void
}

export interface StepOptions {
  /** Milliseconds after which the step fails with a `TimeoutError`, which is recorded like any failure. */
  readonly timeout?: number | undefined
}

export interface WaitOptions {
  /** Milliseconds from the start of the attempt until which it polls inside the round. */
  readonly hold?: number | undefined
  /** Milliseconds between polls. */
  readonly every?: number | undefined
}
