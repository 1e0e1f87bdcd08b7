import { WireError } from '../../errors/wire-error.ts'
import { encodeError } from '../../jsonrpc/encode.ts'
import { HttpReply, JSON_HEADERS } from './http-message.ts'

/**
 * A refusal by the transport itself: JSON-RPC error without an id, since no request was read
 * (basic/transports/streamable-http, "Security & Endpoint").
 */
export function refusal(status: number, message: string, headers: readonly string[] = []): HttpReply {
  return errorReply(status, 'INVALID_REQUEST', message, headers)
}

/** The server failed to answer at all; nothing of why leaves the process. */
export function crashed(): HttpReply {
  return errorReply(500, 'INTERNAL_ERROR', 'Internal error')
}

/** The body is not UTF-8 text (basic/transports, "Messages"). */
export function notUtf8(): HttpReply {
  return errorReply(400, 'PARSE_ERROR', 'Parse error: the body is not UTF-8')
}

/** Somebody else has read the body, or is about to. */
export function bodyTaken(): HttpReply {
  return refusal(400, 'The body was read before the server could.')
}

/** The body is longer than the limit. */
export function tooLarge(limit: number): HttpReply {
  return refusal(413, `The body is longer than ${limit} bytes.`)
}

/** The client takes neither of the two forms a reply can have. */
export function notAcceptable(): HttpReply {
  return refusal(406, 'Accept must list application/json, text/event-stream, or both as the specification says.')
}

type Code = 'PARSE_ERROR' | 'INVALID_REQUEST' | 'INTERNAL_ERROR'

function errorReply(status: number, code: Code, message: string, headers: readonly string[] = []): HttpReply {
  const all = headers.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...headers]
  return new HttpReply(status, all, encodeError(undefined, new WireError(code, message).toJSON()))
}
