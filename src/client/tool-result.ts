import { type InferOutput, type Schema } from '../protocol/standard-schema.ts'
import { type CallToolResult } from '../protocol/tool.ts'

/**
 * Result of a tool call. Without an output schema its `structuredContent` is `unknown`; with one it was checked, and is
 * typed wherever `isError` is not `true`.
 */
export type ToolResult<S extends Schema | undefined = undefined> = S extends Schema
  ? | (Omit<CallToolResult, 'structuredContent' | 'isError'> & {
        readonly isError?: false
        readonly structuredContent: InferOutput<S>
      })
    | (Omit<CallToolResult, 'structuredContent' | 'isError'> & {
        readonly isError: true
        readonly structuredContent?: unknown
      })
  : CallToolResult
