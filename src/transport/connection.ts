import { WireError } from '../errors/wire-error.ts'
import { encodeError } from '../jsonrpc/encode.ts'
import type { RequestId } from '../jsonrpc/messages.ts'
import type { SessionRoute } from '../legacy/server/session-call.ts'
import type { AuthInfo, Exchange, Reply } from '../server/exchange.ts'
import type { Logger } from '../server/log.ts'
import { type Listed, Roster } from '../server/roster.ts'
import { LegacyConnection } from './legacy-connection.ts'
import type { Outbox } from './outbox.ts'
import { readText } from './read-text.ts'
import { checkedReply, isPromise, type Receiver } from './receiver.ts'

/** Who is at the other end of a connection. */
export interface ConnectionOptions {
  readonly principal?: string | undefined
  readonly auth?: AuthInfo | undefined
  readonly log: Logger
}

/**
 * One client's requests on a channel they share, in any order: what stdio is, and any other byte stream
 * (basic/transports/stdio). Cancelling goes by request id.
 */
export class Connection {
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly outbox: Outbox
  readonly #receiver: Receiver
  readonly #legacy: LegacyConnection
  readonly #log: Logger
  readonly #calls = new Roster<ConnectionCall>()
  readonly #ids = new Map<RequestId, ConnectionCall>()
  #whenIdle: (() => void) | undefined

  constructor(receiver: Receiver, outbox: Outbox, options: ConnectionOptions) {
    this.principal = options.principal ?? ''
    this.auth = options.auth
    this.outbox = outbox
    this.#receiver = receiver
    this.#legacy = new LegacyConnection(receiver)
    this.#log = options.log
  }

  /** Takes one message, and sends its reply when it is there. */
  receive(text: string): void {
    const { message, id, look } = readText(text)
    if (id !== undefined && this.#ids.has(id)) return this.#refuse(id)
    const call = new ConnectionCall(this, id)
    if (id !== undefined) this.#ids.set(id, call)
    this.#calls.add(call)
    let reply: Reply | Promise<Reply>
    try {
      reply = this.#legacy.takes(look)
        ? this.#legacy.receive(message, call, this.#tell)
        : this.#receiver.handle(message, call)
      if (!isPromise(reply)) return this.#settle(call, reply)
    } catch (error) {
      return this.#failed(call, error)
    }
    reply.then(
      (late) => this.#settle(call, late),
      (error: unknown) => this.#failed(call, error),
    )
  }

  readonly #tell = (message: string): void => {
    if (this.outbox.notify(message, this) === 'overflow') this.lost()
  }

  /** `notifications/cancelled`: a request that is unknown, or over, is passed by. */
  cancel(id: RequestId, reason?: string): void {
    this.#ids.get(id)?.stop(reason)
  }

  /** Ends what would last as long as the client listens. */
  endListening(reason: string): void {
    for (const call of this.#calls.all()) call.finish(reason)
  }

  /** Cancels every request in flight. */
  cancelAll(reason: string): void {
    for (const call of this.#calls.all()) call.stop(reason)
    this.#legacy.close(reason)
  }

  /** Resolves when no request is in flight. */
  async idle(): Promise<void> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }

  /** A notification that may not be dropped found no room; the channel is shared, so it cannot end for that. */
  lost(): void {
    this.#log.write({ level: 'error', code: 'stdio-lost', message: 'An event was lost: the client does not read' })
  }

  /** A call is over. */
  leave(call: ConnectionCall): void {
    this.#calls.delete(call)
    if (call.id !== undefined) this.#ids.delete(call.id)
    if (this.#calls.size === 0) this.#whenIdle?.()
  }

  /** The reply to the one would be taken for the other's, and who cancels could mean either (basic/index, "Requests"). */
  #refuse(id: RequestId): void {
    const message = 'Invalid request: a request with this id is still in flight'
    this.#log.write({ level: 'warn', code: 'stdio-refused', message })
    this.outbox.reply(encodeError(id, new WireError('INVALID_REQUEST', message).toJSON()), this)
  }

  #settle(call: ConnectionCall, given: Reply): void {
    let body: string | undefined
    try {
      body = checkedReply(given).body
    } catch (error) {
      return this.#failed(call, error)
    }
    if (!call.end() || body === undefined) return
    this.outbox.reply(body, call)
    const dropped = this.outbox.takeDropped()
    if (dropped === 0) return
    const message = `${dropped} log messages were dropped for a client that reads slower than they came`
    this.#log.write({ level: 'warn', code: 'stdio-dropped', message })
  }

  #failed(call: ConnectionCall, error: unknown): void {
    this.#log.write({ level: 'error', code: 'stdio-failed', message: 'The server failed to answer', error })
    if (!call.end() || call.id === undefined) return
    this.outbox.reply(encodeError(call.id, new WireError('INTERNAL_ERROR', 'Internal error').toJSON()), call)
  }
}

/** One request in flight. */
class ConnectionCall implements Exchange, SessionRoute, Listed {
  place = -1
  readonly asks = true
  readonly id: RequestId | undefined
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly #connection: Connection
  #onCancel: ((reason?: string) => void) | undefined
  #onEnd: ((reason: string) => void) | undefined
  #over = false
  #stopped: { readonly reason: string | undefined } | undefined

  constructor(connection: Connection, id: RequestId | undefined) {
    this.id = id
    this.principal = connection.principal
    this.auth = connection.auth
    this.#connection = connection
  }

  notify(message: string): void {
    this.send(message)
  }

  send(message: string): boolean {
    if (this.#over) return false
    if (this.#connection.outbox.notify(message, this) !== 'overflow') return true
    this.#connection.lost()
    return false
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#stopped === undefined) this.#onCancel = listener
    else listener(this.#stopped.reason)
  }

  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener
  }

  /** Of what lasts as long as its client listens. */
  finish(reason: string): void {
    this.#onEnd?.(reason)
  }

  cancel(id: RequestId, reason?: string): void {
    this.#connection.cancel(id, reason)
  }

  /** @returns whether the reply may be sent. */
  end(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#onCancel = undefined
    this.#connection.leave(this)
    return true
  }

  /** Its handler is told, and nothing more is sent for it (basic/transports/stdio, "Cancellation"). */
  stop(reason?: string): void {
    const listener = this.#onCancel
    if (!this.end()) return
    this.#stopped = { reason }
    this.#connection.outbox.drop(this)
    listener?.(reason)
  }
}
