import { type ContentBlock } from './content.ts'
import { type Icon, type Meta, type Named } from './meta.ts'
import { type PaginatedResult, type Result } from './result-type.ts'

/** Hints on what a tool does. Untrusted, unless the server is trusted. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as it is listed (server/tools). */
export interface Tool extends Named {
  readonly description?: string
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  readonly outputSchema?: { readonly [keyword: string]: unknown }
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

/** Complete result of `tools/call`. */
export interface CallToolResult extends Result {
  readonly content: readonly ContentBlock[]
  /** Any JSON value, fitting the tool's `outputSchema`. */
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

export interface ListToolsResult extends PaginatedResult {
  readonly tools: readonly Tool[]
}
