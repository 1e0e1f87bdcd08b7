import { type JsonObject } from '../jsonrpc/messages.ts'
import { type AudioContent, type ContentBlock, type ImageContent, type Role, type TextContent } from './content.ts'
import { type Meta } from './meta.ts'
import { type METHODS } from './methods.ts'
import { type Tool } from './tool.ts'

/** The model wants a tool called. */
export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly _meta?: Meta
}

/** What came of a tool the model wanted called. */
export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly toolUseId: string
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: Meta
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface SamplingMessage {
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
  readonly _meta?: Meta
}

/** Wishes for a model; the client decides. Priorities run from 0 to 1. */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

export interface ToolChoice {
  readonly mode?: 'auto' | 'required' | 'none'
}

/** Parameters of `sampling/createMessage` (client/sampling). */
export interface CreateMessageRequestParams {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: ModelPreferences
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly metadata?: JsonObject
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

/** A question to the client's model. */
export interface CreateMessageRequest {
  readonly method: typeof METHODS.samplingCreateMessage
  readonly params: CreateMessageRequestParams
}

/** What the client's model answered. */
export interface CreateMessageResult extends SamplingMessage {
  readonly model: string
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or the client's own. */
  readonly stopReason?: string
  readonly [key: string]: unknown
}

/** Whether `value` reads as a model's answer. */
export function isCreateMessageResult(value: unknown): value is CreateMessageResult {
  if (typeof value !== 'object' || value === null) return false
  const { role, content, model } = value as { role?: unknown; content?: unknown; model?: unknown }
  return isRole(role) && typeof model === 'string' && isSamplingContents(content)
}

/**
 * What breaks the rules of client/sampling in `params`, as one sentence, or `undefined` when nothing does.
 */
export function checkSamplingParams(params: unknown): string | undefined {
  return typeof params === 'object' && params !== null ? undefined : 'sampling params must be an object'
}

function isRole(value: unknown): value is Role {
  return value === 'user' || value === 'assistant'
}

function isSamplingContents(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isSamplingContent) : isSamplingContent(value)
}

function isSamplingContent(value: unknown): value is SamplingContent {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}
