import { type ResultMeta } from './meta.ts'

/** Values of `resultType` in the core protocol (basic/index, "ResultType"). */
export const ResultType = Object.freeze({ complete: 'complete', inputRequired: 'input_required' } as const)

/** A `resultType` of the core protocol. */
export type ResultType = (typeof ResultType)[keyof typeof ResultType]

/** What every result may have. Servers stamp `resultType`; a client takes an absent one for `complete`. */
export interface Result {
  readonly resultType?: string
  readonly _meta?: ResultMeta
  readonly [key: string]: unknown
}

/** Who may be given a cached result (server/utilities/caching). */
export type CacheScope = 'public' | 'private'

/** A result that says how long it may be kept. */
export interface CacheableResult extends Result {
  /** Milliseconds; 0 is stale at once. */
  readonly ttlMs?: number
  readonly cacheScope?: CacheScope
}

/** A page of a list. */
export interface PaginatedResult extends CacheableResult {
  /** Opaque; present, even when empty, if there may be more. */
  readonly nextCursor?: string
}
