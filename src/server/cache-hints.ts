import { shown } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { UNCACHED, type CacheHint } from './cache-hint.ts'
import { checkOptions, refuse } from './definition.ts'
import { parseDuration, type Duration } from './duration.ts'

/** How long and by whom a result may be kept; what is absent comes from the next wider option. */
export interface CacheHintOptions {
  /** Milliseconds, or a text such as `'5 min'`; 0 means stale at once. */
  readonly ttlMs?: Duration | undefined
  /** `public`: any cache may hand it to anybody. `private`: it stays with this authorization. */
  readonly scope?: 'public' | 'private' | undefined
}

/** What of a server's results can be cached. */
export type CacheKind = 'discover' | 'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'read'

/** The server's `cache` option: hints for everything, and for one kind of result. */
export interface CacheOptions extends CacheHintOptions, Readonly<Partial<Record<CacheKind, CacheHintOptions>>> {}

/** Hints by kind of result. */
export type CacheHints = Readonly<Record<CacheKind, CacheHint>>

const MINUTE: CacheHint = { ttlMs: 60_000, scope: 'public' }

/**
 * What holds when nothing is said: lists are the same for everybody and change seldom, contents may be anybody's.
 *
 * @see server/utilities/caching, "Choosing a Cache Scope", of the specification
 */
export const DEFAULT_CACHE_HINTS: CacheHints = {
  discover: MINUTE,
  tools: MINUTE,
  prompts: MINUTE,
  resources: MINUTE,
  resourceTemplates: MINUTE,
  read: UNCACHED,
}

const KINDS = Object.keys(DEFAULT_CACHE_HINTS) as CacheKind[]

/**
 * Checks the server's `cache` option and fills what is absent.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function cacheHints(options: CacheOptions | undefined): CacheHints {
  if (options === undefined) return DEFAULT_CACHE_HINTS
  const where = 'Option cache'
  checkOptions(options, ['ttlMs', 'scope', ...KINDS], where)
  const { ttlMs, scope } = options
  checkCacheHint({ ttlMs, scope }, where)
  const hints = KINDS.map((kind): [CacheKind, CacheHint] => {
    checkCacheHint(options[kind], `${where}.${kind}`)
    return [kind, narrow(narrow(DEFAULT_CACHE_HINTS[kind], { ttlMs, scope }), options[kind])]
  })
  return Object.fromEntries(hints) as CacheHints
}

/** A hint with what a narrower option says put over it. The option has been checked. */
function narrow(hint: CacheHint, options: CacheHintOptions | undefined): CacheHint {
  if (options === undefined) return hint
  return { ttlMs: ttl(options.ttlMs) ?? hint.ttlMs, scope: options.scope ?? hint.scope }
}

/**
 * The hint of what was read from a resource. What not everybody may see is private, whatever else is said
 * (server/utilities/caching, "Security Considerations").
 */
export function readHint(
  hints: CacheHints,
  entry: { readonly cache: CacheHintOptions | undefined; readonly visible: unknown },
): CacheHint {
  const hint = narrow(hints.read, entry.cache)
  return entry.visible === undefined || hint.scope === 'private' ? hint : { ttlMs: hint.ttlMs, scope: 'private' }
}

/** @throws RondoError `DEFINITION_INVALID` */
export function checkCacheHint(options: CacheHintOptions | undefined, where: string): void {
  if (options === undefined) return
  if (!isJsonObject(options)) refuse(where, "cache must be an object, such as { ttlMs: '5 min', scope: 'public' }.")
  if (options.ttlMs !== undefined && ttl(options.ttlMs) === undefined) {
    refuse(where, "ttlMs must be a whole number of milliseconds from 0 up, or a text such as '5 min'.")
  }
  if (options.scope !== undefined && options.scope !== 'public' && options.scope !== 'private') {
    refuse(where, `scope must be 'public' or 'private', not ${shown(options.scope)}.`)
  }
}

/** Whole milliseconds: the wire takes an integer. */
function ttl(value: unknown): number | undefined {
  if (value === 0) return 0
  const ms = parseDuration(value)
  return ms === undefined ? undefined : Math.ceil(ms)
}
