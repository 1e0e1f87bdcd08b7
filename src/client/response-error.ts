import { RondoError } from '../errors/rondo-error.ts'
import { type JsonRpcErrorObject } from '../jsonrpc/messages.ts'
import { type OriginalRequest } from './round.ts'

/** The server answered a request with a JSON-RPC error. */
export class ResponseError extends RondoError<'RESPONSE_ERROR'> {
  /** JSON-RPC code, as received. */
  readonly wire: number
  /** Method of the request. */
  readonly method: string
  /** HTTP status of the reply, where there is one. */
  readonly status: number | undefined

  constructor(method: string, error: JsonRpcErrorObject, status?: number, cause?: unknown) {
    super('RESPONSE_ERROR', error.message, { data: error.data, cause })
    this.wire = error.code
    this.method = method
    this.status = status
  }

  override get name(): string {
    return 'ResponseError'
  }
}

/**
 * The server refused a request that carried a continuation token: expired, tampered with, of another call, or answers it
 * cannot use. The call can be started again from `request` (rule C9).
 */
export class RoundRefusedError extends RondoError<'ROUND_REFUSED'> {
  /** What to send to start the call again. */
  readonly request: OriginalRequest

  constructor(request: OriginalRequest, cause: ResponseError) {
    super(
      'ROUND_REFUSED',
      `The server refused to go on with ${request.method}: ${cause.message}. Its token may have expired; start the call again.`,
      { cause, data: { request } },
    )
    this.request = request
  }

  override get name(): string {
    return 'RoundRefusedError'
  }
}
