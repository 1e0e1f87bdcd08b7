import type { JsonObject } from '../jsonrpc/messages.ts'
import type { ContentBlock } from '../protocol/content.ts'

const BRAND: unique symbol = Symbol.for('rondo.full-result')

/** A result written out in full, told from data by its brand and never by its shape. */
export interface FullResult<T extends object = object> {
  readonly [BRAND]: true
  readonly body: T
}

/** Members a tool may set itself (server/tools, "Tool Result"). */
export interface ToolResultBody {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Readonly<JsonObject>
}

/**
 * A full result: what a handler returns when a text, a block or a value will not do.
 *
 * @example return result({ content: [{ type: 'text', text: 'Done' }], _meta: { 'com.example/took': 12 } })
 */
export function result<T extends object>(body: T): FullResult<T> {
  return { [BRAND]: true, body }
}

/** A tool error: the call's outcome is that it failed, and the caller's model reads why (`isError: true`). */
export function fail(why: string | readonly ContentBlock[]): FullResult<ToolResultBody> {
  // Anything else becomes a block too, and is refused with the result.
  const content: readonly ContentBlock[] = Array.isArray(why) ? why : [{ type: 'text', text: why as string }]
  return result({ content, isError: true })
}

/** Whether `value` was made by {@link result} or {@link fail}, of this copy of the module or another. */
export function isFullResult(value: unknown): value is FullResult {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
}
