import { legacyRevisions } from '../../legacy/server/open.ts'
import type { Reply } from '../../server/exchange.ts'
import { checkedReply, isPromise, logOf, type Receiver } from '../receiver.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import { type CallSettings, HttpCall } from './http-call.ts'
import type { HttpDoor } from './http-door.ts'
import { type Caller, HttpReply, type HttpRequest, type ReplyTaker } from './http-message.ts'
import { isModernRequest } from './era.ts'
import type { LegacyCall } from './legacy/legacy-call.ts'
import { LegacyHttp } from './legacy/legacy-http.ts'
import { type SessionOptions, Sessions } from './legacy/sessions.ts'
import { bodyTaken, crashed, notUtf8, tooLarge } from './refusals.ts'
import { type Clock, hostClock, WaitingCalls } from './waiting-calls.ts'

/** Options of every HTTP server side. */
export interface HttpOptions<Raw = unknown> extends AdmissionOptions<Raw> {
  /** Seconds until a reply that is not there yet becomes an event stream; 10 by default. */
  readonly streamAfter?: number | undefined
  /** Seconds between keep-alive comments of a stream; 15 by default. */
  readonly keepAlive?: number | undefined
  /** Text held for a client that reads too slowly, in UTF-16 code units; 1 Mi by default. */
  readonly heldLimit?: number | undefined
  /** Seconds without any of a reply being read after which its client counts as gone, on Node; 60 by default. */
  readonly unreadAfter?: number | undefined
  /** Bounds of the sessions that clients of older revisions have. */
  readonly sessions?: SessionOptions | undefined
  /** Whether the process may not outlive the request: random state keys are then refused (rule T7). */
  readonly perRequestHost?: boolean | undefined
  /** Counts seconds; for tests. */
  readonly clock?: Clock | undefined
}

/**
 * Streamable HTTP as a function of a request to a reply (rules H1–H6): {@link admit} before the body is read,
 * {@link answer} after. Adapters carry the two to and from their host.
 */
export class HttpHandler<Raw = unknown> implements HttpDoor<Raw> {
  /** Milliseconds that a client may read nothing of a reply. */
  readonly patience: number
  readonly #receiver: Receiver
  readonly #admission: Admission<Raw>
  readonly #settings: CallSettings
  readonly #clock: Clock
  readonly #waiting: WaitingCalls | undefined
  readonly #sessions: Sessions | undefined
  readonly #legacy: LegacyHttp | undefined

  constructor(receiver: Receiver, options: HttpOptions<Raw> = {}) {
    this.#receiver = receiver
    const log = logOf(receiver, options.log)
    const perRequestHost = options.perRequestHost ?? false
    const legacy = legacyRevisions(receiver.revisions)
    const others = legacy === undefined || perRequestHost ? [] : ['GET', 'DELETE']
    this.#admission = new Admission(options, log, () => receiver.healthy !== false, others)
    this.#clock = options.clock ?? hostClock
    this.patience = (options.unreadAfter ?? 60) * 1000
    this.#waiting = perRequestHost ? undefined : new WaitingCalls(this.#clock)
    this.#settings = {
      log,
      streamAfter: options.streamAfter ?? 10,
      keepAlive: options.keepAlive ?? 15,
      heldLimit: options.heldLimit,
      perRequestHost,
    }
    if (legacy === undefined) return
    const { keepAlive, heldLimit } = this.#settings
    const { sessions = {} } = options
    if (!perRequestHost) this.#sessions = new Sessions(sessions, this.#clock, keepAlive, heldLimit)
    this.#legacy = new LegacyHttp(receiver, legacy, this.#sessions, this.#settings)
  }

  /** Longest body that is read, in bytes. */
  get maxBodyBytes(): number {
    return this.#admission.maxBodyBytes
  }

  /** Whether {@link close} was called: replies should end their connection. */
  get closing(): boolean {
    return this.#admission.closing
  }

  /** Whether a request's path is one this handler serves. */
  serves(url: string): boolean {
    return this.#admission.serves(url)
  }

  /** The caller of a request that may go on, or the reply that refuses it. */
  admit(request: HttpRequest<Raw>): Caller | HttpReply | Promise<Caller | HttpReply> {
    return this.#admission.admit(request)
  }

  /**
   * Hands the body of an admitted request to the server: JSON text, or a value that a framework parsed.
   *
   * @returns the reply, or `undefined`: `taker` is given it later.
   */
  answer(request: HttpRequest<Raw>, caller: Caller, body: unknown, taker: ReplyTaker): HttpReply | undefined {
    try {
      if (this.#legacy !== undefined && !isModernRequest(request)) {
        const taken = this.#legacy.take(request, caller, body)
        if (taken instanceof HttpReply) return this.#admission.mark(taken, request)
        if (taken !== undefined) return this.#carry(request, taken.call, taken.reply, taker)
      }
      const call = new HttpCall(request, caller, this.#settings)
      return this.#carry(request, call, this.#receiver.handle(body, call), taker)
    } catch (error) {
      this.failed(error)
      return this.#admission.mark(crashed(), request)
    }
  }

  #carry(
    request: HttpRequest<Raw>,
    call: HttpCall | LegacyCall,
    reply: Reply | Promise<Reply>,
    taker: ReplyTaker,
  ): HttpReply | undefined {
    if (!isPromise(reply)) return this.#admission.mark(call.settle(checkedReply(reply)), request)
    // On Workers a timer may not touch another request's stream.
    const waiting = this.#waiting ?? new WaitingCalls(this.#clock, false)
    const mark = (late: HttpReply) => taker.later(this.#admission.mark(late, request))
    call.wait(reply, waiting, request.header('origin') === undefined ? taker : { later: mark })
    return undefined
  }

  /** The reply to a body longer than {@link maxBodyBytes}. */
  tooLarge(request: HttpRequest): HttpReply {
    return this.#admission.mark(tooLarge(this.maxBodyBytes), request)
  }

  /** The reply to a body that is no text. */
  notUtf8(request: HttpRequest): HttpReply {
    return this.#admission.mark(notUtf8(), request)
  }

  /** The reply to a request whose body somebody read before, and says so: its application is at fault. */
  bodyTaken(request: HttpRequest): HttpReply {
    const message = 'The body of a request was read before it got here. Hand the request on unread, or a clone of it.'
    this.#settings.log.write({ level: 'error', code: 'http-body-taken', message })
    return this.#admission.mark(bodyTaken(), request)
  }

  /** Says that a reply could not be given, or not be sent. */
  failed(error: unknown): void {
    this.#settings.log.write({ level: 'error', code: 'http-failed', message: 'A request could not be answered', error })
  }

  /** Says that a client was given up, since it read nothing of its reply. */
  unread(): void {
    const message = 'A client does not read its reply; its connection is closed'
    this.#settings.log.write({ level: 'warn', code: 'http-slow-reader', message })
  }

  /** Lets nothing new in. */
  close(): void {
    this.#admission.close()
    this.#waiting?.endListening('The server is closing')
    this.#sessions?.close()
  }

  /** Resolves when the last waiting call was answered. No timer is left then. */
  async idle(): Promise<void> {
    await this.#waiting?.idle()
    this.#sessions?.endAll('The server is closed')
  }

  /** Ends what still waits, without replies. */
  cancelAll(reason: string): void {
    this.#waiting?.cancelAll(reason)
    this.#sessions?.endAll(reason)
  }
}
