import type { LegacySession } from '../../../legacy/server/session.ts'
import type { EventStream } from '../event-stream.ts'
import { EventLog } from './event-log.ts'
import { SessionStream, type StreamSettings } from './session-stream.ts'

/** What is kept of a session over HTTP. */
export interface HttpSessionSettings {
  /** Text of events kept for clients that come back, in UTF-16 code units. */
  readonly eventBuffer: number
  readonly heldLimit: number | undefined
  /** Seconds that the connection of a call lasts; `undefined`: as long as the call. */
  readonly pollAfter: number | undefined
}

/** A session over HTTP: its id, who it belongs to, and its streams. */
export class HttpSession {
  readonly id: string
  readonly principal: string
  readonly session: LegacySession
  readonly #log: EventLog
  readonly #settings: StreamSettings
  readonly #pollAfter: number | undefined
  /** Those that have not ended. */
  readonly #streams = new Map<number, SessionStream>()
  #standalone: SessionStream | undefined
  #count = 0
  /** Requests of it that wait for their reply. */
  #waiting = 0
  #quiet = 0

  constructor(id: string, principal: string, session: LegacySession, settings: HttpSessionSettings) {
    this.id = id
    this.principal = principal
    this.session = session
    this.#log = new EventLog(settings.eventBuffer)
    const primes = session.revision >= '2025-11-25'
    // Older clients take the end of a connection for that of the call.
    this.#pollAfter = primes ? settings.pollAfter : undefined
    this.#settings = { log: this.#log, primes, heldLimit: settings.heldLimit }
  }

  /** Seconds without a request or a connection. */
  get quiet(): number {
    return this.#quiet
  }

  /** Whether a client is there: it reads a stream, or waits for a reply. */
  get connected(): boolean {
    return this.#waiting > 0 || [...this.#streams.values()].some((stream) => stream.connected)
  }

  /** A request came. */
  touch(): void {
    this.#quiet = 0
  }

  entered(): void {
    this.#waiting++
  }

  left(): void {
    this.#waiting--
  }

  /** A stream for what belongs to one request. */
  openStream(): SessionStream {
    const stream = new SessionStream(++this.#count, this.#settings)
    this.#streams.set(stream.number, stream)
    return stream
  }

  /** Its request is answered. What was sent can still be asked for again. */
  closeStream(stream: SessionStream, message: string | undefined): void {
    stream.finish(message)
    this.#streams.delete(stream.number)
  }

  /** A stream for what belongs to no request; the one before ends, since a message may go out on one alone. */
  listen(): { readonly stream: SessionStream; readonly out: EventStream } {
    if (this.#standalone !== undefined) this.closeStream(this.#standalone, undefined)
    const stream = this.openStream()
    this.#standalone = stream
    return { stream, out: stream.connect() }
  }

  /** Sends a message that belongs to no request, where the client has listened for such. */
  tell(message: string): void {
    this.#standalone?.send(message)
  }

  /** The stream that `Last-Event-ID` names, from there on. */
  resume(lastEventId: string): { readonly stream: SessionStream; readonly out: EventStream } | undefined {
    const [, number, place] = /^(\d{1,15})\.(\d{1,15})$/.exec(lastEventId) ?? []
    if (number === undefined || Number(number) > this.#count) return undefined
    const live = this.#streams.get(Number(number))
    const stream = live ?? new SessionStream(Number(number), this.#settings)
    const out = stream.resume(Number(place))
    if (live === undefined) stream.finish(undefined)
    return { stream, out }
  }

  /** A second went by. */
  tick(keepAlive: boolean): void {
    if (this.connected) this.#quiet = 0
    else this.#quiet++
    for (const stream of this.#streams.values()) {
      if (keepAlive) stream.keepAlive()
      if (this.#pollAfter !== undefined && stream !== this.#standalone) stream.tick(this.#pollAfter)
    }
  }

  /** Nothing more is told but replies. */
  endListening(): void {
    if (this.#standalone !== undefined) this.closeStream(this.#standalone, undefined)
    this.#standalone = undefined
  }

  close(reason: string): void {
    this.session.close(reason)
    for (const stream of this.#streams.values()) stream.finish(undefined)
    this.#streams.clear()
  }
}
