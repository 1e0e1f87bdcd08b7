import { WireError } from '../errors/wire-error.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { Change } from './changes.ts'
import type { Registry } from './registry.ts'
import type { Caller } from './visible.ts'

/** What a client wants to hear of (basic/patterns/subscriptions, "Notification Filter"). */
export interface SubscriptionFilter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  /** Not empty. */
  readonly resourceSubscriptions?: readonly string[]
}

const LISTS = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const
const MEMBERS = Object.keys(LISTS) as (keyof typeof LISTS)[]

/**
 * What of a filter can be honoured: lists that the server has, and resources that are there for this caller. Members that
 * are not known here are passed by.
 *
 * @param most URIs that one filter may name
 * @throws WireError `INVALID_PARAMS`
 */
export function honoured(given: unknown, registry: Registry, caller: Caller, most: number): SubscriptionFilter {
  if (!isJsonObject(given)) throw invalid('notifications must be an object')
  const filter: { -readonly [K in keyof SubscriptionFilter]: SubscriptionFilter[K] } = {}
  for (const member of MEMBERS) {
    const wanted = given[member]
    if (wanted !== undefined && typeof wanted !== 'boolean') throw invalid(`${member} must be true or false`)
    if (wanted === true && registry.offers(LISTS[member])) filter[member] = true
  }
  const uris = given['resourceSubscriptions'] ?? []
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
    throw invalid('resourceSubscriptions must be a list of URIs')
  }
  if (uris.length > most) throw invalid(`resourceSubscriptions may name ${most} URIs at most`)
  const known = [...new Set<string>(uris)].filter((uri) => registry.knows(uri, caller))
  if (known.length > 0) filter.resourceSubscriptions = known
  return filter
}

/** Whether a filter lets nothing through. */
export function isEmpty(filter: SubscriptionFilter): boolean {
  return Object.keys(filter).length === 0
}

/** Says of each change whether a filter lets it through, and a resource is still there for the caller. */
export function passing(filter: SubscriptionFilter, registry: Registry, caller: Caller): (change: Change) => boolean {
  const kinds = new Set<string>(MEMBERS.filter((member) => filter[member]).map((member) => LISTS[member]))
  const uris = new Set(filter.resourceSubscriptions)
  return (change) =>
    change.kind === 'resource' ? uris.has(change.uri) && registry.knows(change.uri, caller) : kinds.has(change.kind)
}

function invalid(why: string): WireError {
  return new WireError('INVALID_PARAMS', `Invalid params: ${why}`)
}
