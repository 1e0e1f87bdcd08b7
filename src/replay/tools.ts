/** What a step's or a poll's function is given. */
export interface StepTools {
  /** The same when a round is retried with the same answers, another otherwise (E14). */
  readonly idempotencyKey: string
  /** Aborts when the call is cancelled, or this step's `timeout` has passed. */
  readonly signal: AbortSignal
  log(message: string, data?: unknown): void
}
