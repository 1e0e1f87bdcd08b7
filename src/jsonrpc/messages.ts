/** JSON-RPC request id: a string or an integer, never null (basic/index, "Requests"). */
export type RequestId = string | number

/** Any JSON object. */
export type JsonObject = { [key: string]: unknown }

/** A message that wants none. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: JsonObject
}

/** The error member of a response. */
export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A response that carries a result. */
export interface JsonRpcResult {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: JsonObject
}

/** A response that carries an error; without `id` when the request's could not be read. */
export interface JsonRpcError {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId
  readonly error: JsonRpcErrorObject
}

export type JsonRpcResponse = JsonRpcResult | JsonRpcError
