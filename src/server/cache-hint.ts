/**
 * How long and by whom a result may be kept (server/utilities/caching).
 */
export interface CacheHint {
  /** Milliseconds; 0 means that it is stale at once. */
  readonly ttlMs: number
  /** `public`: the same for every caller; `private`: for this principal alone. */
  readonly scope: 'public' | 'private'
}

/** What a result gets when nothing else is said, and what every result that took a person's answers gets. */
export const UNCACHED: CacheHint = { ttlMs: 0, scope: 'private' }
