import { type Meta } from './meta.ts'
import { type METHODS } from './methods.ts'

/** A file or directory the client works on. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
  readonly _meta?: Meta
}

/** A question for the client's roots (client/roots). */
export interface ListRootsRequest {
  readonly method: typeof METHODS.rootsList
  readonly params?: { readonly _meta?: Meta }
}

export interface ListRootsResult {
  readonly roots: readonly Root[]
  readonly [key: string]: unknown
}

/**
 * Whether `value` reads as a list of roots: all of them `file://`, and none that climbs (client/roots, "Security
 * Considerations").
 */
export function isListRootsResult(value: unknown): value is ListRootsResult {
  if (typeof value !== 'object' || value === null) return false
  const { roots } = value as { roots?: unknown }
  return Array.isArray(roots) && roots.every(isRoot)
}

function isRoot(value: unknown): value is Root {
  if (typeof value !== 'object' || value === null) return false
  const { uri, name } = value as { uri?: unknown; name?: unknown }
  return typeof uri === 'string' && isFileUri(uri) && (name === undefined || typeof name === 'string')
}

function isFileUri(uri: string): boolean {
  if (!/^file:\/\//i.test(uri) || !URL.canParse(uri) || /%2f|%5c|%00/i.test(uri)) return false
  // Read as it was written: parsing would take the dots away.
  return !uri.replaceAll(/%2e/gi, '.').split(/[/\\]/).includes('..')
}
