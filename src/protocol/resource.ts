import { type Annotations, type BlobResourceContents, type ResourceInfo, type TextResourceContents } from './content.ts'
import { type Icon, type Meta, type Named } from './meta.ts'
import { type CacheableResult, type PaginatedResult } from './result-type.ts'

/** A resource as it is listed (server/resources). */
export type Resource = ResourceInfo

/** A family of resources as it is listed. */
export interface ResourceTemplate extends Named {
  /** RFC 6570. */
  readonly uriTemplate: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

export type ResourceContents = TextResourceContents | BlobResourceContents

/** Complete result of `resources/read`. */
export interface ReadResourceResult extends CacheableResult {
  readonly contents: readonly ResourceContents[]
}

export interface ListResourcesResult extends PaginatedResult {
  readonly resources: readonly Resource[]
}

export interface ListResourceTemplatesResult extends PaginatedResult {
  readonly resourceTemplates: readonly ResourceTemplate[]
}
