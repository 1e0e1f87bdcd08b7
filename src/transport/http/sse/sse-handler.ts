import { logOf, type Receiver } from '../../receiver.ts'
import type { Logger } from '../../../server/log.ts'
import { Admission, type AdmissionOptions } from '../admission.ts'
import type { HttpDoor } from '../http-door.ts'
import { type Caller, HttpReply, type HttpRequest, NO_HEADERS, STREAM_HEADERS } from '../http-message.ts'
import { readAccept } from '../media-types.ts'
import { notAcceptable, notUtf8, refusal, tooLarge } from '../refusals.ts'
import { type Clock, hostClock } from '../waiting-calls.ts'
import { SseClient } from './sse-client.ts'

/** Options of the old pair. */
export interface SseOptions<Raw = unknown> extends Omit<AdmissionOptions<Raw>, 'health'> {
  /** Clients at the same time; 1,000 by default. */
  readonly max?: number | undefined
  /** Seconds between keep-alive comments; 15 by default. */
  readonly keepAlive?: number | undefined
  /** Text held for a client that reads too slowly, in UTF-16 code units; 1 Mi by default. */
  readonly heldLimit?: number | undefined
  /** Seconds without any of a reply being read after which its client counts as gone; 60 by default. */
  readonly unreadAfter?: number | undefined
  /** Counts seconds; for tests. */
  readonly clock?: Clock | undefined
}

const MAX = 1000

/**
 * The HTTP+SSE transport of 2024-11-05 (basic/transports, "HTTP with SSE"): GET opens a stream, whose first event says
 * where to POST; whatever is answered goes out on the stream.
 */
export class SseHandler<Raw = unknown> implements HttpDoor<Raw> {
  readonly patience: number
  readonly #receiver: Receiver
  readonly #admission: Admission<Raw>
  readonly #options: SseOptions<Raw>
  readonly #log: Logger
  readonly #clients = new Map<string, SseClient>()
  #stop: (() => void) | undefined
  #seconds = 0

  constructor(receiver: Receiver, options: SseOptions<Raw> = {}) {
    this.#receiver = receiver
    this.#options = options
    this.#log = logOf(receiver, options.log)
    this.patience = (options.unreadAfter ?? 60) * 1000
    this.#admission = new Admission({ ...options, health: false }, this.#log, () => receiver.healthy !== false, ['GET'])
  }

  get maxBodyBytes(): number {
    return this.#admission.maxBodyBytes
  }

  get closing(): boolean {
    return this.#admission.closing
  }

  serves(url: string): boolean {
    return this.#admission.serves(url)
  }

  admit(request: HttpRequest<Raw>): Caller | HttpReply | Promise<Caller | HttpReply> {
    return this.#admission.admit(request)
  }

  answer(request: HttpRequest<Raw>, caller: Caller, body: unknown): HttpReply {
    const reply = request.method === 'GET' ? this.#open(request, caller) : this.#take(request, caller, body)
    return this.#admission.mark(reply, request)
  }

  tooLarge(request: HttpRequest): HttpReply {
    return this.#admission.mark(tooLarge(this.maxBodyBytes), request)
  }

  notUtf8(request: HttpRequest): HttpReply {
    return this.#admission.mark(notUtf8(), request)
  }

  failed(error: unknown): void {
    this.#log.write({ level: 'error', code: 'http-failed', message: 'A request could not be answered', error })
  }

  unread(): void {
    const message = 'A client does not read its stream; its connection is closed'
    this.#log.write({ level: 'warn', code: 'http-slow-reader', message })
  }

  /** Lets nothing new in, lets running calls finish within `deadline` milliseconds, and ends every stream. */
  async close(wait: (clients: Promise<unknown>) => Promise<unknown>): Promise<void> {
    this.#admission.close()
    const clients = [...this.#clients.values()]
    await wait(Promise.all(clients.map(({ connection }) => connection.idle())))
    for (const client of clients) this.#end(client, 'The server is closing')
  }

  #open(request: HttpRequest, caller: Caller): HttpReply {
    if (!readAccept(request.header('accept')).events) return notAcceptable()
    if (this.#clients.size >= (this.#options.max ?? MAX)) {
      return refusal(503, 'There are as many clients as this server may have.', ['retry-after', '60'])
    }
    const client = new SseClient(this.#receiver, caller, this.#log, this.#options.heldLimit)
    this.#clients.set(client.id, client)
    this.#stop ??= (this.#options.clock ?? hostClock).everySecond(() => this.#tick())
    request.onClose(() => this.#end(client, 'The client went away'))
    return new HttpReply(200, STREAM_HEADERS, undefined, client.stream)
  }

  #take(request: HttpRequest, { principal }: Caller, body: unknown): HttpReply {
    const id = new URLSearchParams(request.url.slice(request.url.indexOf('?'))).get('sessionId')
    const client = id === null ? undefined : this.#clients.get(id)
    if (client?.principal !== principal) {
      return refusal(
        404,
        'There is no such stream, or no more. Open one by GET, and post to the address that it names.',
      )
    }
    client.connection.receive(typeof body === 'string' ? body : JSON.stringify(body))
    return new HttpReply(202, NO_HEADERS)
  }

  #end(client: SseClient, reason: string): void {
    if (!this.#clients.delete(client.id)) return
    client.end(reason)
    if (this.#clients.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  #tick(): void {
    if (++this.#seconds % (this.#options.keepAlive ?? 15) !== 0) return
    for (const client of [...this.#clients.values()]) {
      if (!client.stream.keepAlive()) this.#end(client, 'The client has stopped reading')
    }
  }
}
