import type { IncomingMessage, ServerResponse } from 'node:http'
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
    const value = this.raw.headers[name]
    if (typeof value === 'string') return value
    return Array.isArray(value) ? value.join(', ') : undefined
  }

  onClose(listener: () => void): void {
    if (this.#response.destroyed || this.raw.socket.destroyed) listener()
    else this.#response.on('close', listener)
  }
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
