import type { InputResponse } from '../protocol/input-requests.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { Implementation } from '../protocol/meta.ts'
import type { ElicitResult } from '../protocol/elicitation.ts'
import type { CreateMessageResult } from '../protocol/sampling.ts'
import type { ListRootsResult } from '../protocol/roots.ts'
import type { Ask } from './ask.ts'
import type { Duration } from './duration.ts'
import type { AuthInfo, HttpInfo } from './exchange.ts'
import type { Recorded } from './recorded.ts'

/** What this client declared that it can be asked. In the ask form it is what it declared in the first round (E11). */
export interface Can {
  readonly form: boolean
  readonly url: boolean
  readonly sample: boolean
  readonly sampleWithTools: boolean
  readonly roots: boolean
}

/** What a step's function is given. */
export interface StepTools {
  /**
   * The same when the same round is sent again with the same answers, another otherwise: hand it to the service that the
   * step calls, so that a step which ran but whose reply was lost is not done twice (E14).
   */
  readonly idempotencyKey: string
  /** Aborts when the call is cancelled or the step's time is over. */
  readonly signal: AbortSignal
  /** Sends a log message to the client at once, replay or not. */
  log(level: LoggingLevel, data: unknown, logger?: string): void
}

export interface StepOptions {
  /** Time the step may take; the attempt's limit by default. */
  readonly timeout?: Duration
}

export interface WaitOptions {
  /** How long to go on polling inside a round before the client is told to come back; 20 s by default, and 0 asks once a round. */
  readonly hold?: Duration
  /** Pause between two polls; 1 s by default. */
  readonly every?: Duration
}

/** Log messages for the client, by level. Sent only when this request asked for that level (server/utilities/logging). */
export type ContextLog = Readonly<Record<LoggingLevel, (data: unknown, logger?: string) => void>>

/** A client's answer as the return form reads it. */
export type InputResponseView =
  | { readonly kind: 'missing' }
  | { readonly kind: 'elicit'; readonly response: ElicitResult }
  | { readonly kind: 'sampling'; readonly response: CreateMessageResult }
  | { readonly kind: 'roots'; readonly response: ListRootsResult }

/**
 * What a handler is given beside its arguments. Every method may be taken off it (`const { ask } = ctx`).
 */
export interface Context {
  /** Puts a question to the client. See {@link Ask}. */
  readonly ask: Ask
  /** What this client can be asked. */
  readonly can: Can
  /** Stable over the rounds of a call: for the URL of an ask and the author's own keys. */
  readonly callId: string
  /** Name of the tool or prompt that is called, or URI of the resource that is read. */
  readonly target: string
  /** Who is calling; `''` is anonymous. */
  readonly principal: string
  /** What authentication found out beside the principal. */
  readonly auth: AuthInfo | undefined
  /** The HTTP request, where there is one. */
  readonly http: HttpInfo | undefined
  /** Aborts when the call is cancelled or the server stops; never because an attempt was suspended (E5). */
  readonly signal: AbortSignal
  /** Name and version the client gives itself; unverified. */
  readonly client: Implementation | undefined
  /** What this request declares. */
  readonly clientCapabilities: ClientCapabilities
  readonly protocolVersion: string
  /** `params._meta` as received. */
  readonly meta: Readonly<Record<string, unknown>>

  /**
   * A side effect whose result or failure is recorded, so that replay does not repeat it. Starts at once. What it gives
   * is the recorded form: JSON, parsed back (E10).
   */
  step<T>(name: string, run: (tools: StepTools) => T | PromiseLike<T>, options?: StepOptions): Promise<Recorded<T>>
  /**
   * Waits for something outside: polls until the function gives something other than `undefined`. When that takes longer
   * than `hold`, the round ends and the client comes back (a state-only result).
   */
  waitFor<T>(
    name: string,
    poll: (tools: { readonly signal: AbortSignal }) => T | undefined | PromiseLike<T | undefined>,
    options?: WaitOptions,
  ): PromiseLike<Recorded<T>>
  /** The same context with `prefix/` before every name: for helper libraries. */
  scope(prefix: string): Context
  /** Runs at the end of every attempt, suspended ones included; last in, first out (E5). */
  onAttemptEnd(run: () => void | PromiseLike<void>): void
  /** Milliseconds since 1970, recorded when first read: the same in every attempt (E15). */
  now(): number
  /** 0 ≤ x < 1, recorded like {@link now}. */
  random(): number
  /** A random UUID, recorded like {@link now}. */
  uuid(): string

  /** Reports progress, if this request asked for it. Must increase; lower values are dropped. */
  progress(progress: number, total?: number, message?: string): void
  /** Log messages for the client. */
  readonly log: ContextLog
  /**
   * `url` with a signature of the call and its principal added, for a URL ask: who opens it can then be checked against
   * who was asked, with `server.verifyUrl()` (client/elicitation, "Identifying the User").
   */
  signUrl(url: string | URL): Promise<string>

  /**
   * Return form: the raw answers of this round, or `undefined`. Frozen, without prototype. In the ask form what the asks
   * awaited so far have given; reading it before the first of them is mixing the forms (`FORMS_MIXED`).
   */
  readonly inputResponses: Readonly<Record<string, InputResponse>> | undefined
  /** One of {@link inputResponses}, by kind; `missing` when it is not there or cannot be read. */
  inputResponse(key: string | number): InputResponseView
  /** Return form: the state the handler returned in the round before; `undefined` in the first. */
  readonly requestState: string | undefined
}
