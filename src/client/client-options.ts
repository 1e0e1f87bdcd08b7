import { type AnyRondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { type LoggingLevel } from '../protocol/logging.ts'
import { type Implementation } from '../protocol/meta.ts'
import { type Schema } from '../protocol/standard-schema.ts'
import { type ClientHost } from './client-host.ts'
import { type AskingServer, type AskKind, type CallInfo, type Handlers } from './handlers.ts'
import { type Answers } from './round.ts'

/** A progress notification of a request (basic/patterns/progress). */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** A log message of a request (server/utilities/logging). */
export interface LogMessage {
  readonly level: LoggingLevel
  readonly logger?: string
  readonly data: unknown
}

/** What the client says of itself to its operator. */
export interface ClientLog {
  readonly level: 'debug' | 'warn' | 'error'
  readonly code: 'TOOL_EXCLUDED' | 'VERSION_RETRIED' | 'HEADERS_RETRIED'
  readonly message: string
  readonly data?: unknown
}

/** Limits and ways that hold for a client, or for one call. */
export interface CallLimits {
  /** Milliseconds without a reply or a progress notification before one request is given up; 60 000. `0` turns it off. Never runs while an ask is open. */
  readonly timeout?: number | undefined
  /** Milliseconds for one request whatever its progress; 600 000. `0` turns it off. */
  readonly maxTimeout?: number | undefined
  /** Asking rounds that a call may take; 100. */
  readonly maxRounds?: number | undefined
  /** Asks that one round may have; 100. */
  readonly maxAsks?: number | undefined
  /** Milliseconds that a call may spend in state-only rounds in a row; 900 000. */
  readonly maxWait?: number | undefined
  /** Put the asks of a round one after another instead of together. */
  readonly serial?: boolean | undefined
}

/** A call that waits for its server, not for an answer. */
export interface Wait {
  /**
   * `no-reply`: the server has not replied to the round for a second. `state-only`: it replied that it wants to be asked
   * again later, and will be after a pause.
   */
  readonly reason: 'no-reply' | 'state-only'
  readonly call: CallInfo
  /** Which of the call's rounds waits; the first is 1. */
  readonly round: number
  readonly server: AskingServer
}

/** Tells a host that a call waits, so that it can show it. */
export interface WaitListener {
  /**
   * Called at most once per round and reason. The wait is over when an ask is put to a handler or the call settles. What
   * it throws ends the call.
   */
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** A later round that could not be brought to the server: it cannot be reached, went away, or did not reply in time. */
export interface Undelivered {
  /** What went wrong. */
  readonly error: AnyRondoError
  /** The answers, by the key of their ask; none for a round that only waits. */
  readonly answers: Answers
  readonly call: CallInfo
  /** The round that asked. */
  readonly round: number
  readonly server: AskingServer
}

/** Lets a host keep a call alive whose server is gone for a while. */
export interface DeliveryListener {
  /**
   * Called each time a later round could not be delivered. True sends it again, at once: wait, or ask somebody, before.
   * False ends the call with the `InputRequiredError` that has the round and its answers. What it throws ends the call.
   */
  readonly onUndelivered?: ((lost: Undelivered) => boolean | Promise<boolean>) | undefined
}

/** Options of `connect`. */
export interface ClientOptions extends Handlers, CallLimits, WaitListener, DeliveryListener {
  /** Who the client says it is; `{ name: 'rondo', version }` unless given. `false` keeps it to itself. */
  readonly clientInfo?: Implementation | false | undefined
  /** Asks that the host answers by hand, with `startTool` and `resume`, beside those it has handlers for. */
  readonly asks?: readonly AskKind[] | undefined
  /** Further capabilities to declare: `extensions`, `experimental`, `sampling.context`. */
  readonly capabilities?: ClientCapabilities | undefined
  /** Headers for every HTTP request; a function is asked for each. */
  readonly headers?: HeaderSource | undefined
  /** Milliseconds for the first contact; 10 000. A stdio server that is silent for so long is taken for a legacy one. */
  readonly connectTimeout?: number | undefined
  /** Where warnings go. Silent unless given. */
  readonly log?: ((entry: ClientLog) => void) | undefined
  /** Clock, timers and chance; for tests. */
  readonly host?: ClientHost | undefined
}

/** Header values by name, or a function that gives them. */
export type HeaderSource = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)

/** Options of one request. */
export interface RequestCallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly maxTimeout?: number | undefined
  /** Asks the server for progress and is called with it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called with the request's log messages; asks for level `info` unless `logLevel` is given. */
  readonly onLog?: ((message: LogMessage) => void) | undefined
  readonly logLevel?: LoggingLevel | undefined
  /** Further `_meta` entries. */
  readonly meta?: JsonObject | undefined
  /** Headers for this request alone, over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Exactly what this request declares to be able to answer, instead of what follows from the handlers. */
  readonly asks?: readonly AskKind[] | undefined
}

/** Options of a call, which may take several rounds. Handlers given here stand in for the client's. */
export interface CallOptions extends RequestCallOptions, CallLimits, Handlers, WaitListener, DeliveryListener {}

/** Options of a tool call; `output` checks and types the structured result. */
export interface ToolCallOptions<S extends Schema | undefined = undefined> extends CallOptions {
  readonly output?: S
}

/** Options of `resume`. */
export interface ResumeOptions extends RequestCallOptions {
  /** Send answers for some of the asks only; the server asks for the rest again. */
  readonly partial?: boolean | undefined
}
