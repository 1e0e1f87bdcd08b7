import { ERRORS } from '../errors/codes.ts'
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
  const known = isRondoError(error) ? error.code : undefined
  log.about(request, {
    level: 'error',
    code: known ?? 'handler-failed',
    message: textOf(error),
    ...(callId === undefined ? {} : { callId }),
    error,
  })
  if (known === undefined) return new WireError('INTERNAL_ERROR', 'Internal error', { cause: error })
  const { status, fault } = ERRORS[known]
  const text = fault === 'peer' ? (error as Error).message : `Internal error (${known})`
  return new WireError('INTERNAL_ERROR', text, { cause: error, status: status === 0 ? 200 : status })
}

/** What was thrown may be something that cannot even be printed. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'Something was thrown that cannot be read'
  }
}

function isWireError(error: unknown): error is WireError {
  return error instanceof WireError || (isRondoError(error) && typeof (error as Partial<WireError>).wire === 'number')
}
