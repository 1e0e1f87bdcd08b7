import type { Implementation } from '../protocol/meta.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { ReplayLimits } from '../replay/limits.ts'
import type { StateKeys } from '../token/key-ring.ts'
import type { TokenOptions } from '../token/token-codec.ts'
import type { CacheOptions } from './cache-hints.ts'
import type { Duration } from './duration.ts'
import type { LimiterOptions } from './limiter.ts'
import type { ServerLog } from './log.ts'
import type { SubscriptionOptions } from './subscription-options.ts'

/** Who the server is, as clients see it. */
export interface ServerInfo extends Implementation {
  /** Guidance for models on how to use this server, given by `server/discover`. */
  readonly instructions?: string
}

/** Keys of the state ring, or a function of the host's environment that gives them (T7). */
export type StateKeysOption = StateKeys | 'ephemeral' | ((env: Readonly<Record<string, unknown>>) => StateKeys)

/** How `requestState` is protected and how long it lives. */
export interface StateOptions {
  /** Secrets of ≥ 32 bytes: the first seals, all open. Absent: `RONDO_STATE_KEYS`, else a random one per process. */
  readonly keys?: StateKeysOption
  /** Own sealing, such as a KMS (T10). */
  readonly crypto?: NonNullable<TokenOptions['crypto']>
  /** What the state is bound to beside call and caller; the server's name by default. Set it where servers share keys. */
  readonly audience?: string
  /** How long one round may wait for its answers; 1 h by default. */
  readonly roundTtl?: Duration
  /** How long a call may take over all its rounds; 24 h by default. */
  readonly callTtl?: Duration
  /** Longest state either way, in bytes; 256 KiB by default (T5). */
  readonly maxBytes?: number
}

/** How a server behaves beside what it offers. Every option has a default. */
export interface ServerOptions {
  /** Revisions of the protocol that are served; all that Rondo speaks by default. */
  readonly revisions?: readonly Revision[]
  readonly state?: StateOptions
  /** `'unprotected'` sends and takes state as plain text: for tests, or where nothing depends on it (T4). */
  readonly requestState?: 'sealed' | 'unprotected'
  /** Bounds of a call (E18). */
  readonly limits?: Partial<ReplayLimits>
  /** What happens when a handler leaves an answered ask out (E16). */
  readonly onDivergence?: 'warn' | 'fail'
  /** Ends a call that asks inside a step, at the price of async context (E10). Default: where it is free. */
  readonly detectNesting?: boolean
  /** Items on a page of a list; 100 by default. */
  readonly pageSize?: number
  readonly cache?: CacheOptions
  /** Longest result of any method, in UTF-16 code units of its JSON text; 16 Mi by default. Beyond it: `RESULT_TOO_LARGE`. */
  readonly maxResultLength?: number
  /** Calls per principal; `false` switches the limiter off. */
  readonly rateLimit?: LimiterOptions | false
  /** How many may listen for changes (`subscriptions/listen`). */
  readonly subscriptions?: SubscriptionOptions
  /** Extensions this server supports: identifier → settings (basic/versioning, "Extension Negotiation"). */
  readonly extensions?: Readonly<Record<string, object>>
  /** Receives what an operator should know: one event per round, refusals with their reason, handler failures. */
  readonly log?: (event: ServerLog) => void
  /** Last look at log messages on their way to a client, to take secrets out; `undefined` drops the message. */
  readonly redact?: (data: unknown) => unknown
  /** Clock in milliseconds since 1970; for tests. */
  readonly now?: () => number
}
