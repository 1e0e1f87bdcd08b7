import { type WireErrorObject } from '../errors/wire-error.ts'
import { type RequestId } from './messages.ts'

/** JSON text of a response, around the JSON text of its result. The text is put in as it is. */
export function encodeResult(id: RequestId, resultJsonText: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${resultJsonText}}`
}

/**
 * JSON text of an error response; without `id` when the request's could not be read. Never throws: `data` that JSON
 * cannot say is left out.
 */
export function encodeError(id: RequestId | undefined, error: WireErrorObject): string {
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${encodeId(id)},`}"error":${errorText(error)}}`
}

/** JSON text of a notification. `params` must be plain JSON. */
export function encodeNotification(method: string, params?: object): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${paramsText(params)}}`
}

/** JSON text of a request. `params` must be plain JSON. */
export function encodeRequest(id: RequestId, method: string, params?: object): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"method":${JSON.stringify(method)}${paramsText(params)}}`
}

function encodeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}

function paramsText(params: object | undefined): string {
  return params === undefined ? '' : `,"params":${JSON.stringify(params)}`
}

function errorText({ code, message, data }: WireErrorObject): string {
  try {
    return JSON.stringify({ code, message, data })
  } catch {
    return JSON.stringify({ code, message })
  }
}
