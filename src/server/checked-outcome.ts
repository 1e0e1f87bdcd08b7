import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { InputRequiredResult, isInputRequired } from '../protocol/input-required-result.ts'
import type { Outcome } from './outcome.ts'
import { resultBody } from './result-body.ts'

/**
 * What middleware returned, as an outcome that can be answered with.
 *
 * @param cancelled whether the caller went away
 * @throws RondoError `RESULT_INVALID` for what is none
 */
export function checkedOutcome(given: Outcome, method: string, cancelled: boolean): Outcome {
  const { kind } = (given ?? {}) as Partial<Outcome>
  const who = `Middleware around ${method}`
  switch (kind) {
    case 'completed': {
      const { result } = given as Extract<Outcome, { kind: 'completed' }>
      const body = resultBody(result, who)
      return body === result ? given : { kind, result: body }
    }
    case 'suspended':
      return suspended(given as Extract<Outcome, { kind: 'suspended' }>, who)
    case 'failed':
      return given
    case 'cancelled':
      if (cancelled) return given
      throw invalid(`${who} said that the call is cancelled, which it is not: its caller waits for a reply.`)
    default:
      throw invalid(
        `${who} returned what is no outcome. Return what next() gave, or { kind: 'completed', result }, { kind: 'suspended', result } or { kind: 'failed', error }.`,
      )
  }
}

/** A result of another copy of the class is taken; something that only looks like one is not. */
function suspended(given: Extract<Outcome, { kind: 'suspended' }>, who: string): Outcome {
  const result: unknown = given.result
  if (result instanceof InputRequiredResult) return given
  if (!isInputRequired(result)) throw invalid(`${who} suspended a call without an InputRequiredResult.`)
  try {
    return { kind: 'suspended', result: InputRequiredResult.from(result) }
  } catch (error) {
    throw invalid(`${who} suspended a call with an unusable result: ${errorText(error)}.`, error)
  }
}

function invalid(message: string, cause?: unknown): RondoError {
  return new RondoError('RESULT_INVALID', message, { cause })
}
