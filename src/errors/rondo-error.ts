import { ERRORS, type ErrorCode } from './codes.ts'

const BRAND: unique symbol = Symbol.for('rondo.error')

/** What an error carries beside its text. */
export interface RondoErrorOptions {
  /** What led to it. Stays in the process. */
  readonly cause?: unknown
  /** Plain JSON details. For a {@link WireError} this is what leaves the process; for every other error it stays. */
  readonly data?: unknown
}

/**
 * Base class of every error Rondo raises.
 *
 * @see ERRORS for what each code means on the wire.
 */
export class RondoError<C extends ErrorCode = ErrorCode> extends Error {
  /** String literal to switch on; the key of {@link ERRORS}. */
  readonly code: C
  /** Plain JSON details, or `undefined`. */
  readonly data: unknown

  constructor(code: C, message: string, options: RondoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data
  }

  /** Brand that is the same in every copy of this module. */
  get [BRAND](): true {
    return true
  }

  override get name(): string {
    return 'RondoError'
  }

  /** Whether the same request may succeed when sent again unchanged. */
  get retryable(): boolean {
    return ERRORS[this.code].retryable
  }
}

/** Union over all codes, so that a `switch` on `code` is checked for completeness. */
export type AnyRondoError = { [C in ErrorCode]: RondoError<C> }[ErrorCode]

/**
 * Whether `value` is an error of Rondo's, of this copy of the module or another, and, when `code` is given, this one.
 */
export function isRondoError<C extends ErrorCode = ErrorCode>(value: unknown, code?: C): value is RondoError<C> {
  if (typeof value !== 'object' || value === null) return false
  try {
    if ((value as { [BRAND]?: unknown })[BRAND] !== true) return false
    return code === undefined || (value as RondoError).code === code
  } catch {
    // A stranger whose members cannot be read.
    return false
  }
}
