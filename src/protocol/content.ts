import { type Icon, type Meta, type Named } from './meta.ts'

/** Who speaks, or who something is meant for. */
export type Role = 'user' | 'assistant'

/** Hints for the client on how to use a piece of content. */
export interface Annotations {
  readonly audience?: readonly Role[]
  /** From 0, optional, to 1, required. */
  readonly priority?: number
  /** ISO 8601. */
  readonly lastModified?: string
}

export interface TextContent {
  readonly type: 'text'
  readonly text: string
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

export interface ImageContent {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

export interface AudioContent {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

/** What a resource says of itself, in a list or in a link. */
export interface ResourceInfo extends Named {
  readonly uri: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  /** Bytes, before any encoding. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

/** A resource that may be read, given by its URI. */
export interface ResourceLink extends ResourceInfo {
  readonly type: 'resource_link'
}

export interface TextResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text: string
  readonly _meta?: Meta
}

export interface BlobResourceContents {
  readonly uri: string
  readonly mimeType?: string
  /** Base64. */
  readonly blob: string
  readonly _meta?: Meta
}

/** Contents of a resource, given in place. */
export interface EmbeddedResource {
  readonly type: 'resource'
  readonly resource: TextResourceContents | BlobResourceContents
  readonly annotations?: Annotations
  readonly _meta?: Meta
}

/** A piece of a tool's result or of a prompt's message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
