import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { type ElicitResult } from '../protocol/elicitation.ts'
import { type METHODS } from '../protocol/methods.ts'
import { type GetPromptResult } from '../protocol/prompt.ts'
import { type ReadResourceResult } from '../protocol/resource.ts'
import { type ListRootsResult } from '../protocol/roots.ts'
import { type CreateMessageResult } from '../protocol/sampling.ts'
import { type CallToolResult } from '../protocol/tool.ts'

/** Methods whose result may ask (basic/patterns/mrtr, "Supported Requests"). */
export type RoundMethod = (typeof METHODS)['toolsCall' | 'promptsGet' | 'resourcesRead']

/** The complete result of each of them. */
export interface RoundResults {
  readonly [METHODS.toolsCall]: CallToolResult
  readonly [METHODS.promptsGet]: GetPromptResult
  readonly [METHODS.resourcesRead]: ReadResourceResult
}

/** One question of a round: an embedded request, as received. */
export interface InputRequest {
  readonly method: string
  readonly params?: JsonObject
}

/** An answer as it goes on the wire. */
export type Answer = ElicitResult | CreateMessageResult | ListRootsResult

/** Answers by the server's key. */
export type Answers = Readonly<Record<string, Answer>>

/** The request that started a call, without this round's answers and token, and without `_meta`. */
export interface OriginalRequest<M extends RoundMethod = RoundMethod> {
  readonly method: M
  readonly params: JsonObject
}

/**
 * A call that waits for answers. Plain JSON: it survives `JSON.parse(JSON.stringify(round))` and can be resumed by any
 * client of the same server, in any process, until it expires.
 */
export interface Round<M extends RoundMethod = RoundMethod> {
  readonly kind: 'input_required'
  readonly request: OriginalRequest<M>
  /** Which of the call's rounds this is; the first is 1. */
  readonly round: number
  /** The questions by the server's key; empty for a state-only round, which is to be resumed a little later with no answers. */
  readonly asks: Readonly<Record<string, InputRequest>>
  /** The continuation token (`requestState`), absent when the server gave none. Opaque: pass it on byte for byte. */
  readonly token?: string
  /** When the round expires, in milliseconds since the epoch, if the server said so. */
  readonly expires?: number
  /** What the call declared, so that the retry declares the same. */
  readonly capabilities: ClientCapabilities
}

/** A call that is done. */
export interface Completed<M extends RoundMethod = RoundMethod> {
  readonly kind: 'complete'
  readonly result: RoundResults[M]
}

/** What a round came to. */
export type RoundOutcome<M extends RoundMethod = RoundMethod> = Completed<M> | Round<M>
