import {
  isInitialize,
  isOfModernEra,
  type LegacyRevisions,
  legacyRevisions,
  openSession,
} from '../legacy/server/open.ts'
import { read, receive } from '../legacy/server/receive.ts'
import type { SessionRoute } from '../legacy/server/session-call.ts'
import type { LegacySession } from '../legacy/server/session.ts'
import type { Reply } from '../server/exchange.ts'
import { after, type Maybe } from '../server/maybe.ts'
import type { Receiver } from './receiver.ts'

/**
 * The legacy era on a channel of one client: `initialize` begins its one session, and whatever does not say that it is of
 * the modern era belongs to that session from there on.
 */
export class LegacyConnection {
  readonly #receiver: Receiver
  readonly #served: LegacyRevisions | undefined
  #session: LegacySession | undefined

  constructor(receiver: Receiver) {
    this.#receiver = receiver
    this.#served = legacyRevisions(receiver.revisions)
  }

  /** Whether a message, as it was parsed, is for the session or begins it. */
  takes(message: unknown): boolean {
    if (this.#session === undefined) return this.#served !== undefined && isInitialize(message)
    return !isOfModernEra(message)
  }

  /**
   * Hands on a message that {@link takes} said yes to.
   *
   * @param tell sends what belongs to no request
   */
  receive(message: unknown, route: SessionRoute, tell: (message: string) => void): Maybe<Reply> {
    if (this.#session !== undefined) return receive(this.#session, message, route)
    const parsed = read(message)
    if (parsed.kind !== 'request' || this.#served === undefined) return this.#receiver.handle(message, {})
    const { session, reply } = openSession(this.#receiver, this.#served, parsed, route)
    this.#session = session
    return after(reply, (given) => {
      // An error opens nothing.
      if (session?.established !== true) this.#session = undefined
      else session.watch(route, tell)
      return given
    })
  }

  /** The client is gone. */
  close(reason: string): void {
    this.#session?.close(reason)
    this.#session = undefined
  }
}
