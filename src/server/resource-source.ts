import { shown } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { Resource } from '../protocol/resource.ts'
import {
  checkAnnotations,
  checkIcons,
  checkMeta,
  checkMimeType,
  definitionJson,
  optionalText,
  refuse,
} from './definition.ts'
import { checkSize, checkUri } from './define-resource.ts'
import type { AuthInfo } from './exchange.ts'

/** What a function that lists resources is given. */
export interface ResourceListRequest {
  /** The `nextCursor` it returned for the page before; `undefined` for its first. */
  readonly cursor: string | undefined
  /** How many resources the page has room for. A hint: more are taken too. */
  readonly limit: number
  /** `''` is anonymous. */
  readonly principal: string
  readonly auth: AuthInfo | undefined
}

/** One page of resources. */
export interface ResourcePage {
  readonly resources: readonly Resource[]
  /** Where the next page begins: any text. Absent on the last. */
  readonly nextCursor?: string | undefined
}

/** Lists resources page by page, out of a database say. */
export type ResourceLister = (request: ResourceListRequest) => ResourcePage | PromiseLike<ResourcePage>

/** What `server.resources()` takes. */
export type ResourceList = readonly Resource[] | ResourceLister

/** Options of `server.resources()`. */
export interface ResourceListOptions {
  /**
   * `public` says that a lister gives every caller the same. Otherwise every page of `resources/list` is private, since
   * a lister is told who asks.
   */
  readonly scope?: 'public' | 'private' | undefined
}

/** A lister of resources as the registry keeps it. */
export interface ResourceSource {
  readonly kind: 'source'
  readonly list: ResourceLister
  readonly scope: 'public' | 'private'
}

/** Resources that are only listed, each with its JSON, serialised once. */
export interface ListedResource {
  readonly kind: 'listed'
  readonly uri: string
  readonly json: string
}

/** @throws RondoError `DEFINITION_INVALID` */
export function resourceSource(list: ResourceLister, options: ResourceListOptions = {}): ResourceSource {
  const where = 'resources()'
  if (typeof list !== 'function') refuse(where, 'give an array of resources, or a function that returns pages of them.')
  const scope = options.scope ?? 'private'
  if (scope !== 'public' && scope !== 'private') refuse(where, "scope must be 'public' or 'private'.")
  return { kind: 'source', list, scope }
}

/**
 * Checks a resource that is to be listed.
 *
 * @throws RondoError `DEFINITION_INVALID`
 * @see server/resources, "Resource", of the specification
 */
export function listedResource(resource: Resource): ListedResource {
  const where = `Listed resource ${shown(isJsonObject(resource) ? resource.uri : resource)}`
  if (!isJsonObject(resource)) refuse(where, 'a resource must be an object of at least { uri, name }.')
  const { uri, name, title, description, mimeType, size, icons, annotations, _meta } = resource as unknown as Resource
  checkUri(uri, where)
  if (typeof name !== 'string' || name === '') refuse(where, 'it needs a name, a text that is not empty.')
  optionalText(title, 'title', where)
  optionalText(description, 'description', where)
  checkMimeType(mimeType, where)
  checkSize(size, where)
  if (icons !== undefined) checkIcons(icons, where)
  checkAnnotations(annotations, where)
  if (_meta !== undefined) checkMeta(_meta, where)
  const json = definitionJson({ uri, name, title, description, mimeType, size, icons, annotations, _meta }, where)
  return { kind: 'listed', uri, json }
}
