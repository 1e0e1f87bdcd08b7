import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ElicitRequest, type ElicitResult } from './elicitation.ts'
import { EmbeddedRequest } from './embedded-request.ts'
import { copyJson, isPlainObject } from './json-copy.ts'
import { EMBEDDABLE_METHODS, type EmbeddableMethod } from './methods.ts'
import { type ListRootsRequest, type ListRootsResult } from './roots.ts'
import { type CreateMessageRequest, type CreateMessageResult } from './sampling.ts'

/** A request a server may embed (basic/patterns/mrtr, "InputRequests"). */
export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest

/** Embedded requests by the server's own keys. */
export interface InputRequests {
  readonly [key: string]: InputRequest
}

/** What a client answers to an embedded request. */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult

/** Answers by the keys of their requests. */
export interface InputResponses {
  readonly [key: string]: InputResponse
}

/** What an author may give: an object or a `Map`. Numbers for keys become strings. */
export type InputRequestsInput =
  { readonly [key: string | number]: InputRequest } | ReadonlyMap<string | number, InputRequest>

/** An embedded request that was checked, copied and frozen. */
export interface InputRequestEntry {
  readonly method: EmbeddableMethod
  readonly params?: JsonObject
}

/** Checked entries: frozen, without a prototype, in the author's order. */
export interface InputRequestMap {
  readonly [key: string]: InputRequestEntry
}

/**
 * Checks and copies an author's map of embedded requests, so that nothing done to it later reaches the wire: string keys,
 * entries of `method` and `params` alone, all of it frozen.
 *
 * @throws TypeError naming the key and what is wrong with its entry.
 * @see basic/patterns/mrtr, "Server Requirements", of the specification
 */
export function normalizeInputRequests(input: unknown): InputRequestMap {
  const map = Object.create(null) as Record<string, InputRequestEntry>
  if (isPlainObject(input)) {
    for (const symbol of Object.getOwnPropertySymbols(input)) {
      if (Object.prototype.propertyIsEnumerable.call(input, symbol)) throw notText(symbol)
    }
    for (const key of Object.keys(input)) map[key] = normalizeEntry(key, input[key])
    return Object.freeze(map)
  }
  if (!isMap(input)) throw new TypeError(`inputRequests must be an object or a Map, not ${describe(input)}`)
  for (const [key, entry] of Map.prototype.entries.call(input) as MapIterator<[unknown, unknown]>) {
    const name = keyName(key)
    if (Object.hasOwn(map, name)) throw new TypeError(`inputRequests has two entries under ${JSON.stringify(name)}`)
    map[name] = normalizeEntry(name, entry)
  }
  return Object.freeze(map)
}

function isMap(value: unknown): value is Map<unknown, unknown> {
  // By tag, for a Map of another realm.
  return value instanceof Map || Object.prototype.toString.call(value) === '[object Map]'
}

function keyName(key: unknown): string {
  if (typeof key === 'string') return key
  if (typeof key === 'number') return String(key)
  throw notText(key)
}

function notText(key: unknown): TypeError {
  return new TypeError(`inputRequests keys must be strings, not ${describe(key)}`)
}

function normalizeEntry(key: string, entry: unknown): InputRequestEntry {
  if (entry instanceof EmbeddedRequest) return entry
  const at = `inputRequests[${JSON.stringify(key)}]`
  if (!isPlainObject(entry))
    throw new TypeError(`${at} must be an object with method and params, not ${describe(entry)}`)
  const { method, params } = entry
  if (!isEmbeddable(method)) {
    throw new TypeError(`${at}.method must be one of ${EMBEDDABLE_METHODS.join(', ')}, not ${describe(method)}`)
  }
  if (params === undefined || params === null) return Object.freeze({ method })
  if (!isPlainObject(params)) throw new TypeError(`${at}.params must be an object or absent, not ${describe(params)}`)
  return Object.freeze({ method, params: copyJson(params, `${at}.params`) as JsonObject })
}

function isEmbeddable(method: unknown): method is EmbeddableMethod {
  return (EMBEDDABLE_METHODS as readonly unknown[]).includes(method)
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  const name = (value as { constructor?: { name?: unknown } }).constructor?.name
  return typeof name === 'string' && name !== 'Object' ? `an instance of ${name}` : 'an object'
}
