import type { AuthInfo, Exchange, Reply } from '../../server/exchange.ts'
import type { Logger } from '../../server/log.ts'
import { EventStream } from './event-stream.ts'
import {
  type Caller,
  HttpReply,
  type HttpRequest,
  type ReplyTaker,
  JSON_HEADERS,
  NO_HEADERS,
  SILENCE,
  STREAM_HEADERS,
} from './http-message.ts'
import { readAccept } from './media-types.ts'
import { checkedReply } from '../receiver.ts'
import { crashed, notAcceptable } from './refusals.ts'
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts'

/** What all calls of a handler have in common. */
export interface CallSettings {
  readonly log: Logger
  /** Seconds a JSON reply may take before a stream is opened in its place; 10 by rule H6. */
  readonly streamAfter: number
  /** Seconds between keep-alives on a stream; 15 by rule H6. */
  readonly keepAlive: number
  /** Text held for a slow reader, in UTF-16 code units. */
  readonly heldLimit: number | undefined
  readonly perRequestHost: boolean
}

/** One HTTP request on its way through the server: its {@link Exchange}, and how its reply goes out (rules H4, H6). */
export class HttpCall implements Exchange, WaitingCall {
  place = -1
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly env: Readonly<Record<string, unknown>> | undefined
  readonly perRequestHost: boolean
  readonly http: HttpRequest
  readonly #settings: CallSettings
  #waiting: WaitingCalls | undefined
  #taker: ReplyTaker | undefined
  #onCancel: ((reason?: string) => void) | undefined
  #onEnd: ((reason: string) => void) | undefined
  #stream: EventStream | undefined
  #silence = 0
  #cancelled: string | undefined
  #over = false

  constructor(request: HttpRequest, caller: Caller, settings: CallSettings) {
    this.principal = caller.principal
    this.auth = caller.auth
    this.env = request.env
    this.perRequestHost = settings.perRequestHost
    this.http = request
    this.#settings = settings
  }

  notify(message: string): void {
    if (this.#over || !this.#open()) return
    this.#silence = 0
    if (this.#stream?.notify(message) === 'overflow') this.#breakOff('The client does not read what it is sent')
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#cancelled !== undefined) listener(this.#cancelled)
    else this.#onCancel = listener
  }

  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener
  }

  /** The endpoint closes: what lasts as long as its client listens ends (H5). */
  end(reason: string): void {
    const listener = this.#onEnd
    this.#onEnd = undefined
    listener?.(reason)
  }

  /** The HTTP reply for a reply that is there. */
  settle(reply: Reply): HttpReply {
    this.#over = true
    this.#onCancel = undefined
    if (this.#stream !== undefined) {
      this.#stream.finish(reply.body)
      this.#reportDropped()
      return streamReply(this.#stream)
    }
    // Also of status 0, for what may not be answered.
    if (reply.body === undefined) return new HttpReply(reply.status, NO_HEADERS)
    if (reply.status === 200 && !readAccept(this.http.header('accept')).json) return this.#asEvent(reply.body)
    return new HttpReply(reply.status, JSON_HEADERS, reply.body)
  }

  /**
   * Has `taker` given the HTTP reply for a reply that is still to come: as JSON when it is there, or a stream as soon as
   * one is needed. No promise of our own: this is the path of every async handler.
   */
  wait(reply: Promise<Reply>, waiting: WaitingCalls, taker: ReplyTaker): void {
    this.#waiting = waiting
    this.#taker = taker
    waiting.add(this)
    if (this.#stream !== undefined) this.#deliver(streamReply(this.#stream))
    this.http.onClose(() => this.cancel('The client went away'))
    reply.then(
      (value) => this.#arrived(value),
      (error: unknown) => this.#failed(error),
    )
  }

  /** The client is gone, or the server is: the handler learns of it in this turn (H4), and nothing more is sent. */
  cancel(reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#cancelled = reason
    this.#waiting?.delete(this)
    this.#deliver(SILENCE)
    this.#stream?.finish(undefined)
    const listener = this.#onCancel
    this.#onCancel = undefined
    listener?.(reason)
  }

  /** A second went by without the reply. */
  tick(): void {
    this.#silence++
    const { streamAfter, keepAlive } = this.#settings
    if (this.#stream === undefined) {
      if (this.#silence > streamAfter && this.#open()) this.#silence = 0
    } else if (this.#silence >= keepAlive) {
      this.#silence = 0
      if (!this.#stream.keepAlive()) this.#breakOff('The client has stopped reading')
    }
  }

  #open(): boolean {
    if (this.#stream !== undefined) return true
    if (!readAccept(this.http.header('accept')).events) return false
    this.#stream = new EventStream(this, this.#settings.heldLimit)
    this.#deliver(streamReply(this.#stream))
    return true
  }

  #arrived(given: Reply): void {
    if (this.#over) return
    let reply: Reply
    try {
      reply = checkedReply(given)
    } catch (error) {
      return this.#failed(error)
    }
    this.#waiting?.delete(this)
    this.#deliver(this.settle(reply))
  }

  #failed(error: unknown): void {
    if (this.#over) return
    this.#settings.log.write({ level: 'error', code: 'http-failed', message: 'The server failed to answer', error })
    this.#waiting?.delete(this)
    this.#over = true
    this.#stream?.finish(undefined)
    this.#deliver(crashed())
  }

  /** Once: a stream that is out takes everything else. */
  #deliver(reply: HttpReply): void {
    const taker = this.#taker
    this.#taker = undefined
    taker?.later(reply)
  }

  #asEvent(body: string): HttpReply {
    if (!readAccept(this.http.header('accept')).events) return notAcceptable()
    const stream = new EventStream(this)
    stream.finish(body)
    return streamReply(stream)
  }

  #breakOff(why: string): void {
    this.#settings.log.write({ level: 'warn', code: 'http-slow-reader', message: `${why}; its request is cancelled` })
    this.cancel(why)
  }

  #reportDropped(): void {
    const dropped = this.#stream?.takeDropped() ?? 0
    if (dropped === 0) return
    const message = `${dropped} log messages were dropped for a client that reads slower than they came`
    this.#settings.log.write({ level: 'warn', code: 'http-dropped', message })
  }
}

function streamReply(stream: EventStream): HttpReply {
  return new HttpReply(200, STREAM_HEADERS, undefined, stream)
}
