import { ERRORS } from '../errors/codes.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { Logger, ServerLog } from './log.ts'
import type { ServerRequest } from './request.ts'

/**
 * What of an error may leave the process: a `WireError` as it is; of everything else a fixed text, while the log gets the
 * whole.
 */
export function wireFailure(error: unknown, request: ServerRequest, log: Logger, callId?: string): WireError {
  if (isWireError(error)) return error
  const known = isRondoError(error) ? error.code : undefined
  const event: ServerLog = {
    level: 'error',
    code: known ?? 'handler-failed',
    message: error instanceof Error ? error.message : String(error),
    ...(callId === undefined ? {} : { callId }),
    method: request.method,
    ...targetOf(request),
    principal: request.principal,
    error,
  }
  log.write(event)
  request.exchange.testing?.log?.(event)
  if (known === undefined) return new WireError('INTERNAL_ERROR', 'Internal error', { cause: error })
  const { status, fault } = ERRORS[known]
  const text = fault === 'peer' ? (error as Error).message : `Internal error (${known})`
  return new WireError('INTERNAL_ERROR', text, { cause: error, status: status === 0 ? 200 : status })
}

/** Tool, prompt or URI that the request names. */
function targetOf({ params }: ServerRequest): { readonly target?: string } {
  const target = params['name'] ?? params['uri']
  return typeof target === 'string' ? { target } : {}
}

function isWireError(error: unknown): error is WireError {
  return error instanceof WireError || (isRondoError(error) && typeof (error as Partial<WireError>).wire === 'number')
}
