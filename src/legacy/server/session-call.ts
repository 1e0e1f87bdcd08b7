import type { WireErrorObject } from '../../errors/wire-error.ts'
import type { RequestId } from '../../jsonrpc/messages.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { Implementation } from '../../protocol/meta.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'
import type { AskClient, AuthInfo, Exchange, HttpInfo, LegacyExchange } from '../../server/exchange.ts'
import { askIn } from './ask-shape.ts'
import { legacyError } from './error-shape.ts'
import { notificationIn } from './notification-shape.ts'
import { renderingOf } from './render.ts'
import type { ClientRequests } from './client-requests.ts'

/** The way a request of a session came, which is the way back for all that belongs to it. */
export interface SessionRoute {
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly env?: Readonly<Record<string, unknown>> | undefined
  readonly perRequestHost?: boolean
  readonly http?: HttpInfo | undefined
  /** Sends a message that is not the reply, ahead of it. `false`: it cannot get to the client. Never throws. */
  send(message: string): boolean
  /** Whether the client can be asked on this way: it needs a session, by which its answer finds the call. */
  readonly asks: boolean
}

/** What a call reads of its session. */
export interface CallSession {
  readonly revision: LegacyRevision
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation | undefined
  readonly logLevel: LoggingLevel
  readonly requests: ClientRequests
  subscribe(uri: string): void
  unsubscribe(uri: string): void
}

/** One request of a session on its way through the server. */
export class SessionCall implements Exchange, LegacyExchange {
  readonly id: RequestId
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly env: Readonly<Record<string, unknown>> | undefined
  readonly perRequestHost: boolean
  readonly http?: HttpInfo
  readonly protocolVersion: string
  readonly request: AskClient | undefined
  readonly #session: CallSession
  readonly #route: SessionRoute
  #onCancel: ((reason?: string) => void) | undefined
  #cancelled: { readonly reason: string | undefined } | undefined
  #over = false
  #failed = false

  constructor(id: RequestId, session: CallSession, route: SessionRoute) {
    this.id = id
    this.principal = route.principal
    this.auth = route.auth
    this.env = route.env
    this.perRequestHost = route.perRequestHost === true
    if (route.http !== undefined) this.http = route.http
    this.protocolVersion = session.revision
    this.request = route.asks ? (request, signal) => this.#ask(request, signal) : undefined
    this.#session = session
    this.#route = route
  }

  get legacy(): LegacyExchange {
    return this
  }

  get capabilities(): ClientCapabilities {
    return this.#session.capabilities
  }

  get clientInfo(): Implementation | undefined {
    return this.#session.clientInfo
  }

  get logLevel(): LoggingLevel {
    return this.#session.logLevel
  }

  /** Whether its client took it back: it gets no response. */
  get cancelled(): boolean {
    return this.#cancelled !== undefined
  }

  notify(message: string): void {
    if (!this.#over) this.#route.send(notificationIn(this.#session.revision, message))
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#cancelled === undefined) this.#onCancel = listener
    else listener(this.#cancelled.reason)
  }

  render(method: string, resultText: string): string {
    return renderingOf(this.#session.revision)(method, resultText)
  }

  /** Whether it came to an error. */
  get failed(): boolean {
    return this.#failed
  }

  renderError(method: string, error: WireErrorObject): WireErrorObject {
    this.#failed = true
    return legacyError(method, error)
  }

  subscribe(uri: string): void {
    this.#session.subscribe(uri)
  }

  unsubscribe(uri: string): void {
    this.#session.unsubscribe(uri)
  }

  /** The client took it back, or is gone: the handler learns of it within this turn (H4). */
  stop(reason?: string): void {
    if (this.#over || this.#cancelled !== undefined) return
    this.#cancelled = { reason }
    const listener = this.#onCancel
    this.#onCancel = undefined
    listener?.(reason)
  }

  /** Its reply is there: nothing more goes out before it. */
  end(): void {
    this.#over = true
    this.#onCancel = undefined
  }

  async #ask(request: InputRequest, signal: AbortSignal): Promise<unknown> {
    const { revision, requests } = this.#session
    const { method } = request
    const params = askIn(revision, request)
    return requests.ask({ method, params }, signal, (text) => this.#route.send(text))
  }
}
