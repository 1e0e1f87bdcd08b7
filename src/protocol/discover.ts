import { type JsonObject } from '../jsonrpc/messages.ts'
import { type CacheableResult } from './result-type.ts'

/** What a server can do (server/discover). */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly completions?: JsonObject
  readonly logging?: JsonObject
  readonly extensions?: { readonly [id: string]: JsonObject }
  readonly experimental?: { readonly [name: string]: JsonObject }
}

/** Result of `server/discover`. */
export interface DiscoverResult extends CacheableResult {
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  /** For the client's model: how to use this server well. */
  readonly instructions?: string
}
