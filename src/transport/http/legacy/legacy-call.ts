import type { SessionRoute } from '../../../legacy/server/session-call.ts'
import type { AuthInfo, Reply } from '../../../server/exchange.ts'
import type { Logger } from '../../../server/log.ts'
import type { EventStream } from '../event-stream.ts'
import {
  type Caller,
  HttpReply,
  type HttpRequest,
  JSON_HEADERS,
  NO_HEADERS,
  type ReplyTaker,
  SILENCE,
  STREAM_HEADERS,
} from '../http-message.ts'
import { readAccept } from '../media-types.ts'
import { crashed, notAcceptable } from '../refusals.ts'
import type { WaitingCall, WaitingCalls } from '../waiting-calls.ts'
import type { HttpSession } from './http-session.ts'
import type { SessionStream } from './session-stream.ts'

/** What all calls of sessions have in common. */
export interface LegacyCallSettings {
  readonly log: Logger
  readonly streamAfter: number
  readonly perRequestHost: boolean
}

/**
 * One POST of a session and its reply. Unlike in the modern era a connection that ends is no cancellation: the call goes
 * on, and its client may come back for what it missed (basic/transports, "Sending Messages to the Server").
 */
export class LegacyCall implements SessionRoute, WaitingCall {
  place = -1
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly env: Readonly<Record<string, unknown>> | undefined
  readonly perRequestHost: boolean
  readonly http: HttpRequest
  readonly #settings: LegacyCallSettings
  #session: HttpSession | undefined
  /** Where it counts as waiting. */
  #entered: HttpSession | undefined
  #headers: readonly string[] = NO_HEADERS
  #waiting: WaitingCalls | undefined
  #taker: ReplyTaker | undefined
  #stream: SessionStream | undefined
  #first: EventStream | undefined
  #seconds = 0
  #gone = false
  #over = false

  /** @param session absent for `initialize`, which has yet to make one, and where none is kept */
  constructor(request: HttpRequest, caller: Caller, session: HttpSession | undefined, settings: LegacyCallSettings) {
    this.principal = caller.principal
    this.auth = caller.auth
    this.env = request.env
    this.perRequestHost = settings.perRequestHost
    this.http = request
    this.#session = session
    this.#settings = settings
  }

  /** An answer finds its call by the session. */
  get asks(): boolean {
    return this.#session !== undefined
  }

  /** `initialize` made this one: its reply says which. */
  opened(session: HttpSession): void {
    this.#session = session
    this.#headers = ['mcp-session-id', session.id]
  }

  send(message: string): boolean {
    if (this.#over || !this.#open()) return false
    this.#stream?.send(message)
    return true
  }

  /** The HTTP reply for a reply that is there. */
  settle(reply: Reply): HttpReply {
    this.#over = true
    if (this.#stream !== undefined) {
      this.#session?.closeStream(this.#stream, reply.body)
      return this.#streamReply(this.#first as EventStream)
    }
    // A call that its client took back gets no response, and its POST an end.
    if (reply.body === undefined) return new HttpReply(reply.status === 0 ? 202 : reply.status, NO_HEADERS)
    const accepted = readAccept(this.http.header('accept'))
    if (accepted.json || reply.status !== 200)
      return new HttpReply(reply.status, [...JSON_HEADERS, ...this.#headers], reply.body)
    if (!accepted.events || this.#session === undefined) return notAcceptable()
    const stream = this.#session.openStream()
    const out = stream.connect()
    this.#session.closeStream(stream, reply.body)
    return this.#streamReply(out)
  }

  /** Has `taker` given the HTTP reply for a reply that is still to come. */
  wait(reply: Promise<Reply>, waiting: WaitingCalls, taker: ReplyTaker): void {
    this.#waiting = waiting
    this.#taker = taker
    waiting.add(this)
    this.#entered = this.#session
    this.#entered?.entered()
    if (this.#first !== undefined) this.#deliver(this.#streamReply(this.#first))
    this.http.onClose(() => this.#disconnected())
    reply.then(
      (value) => this.#arrived(value),
      (error: unknown) => this.#failed(error),
    )
  }

  /** The server is closing and has waited long enough. */
  cancel(): void {
    if (this.#over) return
    this.#leave()
    this.#stream?.breakOff()
    this.#deliver(SILENCE)
  }

  /** A second went by without the reply. */
  tick(): void {
    if (this.#stream === undefined && ++this.#seconds > this.#settings.streamAfter) this.#open()
  }

  #open(): boolean {
    if (this.#stream !== undefined) return true
    // Who went before there was a stream has no event to come back with.
    if (this.#gone || this.#session === undefined || !readAccept(this.http.header('accept')).events) return false
    this.#stream = this.#session.openStream()
    this.#first = this.#stream.connect()
    this.#deliver(this.#streamReply(this.#first))
    return true
  }

  #disconnected(): void {
    if (this.#over || this.#gone) return
    this.#gone = true
    if (this.#first !== undefined) this.#stream?.lost(this.#first)
    this.#entered?.left()
    this.#deliver(SILENCE)
  }

  #arrived(reply: Reply): void {
    if (this.#over) return
    this.#leave()
    this.#deliver(this.settle(reply))
  }

  #failed(error: unknown): void {
    if (this.#over) return
    this.#settings.log.write({ level: 'error', code: 'http-failed', message: 'The server failed to answer', error })
    this.#leave()
    if (this.#stream !== undefined) this.#session?.closeStream(this.#stream, undefined)
    this.#deliver(crashed())
  }

  #leave(): void {
    this.#over = true
    this.#waiting?.delete(this)
    if (!this.#gone) this.#entered?.left()
  }

  /** Once: a stream that is out takes everything else. */
  #deliver(reply: HttpReply): void {
    const taker = this.#taker
    this.#taker = undefined
    taker?.later(reply)
  }

  #streamReply(out: EventStream): HttpReply {
    return new HttpReply(200, [...STREAM_HEADERS, ...this.#headers], undefined, out)
  }
}
