import { type JsonRpcNotification, type JsonRpcResponse, type RequestId } from '../jsonrpc/messages.ts'

/** One JSON-RPC request, already written down. */
export interface OutgoingRequest {
  readonly id: RequestId
  readonly method: string
  /** JSON text of the whole message, on one line. */
  readonly text: string
}

/** How one request goes out. */
export interface RequestOptions {
  /** Header mirror of the body (`Mcp-Method`, `Mcp-Name`, `Mcp-Param-*`, version) and the caller's own headers; transports without headers ignore it. */
  readonly headers: Readonly<Record<string, string>>
  /** Called for each notification that arrives ahead of the response. */
  onNotification?(notification: JsonRpcNotification): void
  /**
   * Registers what cancels the request by the transport's own means. It is called at most once, with the error that the
   * returned promise then rejects with. Cheaper than `signal`: nothing is made for a request nobody cancels.
   */
  onCancel(listener: (error: unknown) => void): void
  /** The same as an `AbortSignal`, made when first read. */
  readonly signal: AbortSignal
}

/** A response, and the HTTP status it came with where there is one. */
export interface Received {
  readonly message: JsonRpcResponse
  readonly status?: number
}

/** Port through which the client reaches a server. One request, one response, notifications in between. */
export interface Transport {
  readonly kind: 'http' | 'stdio' | 'memory'
  /** What the server is called to a person, and what its era is remembered under: origin and path, or the command. */
  readonly address: string
  /**
   * @throws RondoError `TRANSPORT_FAILED`, `TRANSPORT_CLOSED`, `HTTP_STATUS` (`data: { status, body }`), `RESPONSE_INVALID`
   */
  request(request: OutgoingRequest, options: RequestOptions): Promise<Received>
  close(): Promise<void>
}

/** Whether `value` can be used as a {@link Transport}. */
export function isTransport(value: unknown): value is Transport {
  if (typeof value !== 'object' || value === null) return false
  const { request, close, address } = value as Partial<Transport>
  return typeof request === 'function' && typeof close === 'function' && typeof address === 'string'
}
