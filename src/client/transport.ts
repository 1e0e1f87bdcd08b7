import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from '../jsonrpc/messages.ts'

/** How one request goes out. */
export interface RequestOptions {
  /** Header mirror of the body (`Mcp-Method`, `Mcp-Name`, `Mcp-Param-*`, version); transports without headers ignore it. */
  readonly headers: Readonly<Record<string, string>>
  /** Called for each notification that arrives ahead of the response. */
  onNotification?(notification: JsonRpcNotification): void
  /** Aborting it cancels the request by the transport's own means; the returned promise rejects with its reason. */
  readonly signal?: AbortSignal
}

/** A response, and the HTTP status it came with where there is one. */
export interface Received {
  readonly message: JsonRpcResponse
  readonly status?: number
}

/** Port through which the client reaches a server. One request, one response, notifications in between. */
export interface Transport {
  readonly kind: 'http' | 'stdio' | 'memory'
  /** What the era verdict is remembered under: origin and path, or the command. */
  readonly address: string
  /**
   * @throws RondoError `TRANSPORT_FAILED`, `TRANSPORT_CLOSED`, `HTTP_STATUS`, `RESPONSE_INVALID`
   */
  request(request: JsonRpcRequest, options: RequestOptions): Promise<Received>
  close(): Promise<void>
}
