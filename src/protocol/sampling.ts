import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from './capabilities.ts'
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

/**
 * What breaks the rules of client/sampling in `params`, as one sentence, or `undefined` when nothing does.
 *
 * @param declared What the client declared; when given, context that it did not declare may not be asked for.
 * @see client/sampling, "Message Content Constraints", of the specification
 */
export function checkSamplingParams(params: unknown, declared?: ClientCapabilities): string | undefined {
  if (!isJsonObject(params)) return 'sampling params must be an object'
  const { messages, includeContext } = params
  const badMember = MEMBERS.find(([name, check]) => params[name] !== undefined && !check(params[name]))
  if (badMember !== undefined) return `${badMember[0]} must be ${badMember[2]}`
  if (params['maxTokens'] === undefined) return 'maxTokens is required'
  if (!Array.isArray(messages)) return 'messages must be an array'
  const bad = messages.findIndex((message) => !isSamplingMessage(message))
  if (bad !== -1) return `messages[${bad}] must have a role, user or assistant, and whole content blocks`
  if (
    includeContext !== undefined &&
    includeContext !== 'none' &&
    declared &&
    declared.sampling?.context === undefined
  ) {
    return `includeContext "${String(includeContext)}" needs the capability sampling.context, which the client did not declare`
  }
  return checkToolBalance(messages as SamplingMessage[])
}

/** Members of the params that have rules of their own: the rule, and how to say it. */
const MEMBERS: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
  ['maxTokens', (value) => Number.isInteger(value) && (value as number) > 0, 'a whole number above 0'],
  ['systemPrompt', (value) => typeof value === 'string', 'text'],
  ['temperature', (value) => Number.isFinite(value), 'a number'],
  [
    'includeContext',
    (value) => ['none', 'thisServer', 'allServers'].includes(value as string),
    'none, thisServer or allServers',
  ],
  [
    'stopSequences',
    (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    'an array of texts',
  ],
  ['metadata', isJsonObject, 'an object'],
  ['modelPreferences', isModelPreferences, 'hints, and priorities from 0 to 1'],
  ['tools', (value) => Array.isArray(value) && value.every(isTool), 'an array of tools with name and inputSchema'],
  ['toolChoice', isToolChoice, 'an object with a mode: auto, required or none'],
]

/** Every use of a tool is answered, by the next message and by nothing else in it. */
function checkToolBalance(messages: readonly SamplingMessage[]): string | undefined {
  let open: readonly string[] = []
  for (const [index, message] of messages.entries()) {
    const blocks = samplingBlocks(message)
    const uses = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : []))
    const at = `messages[${index}]`
    if (message.role === 'user' && uses.length > 0) return `${at} is the user's and uses a tool; only the assistant may`
    if (message.role === 'assistant' && results.length > 0)
      return `${at} is the assistant's and holds tool results; only the user may`
    if (results.length > 0 && results.length < blocks.length) return `${at} mixes tool results with other content`
    const unanswered = open.find((id) => !results.includes(id))
    if (unanswered !== undefined) return `${at} must hold a result of the tool use ${JSON.stringify(unanswered)}`
    const stray = results.find((id, position) => !open.includes(id) || results.indexOf(id) !== position)
    if (stray !== undefined) return `${at} holds a result of the tool use ${JSON.stringify(stray)}, which is not open`
    const twice = uses.find((id, position) => uses.indexOf(id) !== position)
    if (twice !== undefined) return `${at} has two tool uses with the id ${JSON.stringify(twice)}`
    open = uses
  }
  return open.length === 0 ? undefined : `messages must go on with results of the tool uses ${JSON.stringify(open)}`
}

function isModelPreferences(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { hints, costPriority, speedPriority, intelligencePriority } = value
  const priorities = [costPriority, speedPriority, intelligencePriority].filter((priority) => priority !== undefined)
  return (
    (hints === undefined || (Array.isArray(hints) && hints.every(isJsonObject))) &&
    priorities.every((priority) => typeof priority === 'number' && priority >= 0 && priority <= 1)
  )
}

function isTool(value: unknown): boolean {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}

function isToolChoice(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    (value['mode'] === undefined || ['auto', 'required', 'none'].includes(value['mode'] as string))
  )
}

/** Whether `value` reads as a model's answer. */
export function isCreateMessageResult(value: unknown): value is CreateMessageResult {
  return isJsonObject(value) && typeof value['model'] === 'string' && isSamplingMessage(value)
}

/** Whether `value` is a message of a conversation with a model, of blocks that are whole. */
export function isSamplingMessage(value: unknown): value is SamplingMessage {
  if (!isJsonObject(value) || (value['role'] !== 'user' && value['role'] !== 'assistant')) return false
  const { content } = value
  return Array.isArray(content) ? content.every(isSamplingContent) : isSamplingContent(content)
}

/** The blocks of a message, of which one may stand alone. */
export function samplingBlocks({ content }: SamplingMessage): readonly SamplingContent[] {
  return Array.isArray(content) ? (content as readonly SamplingContent[]) : [content as SamplingContent]
}

function isSamplingContent(value: unknown): value is SamplingContent {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case 'text':
      return typeof value['text'] === 'string'
    case 'image':
    case 'audio':
      return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string'
    case 'tool_use':
      return typeof value['id'] === 'string' && typeof value['name'] === 'string' && isJsonObject(value['input'])
    case 'tool_result':
      return typeof value['toolUseId'] === 'string' && Array.isArray(value['content'])
    default:
      return false
  }
}
