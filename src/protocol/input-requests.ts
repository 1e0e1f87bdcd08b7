import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ElicitRequest, type ElicitResult } from './elicitation.ts'
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

/** What an author may give: a map of some kind, entries not yet checked. */
export type InputRequestsInput =
  { readonly [key: string | number]: InputRequest } | ReadonlyMap<string | number, InputRequest>

/** An embedded request that was checked, copied and frozen. */
export interface InputRequestEntry {
  readonly method: EmbeddableMethod
  readonly params?: JsonObject
}

/** Checked entries: frozen, without a prototype, keys in the author's order. */
export interface InputRequestMap {
  readonly [key: string]: InputRequestEntry
}

/**
 * Checks and copies an author's map of embedded requests: string keys, entries of `{ method, params }`, all frozen.
 *
 * @throws TypeError naming the key and what is wrong with it.
 */
export function normalizeInputRequests(input: unknown): InputRequestMap {
  void input
  void EMBEDDABLE_METHODS
  return Object.freeze(Object.create(null) as InputRequestMap)
}
