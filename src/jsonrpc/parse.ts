import { isJsonObject } from './json-object.ts'
import { dropNegativeZeros, mayHoldNegativeZero } from './negative-zero.ts'
import { type JsonObject, type JsonRpcErrorObject, type JsonRpcResponse, type RequestId } from './messages.ts'

/** What one message turned out to be. */
export type Parsed =
  | {
      readonly kind: 'request'
      readonly id: RequestId
      readonly method: string
      readonly params: JsonObject | undefined
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly kind: 'response'; readonly response: JsonRpcResponse }
  | Invalid

/** A message that cannot be taken: what to answer, and to whom. */
export interface Invalid {
  readonly kind: 'invalid'
  readonly code: 'PARSE_ERROR' | 'INVALID_REQUEST'
  /** The request's id, when it could be read. */
  readonly id?: RequestId
  /** It has an id and no method: it can only have been meant as a response. */
  readonly response?: boolean
  /** One sentence without any of the peer's text in it. */
  readonly message: string
  /** Whether it was a JSON array: a batch, in revisions that had them. */
  readonly array?: boolean
}

/** Bounds of one message. They are only looked at above `checkedFrom` characters: less text cannot hold much. */
export const PARSE_LIMITS = {
  /** Length, in UTF-16 code units, from which a text is checked. */
  checkedFrom: 16 * 1024,
  /** Arrays and objects inside one another. */
  depth: 100,
  /** Commas of the whole message: object members and array items, but for the first of each. */
  values: 500_000,
} as const

/**
 * Reads one JSON-RPC message. Never throws. A batch is `invalid` with `array: true`.
 *
 * @see basic/index, "Messages", of the specification
 */
export function parseMessage(text: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', code: 'PARSE_ERROR', message: 'Parse error: the message is not JSON' }
  }
  if (text.length > PARSE_LIMITS.checkedFrom && !withinLimits(text)) {
    return invalid('nested too deep or too many values', isJsonObject(value) ? value : {})
  }
  if (typeof value === 'object' && value !== null && mayHoldNegativeZero(text)) dropNegativeZeros(value)
  return readMessage(value)
}

/** Like {@link parseMessage}, of a value that somebody else parsed. */
export function parseValue(value: unknown): Parsed {
  if (typeof value === 'object' && value !== null) dropNegativeZeros(value)
  return readMessage(value)
}

function readMessage(value: unknown): Parsed {
  if (typeof value !== 'object' || value === null) return invalid('a message is a JSON object')
  if (Array.isArray(value)) {
    return {
      kind: 'invalid',
      code: 'INVALID_REQUEST',
      message: 'Invalid request: a message is one object, not an array',
      array: true,
    }
  }
  const message = value as Record<string, unknown>
  const { method, id } = message
  if (message['jsonrpc'] !== '2.0') return invalid('jsonrpc must be "2.0"', message)
  const answers = message['result'] !== undefined || message['error'] !== undefined
  if (method === undefined) return answers ? parseResponse(message) : invalid('method is missing', message)
  if (typeof method !== 'string') return invalid('method must be a string', message)
  if (answers) return invalid('a message has a method or an outcome, not both', message)
  const params = message['params']
  if (params !== undefined && !isJsonObject(params)) return invalid('params must be an object', message)
  if (id === undefined) return { kind: 'notification', method, params }
  if (!isRequestId(id)) return invalid('id must be a string or an integer')
  return { kind: 'request', id, method, params }
}

/** Whether arrays and objects in `value`, plain JSON, lie at most `depth` deep in one another. */
export function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const key in value) if (!isWithinDepth((value as Record<string, unknown>)[key], depth - 1)) return false
  return true
}

/**
 * Whether `value` may be a request's id. An integer that a number cannot hold exactly may not: it could not be echoed.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function parseResponse(message: Record<string, unknown>): Parsed {
  const { id, result, error } = message
  if (error === undefined) {
    if (!isRequestId(id)) return invalid('id must be a string or an integer')
    if (!isJsonObject(result)) return invalid('result must be an object', message)
    return { kind: 'response', response: message as unknown as JsonRpcResponse }
  }
  if (result !== undefined) return invalid('a response has a result or an error, not both', message)
  if (!isErrorObject(error)) return invalid('error must have an integer code and a message', message)
  // JSON-RPC 2.0 writes null where MCP leaves the id out.
  if (id === undefined || id === null) return { kind: 'response', response: { jsonrpc: '2.0', error } }
  if (!isRequestId(id)) return invalid('id must be a string or an integer')
  return { kind: 'response', response: message as unknown as JsonRpcResponse }
}

function invalid(reason: string, { id, method }: Record<string, unknown> = {}): Invalid {
  const message = `Invalid request: ${reason}`
  if (!isRequestId(id)) return { kind: 'invalid', code: 'INVALID_REQUEST', message }
  return { kind: 'invalid', code: 'INVALID_REQUEST', id, message, ...(method === undefined && { response: true }) }
}

function isErrorObject(value: unknown): value is JsonRpcErrorObject {
  return isJsonObject(value) && Number.isInteger(value['code']) && typeof value['message'] === 'string'
}

/** Looks at the text of valid JSON: strings are skipped in one step, so that this costs less than the parsing did. */
function withinLimits(text: string): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > PARSE_LIMITS.depth) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (++values > PARSE_LIMITS.values) return false
    }
  }
  return true
}

function stringEnd(text: string, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf('"', end + 1)
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
  }
}
