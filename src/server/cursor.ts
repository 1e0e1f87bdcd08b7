import { decodeBase64Url, encodeBase64Url } from '../token/base64url.ts'
import { WireError } from '../errors/wire-error.ts'

/** Where a page begins: behind an item, or at a place of a source's own. */
export type Position =
  | {
      readonly at: 'item'
      /** Key of the last item of the page before. */
      readonly after: string
      /** How many items came before this page: where to go on when that item is gone. */
      readonly count: number
    }
  | {
      readonly at: 'source'
      readonly key: string
      /** The source's own cursor; `undefined` for its beginning. */
      readonly cursor: string | undefined
    }

/** Longest cursor that is read. */
const MAX_LENGTH = 16_384

const SHAPE = /^[0-9a-f]{8}[A-Za-z0-9_-]+$/

/**
 * A cursor of one list. It names the item it comes after, so it outlives restarts and changes of the list.
 *
 * @see server/utilities/pagination of the specification
 */
export function encodeCursor(list: string, position: Position): string {
  const parts =
    position.at === 'item' ? [position.after, position.count] : [position.key, position.cursor ?? null, position.at]
  const text = encodeBase64Url(new TextEncoder().encode(JSON.stringify(parts)))
  return checksum(list, text) + text
}

/**
 * Reads a cursor that {@link encodeCursor} made for this list. The checksum finds accidents, not attacks: a cursor gives
 * nobody anything that the list does not.
 *
 * @throws WireError `INVALID_PARAMS`
 */
export function decodeCursor(list: string, cursor: unknown): Position {
  if (typeof cursor !== 'string' || cursor.length > MAX_LENGTH || !SHAPE.test(cursor)) throw invalidCursor()
  const text = cursor.slice(8)
  if (checksum(list, text) !== cursor.slice(0, 8)) throw invalidCursor()
  const position = readParts(decodeText(text))
  if (position === undefined) throw invalidCursor()
  return position
}

/** What every cursor that cannot be used is answered with. */
export function invalidCursor(): WireError {
  return new WireError('INVALID_PARAMS', 'Invalid cursor. Start again without one.')
}

function readParts(json: string | undefined): Position | undefined {
  const parts = json === undefined ? undefined : parse(json)
  if (!Array.isArray(parts)) return undefined
  const [first, second, at] = parts as readonly unknown[]
  if (typeof first !== 'string') return undefined
  if (at === 'source' && (second === null || typeof second === 'string')) {
    return { at, key: first, cursor: second ?? undefined }
  }
  if (at === undefined && Number.isSafeInteger(second) && (second as number) >= 0) {
    return { at: 'item', after: first, count: second as number }
  }
  return undefined
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** FNV-1a, 32 bits, over the list's name and the cursor's text. */
function checksum(list: string, text: string): string {
  let hash = 0x811c9dc5
  for (const part of [list, '\n', text]) {
    for (let i = 0; i < part.length; i += 1) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function decodeText(base64url: string): string | undefined {
  const bytes = decodeBase64Url(base64url)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
