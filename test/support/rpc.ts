import { type Exchange, type Reply, type Server } from 'rondo'

/** What most tests declare: everything a client can be asked. */
export const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
} as const

/** A request as it is put together here. */
export interface RpcOptions {
  readonly id?: string | number
  readonly capabilities?: object
  readonly meta?: object
  readonly exchange?: Exchange
}

/** A response, read. */
export interface RpcReply {
  readonly status: number
  readonly id?: string | number
  readonly result?: Record<string, unknown> & {
    resultType?: string
    content?: { type: string; text: string }[]
    isError?: boolean
    inputRequests?: Record<string, { method: string; params: Record<string, unknown> }>
    requestState?: string
  }
  readonly error?: { code: number; message: string; data?: unknown }
}

let ids = 0

/** JSON text of a modern request. */
export function requestText(method: string, params: object = {}, options: RpcOptions = {}): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': options.capabilities ?? EVERYTHING,
    ...options.meta,
  }
  return JSON.stringify({ jsonrpc: '2.0', id: options.id ?? ++ids, method, params: { ...params, _meta } })
}

/** Sends a modern request through `server.handle` and reads the reply. */
export async function rpc(
  server: Server,
  method: string,
  params: object = {},
  options: RpcOptions = {},
): Promise<RpcReply> {
  return readReply(await server.handle(requestText(method, params, options), options.exchange ?? {}))
}

/** `rpc` of `tools/call`. */
export function callTool(server: Server, name: string, args: object = {}, more: object = {}, options: RpcOptions = {}) {
  return rpc(server, 'tools/call', { name, arguments: args, ...more }, options)
}

/** Reads a reply; one without a body keeps its status alone. */
export function readReply(reply: Reply): RpcReply {
  return { status: reply.status, ...(reply.body === undefined ? {} : (JSON.parse(reply.body) as object)) }
}

/** The first text of a tool's result. */
export function textOf(reply: RpcReply): string | undefined {
  return reply.result?.content?.[0]?.text
}
