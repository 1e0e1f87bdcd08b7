import { type RequestId } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from './capabilities.ts'
import { type LoggingLevel } from './logging.ts'

/** Keys of `_meta` that the specification reserves (basic/index, "`_meta`"). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  progressToken: 'progressToken',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'baggage',
} as const

/** Metadata of anything: keys follow {@link isMetaKey}. */
export interface Meta {
  readonly [key: string]: unknown
}

/** Ties progress notifications to a request. */
export type ProgressToken = string | number

/** `_meta` of every request of the modern era. */
export interface RequestMeta extends Meta {
  readonly [META.protocolVersion]: string
  readonly [META.clientCapabilities]: ClientCapabilities
  readonly [META.clientInfo]?: Implementation
  readonly [META.logLevel]?: LoggingLevel
  readonly [META.progressToken]?: ProgressToken
}

/** `_meta` of a notification. */
export interface NotificationMeta extends Meta {
  /** Id of the `subscriptions/listen` request on whose stream it comes. */
  readonly [META.subscriptionId]?: RequestId
}

/** `_meta` of a result. */
export interface ResultMeta extends Meta {
  readonly [META.serverInfo]?: Implementation
}

/** An image for display (basic/index, "`icons`"). */
export interface Icon {
  /** `https:` or `data:` URI. */
  readonly src: string
  readonly mimeType?: string
  /** Such as `48x48`, or `any`. */
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** What everything that is listed has: a name for programs, a title for people. */
export interface Named {
  readonly name: string
  readonly title?: string
}

/** A piece of software that speaks MCP. Self-reported, never to be trusted. */
export interface Implementation extends Named {
  readonly version: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** Whether `key` may stand in `_meta`: an optional prefix of dotted labels and a slash, then a name. */
export function isMetaKey(key: string): boolean {
  const slash = key.indexOf('/')
  return slash === -1 ? isName(key) : isPrefix(key.slice(0, slash)) && isName(key.slice(slash + 1))
}

/** Whether `id` may name an extension: like a `_meta` key, with a prefix (basic/index, "`_meta`"). */
export function isExtensionId(id: string): boolean {
  const slash = id.indexOf('/')
  return slash !== -1 && slash < id.length - 1 && isMetaKey(id)
}

/** Whether `key` lies under a prefix that MCP keeps for itself: its second label is `modelcontextprotocol` or `mcp`. */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/')
  if (slash === -1) return key === META.progressToken || TRACE_KEYS.has(key)
  const second = key.slice(0, slash).split('.')[1]
  return second === 'modelcontextprotocol' || second === 'mcp'
}

const TRACE_KEYS: ReadonlySet<string> = new Set([META.traceparent, META.tracestate, META.baggage])
const LABEL = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/

function isPrefix(prefix: string): boolean {
  return prefix.split('.').every((label) => LABEL.test(label))
}

function isName(name: string): boolean {
  return NAME.test(name)
}
