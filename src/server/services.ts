import type { Revision } from '../protocol/revisions.ts'
import type { CacheHints } from './cache-hints.ts'
import type { Changes } from './changes.ts'
import type { Continuation } from './continuation.ts'
import type { Limiter } from './limiter.ts'
import type { Logger } from './log.ts'
import type { Middleware } from './middleware.ts'
import type { ServerOptions } from './options.ts'
import type { Registry } from './registry.ts'
import type { Listed, Roster } from './roster.ts'
import type { Stamp } from './stamp.ts'

/** A handler under way. */
export interface Running extends Listed {
  /** Signals it that nobody waits for it any more. */
  stop(reason: string): void
}

/** What the parts of one server share. Built once; requests only read it. */
export interface Services {
  readonly options: ServerOptions
  /** What is served, newest first. */
  readonly revisions: readonly Revision[]
  readonly registry: Registry
  readonly changes: Changes
  readonly continuation: Continuation
  readonly limiter: Limiter | undefined
  readonly middleware: readonly Middleware[]
  readonly stamp: Stamp
  readonly cacheHints: CacheHints
  readonly log: Logger
  /** Handlers under way, for a stop of the server. */
  readonly running: Roster<Running>
  /** Whether the server was stopped and takes no more requests. */
  closed(): boolean
}
