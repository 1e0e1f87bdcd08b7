import type { LegacySession } from '../../../legacy/server/session.ts'
import type { Caller } from '../http-message.ts'
import type { Clock } from '../waiting-calls.ts'
import { HttpSession, type HttpSessionSettings } from './http-session.ts'

/** Bounds of the sessions that clients of the legacy era have. */
export interface SessionOptions {
  /** Sessions at the same time; 1,000 by default. */
  readonly max?: number | undefined
  /** Seconds without a request and without a connection after which a session ends; 1,800 by default. */
  readonly idle?: number | undefined
  /** Text of events that a session keeps for a client that lost its connection, in UTF-16 code units; 256 Ki by default. */
  readonly eventBuffer?: number | undefined
  /**
   * Seconds after which the connection of a call is ended, for its client to come back for the rest; never by default.
   * Only where the client's revision has it (2025-11-25, "SSE polling").
   */
  readonly pollAfter?: number | undefined
}

const MAX = 1000
const IDLE = 1800
const EVENT_BUFFER = 256 * 1024

/** The sessions of an endpoint. One timer for all of them, and none while there are none. */
export class Sessions {
  readonly #max: number
  readonly #idle: number
  readonly #settings: HttpSessionSettings
  readonly #keepAlive: number
  readonly #clock: Clock
  readonly #sessions = new Map<string, HttpSession>()
  #stop: (() => void) | undefined
  #seconds = 0

  /** @param keepAlive seconds between comments on a stream */
  constructor(options: SessionOptions, clock: Clock, keepAlive: number, heldLimit: number | undefined) {
    this.#settings = {
      eventBuffer: options.eventBuffer ?? EVENT_BUFFER,
      heldLimit,
      pollAfter: options.pollAfter,
    }
    this.#max = options.max ?? MAX
    this.#idle = options.idle ?? IDLE
    this.#keepAlive = keepAlive
    this.#clock = clock
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The session of this id, of this principal and nobody else's. */
  find(id: string, principal: string): HttpSession | undefined {
    const found = this.#sessions.get(id)
    return found?.principal === principal ? found : undefined
  }

  /**
   * Whether there is room for one more of a principal. For it one may end that has been quiet and without a client longest:
   * of the principal's own, so that who opens many pushes nobody else out, or of anybody's when it has none.
   */
  makeRoom(principal: string): boolean {
    if (this.#sessions.size < this.#max) return true
    const longest = [...this.#sessions.values()]
      .filter((one) => !one.connected)
      .sort((a, b) => Number(b.principal === principal) - Number(a.principal === principal) || b.quiet - a.quiet)[0]
    if (longest === undefined) return false
    this.end(longest, 'Its session made room for another')
    return true
  }

  add(caller: Caller, session: LegacySession): HttpSession {
    const added = new HttpSession(globalThis.crypto.randomUUID(), caller.principal, session, this.#settings)
    this.#sessions.set(added.id, added)
    session.watch(caller, (message) => added.tell(message))
    this.#stop ??= this.#clock.everySecond(() => this.#tick())
    return added
  }

  end(session: HttpSession, reason: string): void {
    if (!this.#sessions.delete(session.id)) return
    session.close(reason)
    if (this.#sessions.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  /** Nothing new is told: streams that belong to no request end. */
  close(): void {
    for (const session of this.#sessions.values()) session.endListening()
  }

  endAll(reason: string): void {
    for (const session of [...this.#sessions.values()]) this.end(session, reason)
  }

  #tick(): void {
    const keepAlive = ++this.#seconds % this.#keepAlive === 0
    for (const session of [...this.#sessions.values()]) {
      session.tick(keepAlive)
      if (session.quiet >= this.#idle) this.end(session, 'Its session was idle for too long')
    }
  }
}
