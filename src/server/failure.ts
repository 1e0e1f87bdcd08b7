import { ERRORS, type ErrorCode } from '../errors/codes.ts'
import { errorText } from '../errors/error-text.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { Logger } from './log.ts'
import type { ServerRequest } from './request.ts'

/**
 * What of an error may leave the process: a `WireError` as it is; of everything else a fixed text, while the log gets the
 * whole. Never throws.
 */
export function wireFailure(error: unknown, request: ServerRequest, log: Logger, callId?: string): WireError {
  const told = wireErrorOf(error)
  if (told !== undefined) return told
  const known = codeOf(error)
  log.about(request, {
    level: 'error',
    code: known ?? 'handler-failed',
    message: errorText(error),
    ...(callId === undefined ? {} : { callId }),
    error,
  })
  if (known === undefined) return new WireError('INTERNAL_ERROR', 'Internal error', { cause: error })
  const { status } = ERRORS[known]
  return new WireError('INTERNAL_ERROR', `Internal error (${known})`, {
    cause: error,
    status: status === 0 ? 200 : status,
  })
}

/** The code of an error of Rondo's, of this copy of the module or another; `undefined` for everything else. */
export function codeOf(error: unknown): ErrorCode | undefined {
  if (!isRondoError(error)) return undefined
  try {
    const code: unknown = error.code
    return typeof code === 'string' && Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : undefined
  } catch {
    return undefined
  }
}

/** Also of another copy of this module, or a class of the author's own: what it says is then told by one of ours. */
function wireErrorOf(error: unknown): WireError | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  try {
    const { wire, message, data, status } = error as WireError
    if (!Number.isInteger(wire) || typeof message !== 'string') return undefined
    if (Object.getPrototypeOf(error) === WireError.prototype && isStatus(status)) return error as WireError
    if (code === 'WIRE_CUSTOM') return new WireError(wire, message, { data, cause: error })
    if (wire !== ERRORS[code].wire) return undefined
    const options = { data, cause: error }
    return new WireError(code, message, isStatus(status) ? { ...options, status } : options)
  } catch {
    // It cannot be read, or its code belongs to JSON-RPC.
    return undefined
  }
}

function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) < 600
}
