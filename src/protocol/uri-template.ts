import { RondoError } from '../errors/rondo-error.ts'
import { type Part, templateParts, variableNames } from './uri-template-parts.ts'

/** A URI template, ready to read URIs by. */
export interface CompiledTemplate {
  /** Names of its variables, in the order they come. */
  readonly variables: readonly string[]
  /**
   * The values that a URI has for the variables, decoded, without a prototype; `undefined` when it is no such URI. Every
   * variable has one, but for those of a query. What `*` spreads out is one text, as it stands in the URI.
   */
  match(uri: string): Record<string, string> | undefined
}

/** How careful matching is. */
export interface TemplateOptions {
  /** Lets values hold `..` as a path segment, encoded slashes outside a query, and NUL. */
  readonly allowUnsafe?: boolean
}

/** A longer URI matches nothing. */
const MAX_LENGTH = 16 * 1024

/**
 * Reads a URI template of RFC 6570. Matching takes time in proportion to the URI's length, whatever the template; where a
 * URI can be read in several ways, earlier variables take as much as they can.
 *
 * @throws RondoError `DEFINITION_INVALID` when it is no template, or one that cannot be matched.
 * @see server/resources, "Resource Templates" and "Security Considerations", of the specification
 */
export function compileTemplate(template: string, { allowUnsafe = false }: TemplateOptions = {}): CompiledTemplate {
  const parts = partsOf(template)
  return {
    variables: Object.freeze(variableNames(parts)),
    match(uri) {
      if (uri.length > MAX_LENGTH || (!allowUnsafe && climbs(decode(uri) ?? ''))) return undefined
      return values(parts, uri, allowUnsafe)
    },
  }
}

function partsOf(template: string): Part[] {
  try {
    return templateParts(template, encodeLiteral)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new RondoError(
      'DEFINITION_INVALID',
      `The URI template ${JSON.stringify(template)} cannot be used: ${error.message}.`,
    )
  }
}

/** Literal text as an expanded URI has it: what is encoded, or may stand in a URI, stays (RFC 6570, 3.1). */
function encodeLiteral(literal: string): string {
  const pieces = literal.split(/(%[0-9A-Fa-f]{2}|[[\]])/)
  try {
    // Every second one is what was split at.
    return pieces.map((piece, index) => (index % 2 === 1 ? piece : encodeURI(piece))).join('')
  } catch {
    throw new SyntaxError('it has half of a character')
  }
}

function values(parts: readonly Part[], uri: string, allowUnsafe: boolean): Record<string, string> | undefined {
  const reach = reachable(parts, uri)
  if (reach[0]?.[0] !== 1) return undefined
  const found = Object.create(null) as Record<string, string>
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal') at += part.text.length
    else if (part.kind === 'query') {
      const end = queryEnd(part.leads, uri, at)
      if (!readQuery(part, uri.slice(at, end), allowUnsafe, found)) return undefined
      at = end
    } else {
      const end = farthest(part.stops, uri, at, reach[index + 1])
      const raw = uri.slice(at, end)
      const value = safeValue(raw, allowUnsafe, /%2f|%5c/i)
      if (value === undefined || [...value].length > part.maxLength) return undefined
      found[part.name] = value
      at = end
    }
  }
  return found
}

/**
 * For each part, and one past the last, at which offsets of the URI the rest of it fits. Worked out from the end, so that
 * no combination is tried twice.
 */
function reachable(parts: readonly Part[], uri: string): Uint8Array[] {
  const reach = Array.from({ length: parts.length + 1 }, () => new Uint8Array(uri.length + 1))
  reach[parts.length]![uri.length] = 1
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]!
    const here = reach[index]!
    const next = reach[index + 1]!
    // Whether the next part fits at the offset, or farther within the same value.
    let ahead = 0
    for (let at = uri.length; at >= 0; at--) {
      if (part.kind === 'literal') here[at] = uri.startsWith(part.text, at) ? (next[at + part.text.length] ?? 0) : 0
      else if (part.kind === 'query') here[at] = next[queryEnd(part.leads, uri, at)] ?? 0
      else {
        here[at] = at < uri.length && !part.stops.includes(uri[at]!) ? ahead : 0
        ahead = next[at] || here[at]!
      }
    }
  }
  return reach
}

function farthest(stops: string, uri: string, from: number, next: Uint8Array | undefined): number {
  let end = from
  for (let at = from + 1; at <= uri.length && !stops.includes(uri[at - 1]!); at++) if (next?.[at] === 1) end = at
  return end
}

function queryEnd(leads: string, uri: string, at: number): number {
  const lead = uri[at]
  if (lead === undefined || !leads.includes(lead)) return at
  const hash = uri.indexOf('#', at)
  return hash === -1 ? uri.length : hash
}

/** Reads the pairs of a query into `found`; `false` when one was not asked for, or comes again and is no list. */
function readQuery(
  { names, lists }: Extract<Part, { kind: 'query' }>,
  query: string,
  allowUnsafe: boolean,
  found: Record<string, string>,
): boolean {
  if (query === '') return true
  for (const pair of query.slice(1).split('&')) {
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    const before = found[name]
    if (!names.includes(name) || (before !== undefined && !lists.includes(name))) return false
    // Slashes are written encoded in a query, by anyone.
    const value = safeValue(equals === -1 ? '' : pair.slice(equals + 1), allowUnsafe, undefined)
    if (value === undefined) return false
    found[name] = before === undefined ? value : `${before},${value}`
  }
  return true
}

function safeValue(raw: string, allowUnsafe: boolean, forbidden: RegExp | undefined): string | undefined {
  if (!allowUnsafe && forbidden?.test(raw)) return undefined
  const value = decode(raw)
  return value === undefined || (!allowUnsafe && (value.includes('\0') || climbs(value))) ? undefined : value
}

function climbs(path: string): boolean {
  return path.split(/[/\\]/).includes('..')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
