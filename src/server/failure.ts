import { ERRORS } from '../errors/codes.ts'
import { errorText } from '../errors/error-text.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { Logger } from './log.ts'
import type { ServerRequest } from './request.ts'

/**
 * What of an error may leave the process: a `WireError` as it is; of everything else a fixed text, while the log gets the
 * whole.
 */
export function wireFailure(error: unknown, request: ServerRequest, log: Logger, callId?: string): WireError {
  if (isWireError(error)) return error
  const known = isRondoError(error) && Object.hasOwn(ERRORS, error.code) ? error.code : undefined
  log.about(request, {
    level: 'error',
    code: known ?? 'handler-failed',
    message: errorText(error),
    ...(callId === undefined ? {} : { callId }),
    error,
  })
  if (known === undefined) return new WireError('INTERNAL_ERROR', 'Internal error', { cause: error })
  const { status, fault } = ERRORS[known]
  const text = fault === 'peer' ? errorText(error) : `Internal error (${known})`
  return new WireError('INTERNAL_ERROR', text, { cause: error, status: status === 0 ? 200 : status })
}

/** Also of another copy of this module. */
function isWireError(error: unknown): error is WireError {
  if (!isRondoError(error)) return false
  const { wire, toJSON } = error as Partial<WireError>
  return typeof wire === 'number' && typeof toJSON === 'function'
}
