import { RondoError } from '../errors/rondo-error.ts'
import { type JsonRpcErrorObject } from '../jsonrpc/messages.ts'
import { type OriginalRequest } from './round.ts'
import { unprinted } from './unprinted.ts'

/** What is known of an error reply beside itself. */
export interface ResponseErrorDetails {
  /** HTTP status of the reply, where there is one. */
  readonly status?: number | undefined
  readonly cause?: unknown
  /** What to do about it: follows the server's words in `message`. */
  readonly hint?: string | undefined
}

/** The server answered a request with a JSON-RPC error. */
export class ResponseError extends RondoError<'RESPONSE_ERROR'> {
  /** JSON-RPC code, as received. */
  readonly wire: number
  /** Method of the request. */
  readonly method: string
  /** HTTP status of the reply, where there is one. */
  readonly status: number | undefined
  /** The server's own words: `message` without a hint of ours. */
  readonly said: string

  constructor(method: string, error: JsonRpcErrorObject, { status, cause, hint }: ResponseErrorDetails = {}) {
    super('RESPONSE_ERROR', hint === undefined ? error.message : `${sentence(error.message)} ${hint}`, {
      data: error.data,
      cause,
    })
    this.wire = error.code
    this.method = method
    this.said = error.message
    this.status = status
  }

  override get name(): string {
    return 'ResponseError'
  }
}

/**
 * The server refused a request that carried a continuation token: expired, tampered with, of another call, or answers it
 * cannot use. The call can be started again from `request`.
 */
export class RoundRefusedError extends RondoError<'ROUND_REFUSED'> {
  /** What to send to start the call again. */
  readonly request: OriginalRequest

  constructor(request: OriginalRequest, cause: ResponseError) {
    super(
      'ROUND_REFUSED',
      `The server refused to go on with ${request.method}: ${sentence(cause.said)} Its token may have expired; start the call again.`,
      { cause, data: { request } },
    )
    this.request = request
    unprinted(this, 'data')
  }

  override get name(): string {
    return 'RoundRefusedError'
  }
}

/** Servers end their messages with a full stop, or without one. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
