import type { WireErrorObject } from '../errors/wire-error.ts'
import type { RequestId } from '../jsonrpc/messages.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { InputRequest } from '../protocol/input-requests.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { Implementation } from '../protocol/meta.ts'
import type { ServerLog } from './log.ts'

/** What the transport knows of the caller, beside the principal: handed to handlers as `ctx.auth`. */
export type AuthInfo = Readonly<Record<string, unknown>>

/** The part of an HTTP request that dispatch and handlers may read. */
export interface HttpInfo {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  /** Value of a header by its lower-case name; several lines of one name are joined with `, `. */
  header(name: string): string | undefined
}

/** Sends one request of the server's own to the client, and gives its result. */
export type AskClient = (request: InputRequest, signal: AbortSignal) => Promise<unknown>

/** What an `initialize` session established for its requests. */
export interface LegacyExchange {
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  readonly clientInfo?: Implementation | undefined
  /** What `logging/setLevel` said last. */
  readonly logLevel?: LoggingLevel | undefined
  /**
   * Sends a request of the server's own to the client, tied to the request at hand, and gives its result. Rejects with a
   * RondoError when the client answers with an error, is gone, or `signal` aborts. Absent where the client cannot be asked.
   */
  readonly request?: AskClient | undefined
  /** What the session's revision is told in the place of a result: JSON text to JSON text. */
  render?(method: string, resultText: string): string
  /** The same of an error. */
  renderError?(method: string, error: WireErrorObject): WireErrorObject
  /** `resources/subscribe` for a resource that is there for this caller. Throws a WireError where there are too many. */
  subscribe?(uri: string): void
  unsubscribe?(uri: string): void
}

/** What `rondo/testing` sets for the requests it makes, and is told about them. */
export interface TestSetting {
  /** What holds when neither the handler nor the server says (E16). */
  readonly onDivergence: 'warn' | 'fail'
  /** The same, for asks and steps inside steps (E10). */
  readonly detectNesting: boolean
  /** Clock in milliseconds since 1970, instead of the server's. */
  now(): number
  /** Milliseconds that every wait polls inside a round, whatever it says itself. */
  readonly hold?: number | undefined
  /** Given the journal that a suspended round leaves behind. */
  suspended?(journalText: string): void
  /** Given what the server's log is given about the request: refusals with their reason, failures with their error. */
  log?(event: ServerLog): void
}

/**
 * One message's way in and its notifications' way out: what a transport hands to `server.handle()`.
 * Everything is optional, so that a test can pass `{}`.
 */
export interface Exchange {
  /** Who is calling, as authentication established it; `''` (the default) is anonymous. */
  readonly principal?: string
  readonly auth?: AuthInfo | undefined
  /** The host's environment for this request, where it comes with each request (Workers bindings). */
  readonly env?: Readonly<Record<string, unknown>> | undefined
  /**
   * True where the process may not outlive the request (Workers, Lambda): a random state key made here would be lost
   * before the next round.
   */
  readonly perRequestHost?: boolean
  /**
   * Given by a legacy era adapter: what its session negotiated. The modern envelope is then neither asked for nor
   * checked, and results carry nothing the session's revision does not know.
   */
  readonly legacy?: LegacyExchange
  readonly testing?: TestSetting | undefined
  /** Given by HTTP transports: header rules then apply (basic/transports/streamable-http, "Server Validation"). */
  readonly http?: HttpInfo
  /** Sends one JSON-RPC notification (its JSON text) that belongs to this request, ahead of the reply. */
  notify?(message: string): void
  /**
   * Registers what to call when the caller cancels this request or goes away. Called at most once per message, only
   * when a handler starts; the listener is dropped when the reply is given.
   */
  onCancel?(listener: (reason?: string) => void): void
  /**
   * Registers what to call when the transport closes and ends requests that last as long as their client listens. Called at
   * most once per message.
   */
  onEnd?(listener: (reason: string) => void): void
  /** Cancels another request of the same connection (`notifications/cancelled`, stdio and memory only). */
  cancel?(id: RequestId, reason?: string): void
}

/** What came of one message. */
export interface Reply {
  /** HTTP status for it: 200, 202 for a notification, 4xx as the specification says. 0: no reply may be sent. */
  readonly status: number
  /** JSON text of the response; `undefined` for a notification and for a cancelled request. */
  readonly body: string | undefined
}
