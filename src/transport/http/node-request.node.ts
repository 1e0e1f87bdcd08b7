import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopbackName } from './origin.ts'
import type { HttpRequest } from './http-message.ts'

/** A request as `node:http` gives it, seen by the handler. Nothing is copied. */
export class NodeRequest implements HttpRequest<IncomingMessage> {
  readonly raw: IncomingMessage
  readonly method: string
  readonly url: string
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.raw = request
    this.method = request.method ?? ''
    this.url = request.url ?? ''
    this.#response = response
  }

  get env(): undefined {
    return undefined
  }

  get peer(): string | undefined {
    return this.raw.socket.remoteAddress
  }

  get secure(): boolean {
    return 'encrypted' in this.raw.socket && this.raw.socket.encrypted === true
  }

  get loopback(): boolean {
    return isBoundToLoopback((this.raw.socket as { server?: unknown }).server)
  }

  header(name: string): string | undefined {
    // Node keeps the first of several, while what stands in between may have read the last: then there is none.
    if (name === 'host' && hasSeveralHosts(this.raw.rawHeaders)) return undefined
    // Where HTTP/2 is served in the manner of HTTP/1, `:authority` is the host.
    const value = this.raw.headers[name] ?? (name === 'host' ? this.raw.headers[':authority'] : undefined)
    if (typeof value === 'string') return value
    return Array.isArray(value) ? value.join(', ') : undefined
  }

  onClose(listener: () => void): void {
    const { socket } = this.raw
    const response = this.#response
    if (response.destroyed || socket.destroyed) return listener()
    response.on('close', listener)
    if (response.socket === null) whenClosed(socket, response, listener)
  }
}

function hasSeveralHosts(raw: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

const pipelined = new WeakMap<Socket, Map<ServerResponse, () => void>>()

/**
 * Calls `listener` when the connection closes, unless the response did before: one that waits for those before it on its
 * connection hears nothing of its end by itself (Node 20). One listener a connection, however many wait on it.
 */
function whenClosed(socket: Socket, response: ServerResponse, listener: () => void): void {
  let waiting = pipelined.get(socket)
  if (waiting === undefined) {
    const all = (waiting = new Map<ServerResponse, () => void>())
    pipelined.set(socket, all)
    socket.once('close', () => {
      for (const gone of all.values()) gone()
    })
  }
  waiting.set(response, listener)
  response.on('close', () => pipelined.get(socket)?.delete(response))
}

const verdicts = new WeakMap<object, boolean>()

/** Whether the server that took a connection listens on a loopback address alone. Unknown is not. */
function isBoundToLoopback(server: unknown): boolean {
  if (typeof server !== 'object' || server === null) return false
  const known = verdicts.get(server)
  if (known !== undefined) return known
  const address = 'address' in server && typeof server.address === 'function' ? (server.address() as unknown) : null
  const verdict =
    typeof address === 'object' && address !== null && 'address' in address && isLoopbackName(String(address.address))
  verdicts.set(server, verdict)
  return verdict
}
