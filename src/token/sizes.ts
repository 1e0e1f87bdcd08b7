import { RondoError } from '../errors/rondo-error.ts'

/** Longest token accepted and given, in bytes, unless set (T5). */
export const DEFAULT_MAX_BYTES = 256 * 1024

/** The error of a token that would be longer than allowed; `data` has both sizes in bytes. */
export function tooLarge(bytes: number, maxBytes: number): RondoError<'STATE_TOO_LARGE'> {
  return new RondoError(
    'STATE_TOO_LARGE',
    `The state of this call takes a token of ${bytes} bytes; at most ${maxBytes} are allowed. ` +
      'Record less in steps and answers, or keep the data elsewhere and record its key.',
    { data: { bytes, maxBytes } },
  )
}
