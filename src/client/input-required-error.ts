import { RondoError } from '../errors/rondo-error.ts'
import { type Answer, type InputRequest, type Round } from './round.ts'
import { unprinted } from './unprinted.ts'

/** Why an {@link InputRequiredError} was raised. */
export interface InputRequiredDetails {
  readonly round: Round
  /** Answers already given in this round. */
  readonly answers: Readonly<Record<string, Answer>>
  /** The ask that could not be answered, when it was one. */
  readonly failed?: string
  readonly cause?: unknown
}

/**
 * A call needs answers that nobody gave: no handler for the ask, or a handler that failed. Or they were given and the
 * connection failed under them, which is then the `cause`. It carries everything needed to go on by hand:
 * `client.resume(error.round, { ...error.answers, … })`. Neither the round, which has the token, nor the answers are
 * printed with it.
 */
export class InputRequiredError extends RondoError<'INPUT_REQUIRED'> {
  /** The round to resume. Plain JSON. */
  readonly round: Round
  /** Answers given before it failed, by key. */
  readonly answers: Readonly<Record<string, Answer>>
  /** Key of the ask that failed; `undefined` when an ask has no handler. */
  readonly failed: string | undefined

  constructor(message: string, details: InputRequiredDetails) {
    super('INPUT_REQUIRED', message, { cause: details.cause, data: { round: details.round, answers: details.answers } })
    this.round = details.round
    this.answers = details.answers
    this.failed = details.failed
    unprinted(this, 'data', 'round', 'answers')
  }

  override get name(): string {
    return 'InputRequiredError'
  }

  /** The questions by the server's key. */
  get asks(): Readonly<Record<string, InputRequest>> {
    return this.round.asks
  }

  /** The continuation token, if there is one. */
  get token(): string | undefined {
    return this.round.token
  }
}
