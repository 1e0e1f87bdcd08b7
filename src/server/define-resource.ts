import { shown } from '../errors/value-text.ts'
import type { Annotations } from '../protocol/content.ts'
import type { ResourceContents } from '../protocol/resource.ts'
import { callPolicy, POLICY_OPTIONS, type CallPolicy, type CallPolicyOptions } from './call-policy.ts'
import { checkCacheHint, type CacheHintOptions } from './cache-hints.ts'
import type { Context } from './context.ts'
import type { NeedsInput } from './define-tool.ts'
import {
  checkAnnotations,
  checkHandler,
  checkMimeType,
  checkOptions,
  definitionJson,
  described,
  DESCRIBED_OPTIONS,
  refuse,
  type DescribedOptions,
} from './definition.ts'
import type { FullResult } from './results.ts'
import type { Visible } from './visible.ts'

/** Options that a resource and a template have in common. */
export interface ResourceOptionsBase extends DescribedOptions, CallPolicyOptions {
  /** MIME type of the contents, in the list and of what is read. */
  readonly mimeType?: string | undefined
  readonly annotations?: Annotations | undefined
  /** How long and by whom what was read may be kept; the server's own by default. */
  readonly cache?: CacheHintOptions | undefined
}

/** What {@link resourceEntry} takes beside name and handler. */
export interface ResourceOptions extends ResourceOptionsBase {
  /** Absolute URI, unique in the server. */
  readonly uri: string
  /** Bytes, before any encoding. */
  readonly size?: number | undefined
}

/** One part of what is read; the URI and MIME type of the resource are put in where they are absent. */
export type ResourcePart =
  | string
  | Uint8Array
  | ResourceContents
  | { readonly uri?: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri?: string; readonly mimeType?: string; readonly blob: string | Uint8Array }

/** What a resource's handler returns: text, bytes, contents, several of them, or a full result. `undefined`: not found. */
export type ResourceReturn = ResourcePart | readonly ResourcePart[] | FullResult | NeedsInput | undefined

/** Reads a resource. Runs again from the top each round. */
export type ResourceHandler = (uri: string, ctx: Context) => ResourceReturn | PromiseLike<ResourceReturn>

/** A resource with a fixed URI as the registry keeps it. */
export interface ResourceEntry {
  readonly kind: 'resource'
  readonly uri: string
  readonly name: string
  /** Its definition as it is listed, serialised once. */
  readonly json: string
  readonly mimeType: string | undefined
  readonly cache: CacheHintOptions | undefined
  readonly policy: CallPolicy
  readonly visible: Visible | undefined
  readonly handler: (uri: never, ctx: Context) => unknown
}

/** Names of {@link ResourceOptionsBase}, for the check of unknown options. */
export const RESOURCE_OPTIONS = [...DESCRIBED_OPTIONS, ...POLICY_OPTIONS, 'mimeType', 'annotations', 'cache']

/**
 * Checks a resource's definition and makes it ready for reads.
 *
 * @throws RondoError `DEFINITION_INVALID`, with what is wrong and what to do.
 * @see server/resources of the specification
 */
export function resourceEntry(
  name: string,
  options: ResourceOptions,
  handler: (uri: never, ctx: Context) => unknown,
): ResourceEntry {
  const where = `Resource ${shown(name)}`
  if (typeof name !== 'string' || name === '') refuse(where, 'a resource needs a name, a text that is not empty.')
  checkOptions(options, [...RESOURCE_OPTIONS, 'uri', 'size'], where)
  checkHandler(handler, where)
  const { uri, mimeType, size, annotations, cache } = options
  checkUri(uri, where)
  checkSize(size, where)
  checkMimeType(mimeType, where)
  checkAnnotations(annotations, where)
  checkCacheHint(cache, where)
  const { title, description, icons, _meta } = described(options, where)
  return {
    kind: 'resource',
    uri,
    name,
    json: definitionJson({ uri, name, title, description, mimeType, size, icons, annotations, _meta }, where),
    mimeType,
    cache,
    policy: callPolicy(options, where),
    visible: options.visible,
    handler,
  }
}

/** RFC 3986: a scheme, a colon, and only characters that a URI may hold as they are. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/

/** @throws RondoError `DEFINITION_INVALID` */
export function checkUri(uri: unknown, where: string): asserts uri is string {
  if (typeof uri === 'string' && URI.test(uri)) return
  const hint = typeof uri === 'string' && uri.includes('{') ? ' For one with variables use resourceTemplate().' : ''
  refuse(where, `uri ${shown(uri)} is not an absolute URI, such as 'notes://today'.${hint}`)
}

/** @throws RondoError `DEFINITION_INVALID` */
export function checkSize(size: unknown, where: string): void {
  if (size === undefined || (Number.isSafeInteger(size) && (size as number) >= 0)) return
  refuse(where, 'size must be a whole number of bytes.')
}
