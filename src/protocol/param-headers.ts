import { decodeBase64, encodeBase64 } from './base64.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { SCHEMA_LIMITS } from './json-schema.ts'
import { subschemas } from './schema-keywords.ts'

/** A tool parameter that is mirrored into a header (basic/transports/streamable-http, "Schema Extension"). */
export interface ParamHeader {
  /** The part after `Mcp-Param-`, as the schema writes it; header names are compared without case. */
  readonly name: string
  /** Property names from the arguments down. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** The keyword that marks a parameter. */
const KEYWORD = 'x-mcp-header'

/** An HTTP field name (RFC 9110, section 5.1). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * The parameters of a tool that are mirrored into headers, from its input schema.
 *
 * @throws RondoError `DEFINITION_INVALID` when a mark breaks a rule; such a tool must not be listed.
 * @see basic/transports/streamable-http, "Schema Extension", of the specification
 */
export function paramHeaders(inputSchema: object): ParamHeader[] {
  const headers = new Map<string, ParamHeader>()
  let left: number = SCHEMA_LIMITS.subschemas

  // `path` is undefined where arguments cannot be followed to.
  const visit = (schema: unknown, path: readonly string[] | undefined, at: string, depth: number): void => {
    if (!isJsonObject(schema)) return
    if (depth > SCHEMA_LIMITS.depth || --left < 0) throw invalid('the schema is too deep or too large')
    if (Object.hasOwn(schema, KEYWORD)) {
      const header = marked(schema, path, at)
      const known = headers.get(header.name.toLowerCase())
      if (known !== undefined) throw invalid(`${at} has the same ${KEYWORD} as ${known.path.join('.')}`)
      headers.set(header.name.toLowerCase(), header)
    }
    for (const { keyword, key, schema: below } of subschemas(schema)) {
      const name = keyword === 'properties' ? String(key) : undefined
      const pointer = key === undefined ? `${at}/${keyword}` : `${at}/${keyword}/${key}`
      visit(below, path !== undefined && name !== undefined ? [...path, name] : undefined, pointer, depth + 1)
    }
  }
  visit(inputSchema, [], '#', 0)
  return [...headers.values()]
}

/**
 * The value of a mirrored parameter as text, before {@link encodeHeaderValue}; `undefined` when the arguments have none, or
 * `null`, and the header is left out.
 *
 * @throws RangeError for a whole number that JavaScript cannot hold exactly.
 */
export function mirroredText({ name, path, type }: ParamHeader, args: JsonObject | undefined): string | undefined {
  let value: unknown = args
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  if (type === 'integer' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`The argument mirrored as Mcp-Param-${name} is outside ±(2^53−1)`)
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function marked(schema: JsonObject, path: readonly string[] | undefined, at: string): ParamHeader {
  const { [KEYWORD]: name, type } = schema
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    throw invalid(`${KEYWORD} of ${at} must be a header name of letters, digits and !#$%&'*+-.^_\`|~`)
  }
  if (path === undefined || path.length === 0) {
    throw invalid(`${KEYWORD} of ${at} may only stand on a property that is reached by properties alone`)
  }
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw invalid(`${KEYWORD} of ${at} needs the type string, integer or boolean, not ${JSON.stringify(type)}`)
  }
  return { name, path, type }
}

function invalid(message: string): RondoError {
  return new RondoError('DEFINITION_INVALID', `The schema cannot be mirrored into headers: ${message}.`)
}

const PREFIX = '=?base64?'
const SUFFIX = '?='

/** A header value that was read back; not `ok` when it holds what no header may, or its Base64 is broken. */
export type DecodedHeader = { readonly ok: true; readonly value: string } | { readonly ok: false }

/**
 * A value as a header carries it: itself when it is plain ASCII without spaces at its ends, otherwise Base64 of its UTF-8
 * between `=?base64?` and `?=`.
 *
 * @see basic/transports/streamable-http, "Value Encoding", of the specification
 */
export function encodeHeaderValue(value: string): string {
  if (isPlain(value) && !(value.startsWith(PREFIX) && value.endsWith(SUFFIX))) return value
  return PREFIX + encodeBase64(new TextEncoder().encode(value)) + SUFFIX
}

/** What a header's value says. Spaces at its ends are not part of it. */
export function decodeHeaderValue(raw: string): DecodedHeader {
  const text = trimmed(raw)
  if (!isPlain(text)) return { ok: false }
  const isEncoded = text.length >= PREFIX.length + SUFFIX.length && text.startsWith(PREFIX) && text.endsWith(SUFFIX)
  if (!isEncoded) return { ok: true, value: text }
  const value = utf8FromBase64(text.slice(PREFIX.length, -SUFFIX.length))
  return value === undefined ? { ok: false } : { ok: true, value }
}

/** Visible ASCII, with spaces and tabs between. */
function isPlain(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if ((code < 0x20 && code !== 0x09) || code > 0x7e) return false
  }
  return !isSpace(value.charCodeAt(0)) && !isSpace(value.charCodeAt(value.length - 1))
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function trimmed(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isSpace(value.charCodeAt(start))) start++
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

/** Canonical Base64 of UTF-8, or `undefined`: what two readers could read differently is read by none. */
function utf8FromBase64(base64: string): string | undefined {
  const bytes = decodeBase64(base64)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
