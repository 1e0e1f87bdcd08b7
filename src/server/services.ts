import type { Attempt } from '../replay/attempt.ts'
import type { CacheHints } from './cache-hints.ts'
import type { Continuation } from './continuation.ts'
import type { Limiter } from './limiter.ts'
import type { Logger } from './log.ts'
import type { Middleware } from './middleware.ts'
import type { ServerOptions } from './options.ts'
import type { Registry } from './registry.ts'
import type { Listed, Roster } from './roster.ts'
import type { Stamp } from './stamp.ts'

/** A round under way. */
export interface RunningRound extends Listed {
  readonly attempt: Attempt
}

/** What the parts of one server share. Built once; requests only read it. */
export interface Services {
  readonly options: ServerOptions
  readonly registry: Registry
  readonly continuation: Continuation
  readonly limiter: Limiter | undefined
  readonly middleware: readonly Middleware[]
  readonly stamp: Stamp
  readonly cacheHints: CacheHints
  readonly log: Logger
  /** Attempts under way, for a stop of the server. */
  readonly running: Roster<RunningRound>
  /** Whether the server was stopped and takes no more requests. */
  closed(): boolean
}
