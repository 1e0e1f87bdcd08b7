import { isInitialize, type LegacyRevisions, openSession } from '../../../legacy/server/open.ts'
import { receive, read } from '../../../legacy/server/receive.ts'
import { LegacySession } from '../../../legacy/server/session.ts'
import { encodeError } from '../../../jsonrpc/encode.ts'
import { isLegacyRevision } from '../../../protocol/revisions.ts'
import { unsupportedVersion } from '../../../server/envelope.ts'
import type { Reply } from '../../../server/exchange.ts'
import { after, type Maybe } from '../../../server/maybe.ts'
import { readText } from '../../read-text.ts'
import type { Receiver } from '../../receiver.ts'
import { VERSION_HEADER } from '../era.ts'
import { type Caller, HttpReply, type HttpRequest, JSON_HEADERS, NO_HEADERS, STREAM_HEADERS } from '../http-message.ts'
import { readAccept } from '../media-types.ts'
import { notAcceptable, refusal } from '../refusals.ts'
import type { HttpSession } from './http-session.ts'
import { LegacyCall, type LegacyCallSettings } from './legacy-call.ts'
import type { Sessions } from './sessions.ts'

/** A call of the legacy era that was handed on, and what will come of it. */
export interface Handed {
  readonly call: LegacyCall
  readonly reply: Maybe<Reply>
}

const SESSION_HEADER = 'mcp-session-id'

/** Streamable HTTP as the revisions with `initialize` have it (basic/transports of 2025-03-26 to 2025-11-25). */
export class LegacyHttp {
  readonly #receiver: Receiver
  readonly #served: LegacyRevisions
  readonly #settings: LegacyCallSettings
  /** None where the process may not outlive the request: each request is then its own session. */
  readonly #sessions: Sessions | undefined

  constructor(
    receiver: Receiver,
    served: LegacyRevisions,
    sessions: Sessions | undefined,
    settings: LegacyCallSettings,
  ) {
    this.#receiver = receiver
    this.#served = served
    this.#sessions = sessions
    this.#settings = settings
  }

  /**
   * Takes a request that is not of the modern era by its head.
   *
   * @returns `undefined` for one that is of no session and opens none
   */
  take(request: HttpRequest, caller: Caller, body: unknown): HttpReply | Handed | undefined {
    if (request.method !== 'POST')
      return this.#inSession(request, caller, (session) => this.#bodyless(request, session))
    if (request.header(SESSION_HEADER) !== undefined && this.#sessions !== undefined) {
      return this.#inSession(request, caller, (session) => {
        const call = new LegacyCall(request, caller, session, this.#settings)
        return { call, reply: receive(session.session, body, call) }
      })
    }
    const look = typeof body === 'string' ? readText(body).look : body
    return isInitialize(look) ? this.#initialize(request, caller, body) : this.#passing(request, caller, body)
  }

  #inSession(
    request: HttpRequest,
    { principal }: Caller,
    take: (session: HttpSession) => HttpReply | Handed,
  ): HttpReply | Handed {
    const id = request.header(SESSION_HEADER)
    if (id === undefined) return refusal(400, 'Mcp-Session-Id is missing: begin with initialize, by POST.')
    const session = this.#sessions?.find(id, principal)
    if (session === undefined)
      return refusal(404, 'There is no such session, or no more. Begin a new one with initialize.')
    const version = request.header(VERSION_HEADER)
    if (version !== undefined && !(isLegacyRevision(version) && this.#served.includes(version)))
      return this.#unsupported(version)
    session.touch()
    return take(session)
  }

  #initialize(request: HttpRequest, caller: Caller, body: unknown): HttpReply | Handed | undefined {
    const parsed = read(body)
    if (parsed.kind !== 'request') return undefined
    if (this.#sessions?.makeRoom(caller.principal) === false) {
      return refusal(503, 'There are as many sessions as this server may have.', ['retry-after', '60'])
    }
    const call = new LegacyCall(request, caller, undefined, this.#settings)
    const { session, reply } = openSession(this.#receiver, this.#served, parsed, call)
    if (session === undefined || this.#sessions === undefined) return { call, reply }
    const sessions = this.#sessions
    const opened = after(reply, (given) => {
      // An error opens nothing.
      if (session.established) call.opened(sessions.add(caller, session))
      return given
    })
    return { call, reply: opened }
  }

  /** Where no sessions are kept, a request that names its revision stands for itself; it cannot ask. */
  #passing(request: HttpRequest, caller: Caller, body: unknown): Handed | undefined {
    const version = request.header(VERSION_HEADER)
    if (this.#sessions !== undefined || !isLegacyRevision(version) || !this.#served.includes(version)) return undefined
    const call = new LegacyCall(request, caller, undefined, this.#settings)
    return { call, reply: receive(new LegacySession(this.#receiver, version, undefined), body, call) }
  }

  #bodyless(request: HttpRequest, session: HttpSession): HttpReply {
    if (request.method === 'DELETE') {
      this.#sessions?.end(session, 'Its client ended the session')
      return new HttpReply(204, NO_HEADERS)
    }
    if (!readAccept(request.header('accept')).events) return notAcceptable()
    const lastEventId = request.header('last-event-id')
    const stream = lastEventId === undefined ? session.listen() : session.resume(lastEventId)
    if (stream === undefined) return refusal(400, 'Last-Event-ID is none that this session has sent.')
    const { out } = stream
    request.onClose(() => stream.stream.lost(out))
    return new HttpReply(200, STREAM_HEADERS, undefined, out)
  }

  #unsupported(version: string): HttpReply {
    const error = unsupportedVersion(version, this.#receiver.revisions ?? [])
    return new HttpReply(error.status, JSON_HEADERS, encodeError(undefined, error.toJSON()))
  }
}
