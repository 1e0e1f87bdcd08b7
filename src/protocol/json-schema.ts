import { isJsonObject } from '../jsonrpc/json-object.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { contradiction, repeatedChoice } from './contradiction.ts'
import { badKeyword, foreignKeyword, IN_PLACE, subschemas } from './schema-keywords.ts'

/** Dialects of JSON Schema that are taken (basic/index, "Schema Dialect"). */
export type Dialect = '2020-12' | 'draft-07'

/** Bounds of one schema (basic/index, "Composition-Keyword Resource Use"). */
export const SCHEMA_LIMITS = {
  /** Schemas inside one another. */
  depth: 50,
  /** Schemas in all. */
  subschemas: 5_000,
} as const

/** Names of the schemas of schemas, of every dialect. */
const METASCHEMA = /^https?:\/\/json-schema\.org(?:[/:]|$)/i

/**
 * What a schema without `$schema`, or with one that is known, is written in.
 *
 * @throws RondoError `DEFINITION_INVALID` for any other.
 */
export function dialectOf(schema: JsonObject): Dialect {
  const uri = schema['$schema']
  if (uri === undefined) return '2020-12'
  const name = typeof uri === 'string' ? /^https?:\/\/json-schema\.org\/(.+?)\/schema#?$/.exec(uri)?.[1] : undefined
  if (name === 'draft/2020-12') return '2020-12'
  if (name === 'draft-07') return 'draft-07'
  throw invalid(
    `the JSON Schema dialect ${JSON.stringify(uri)} is not supported; use 2020-12 (the default) or draft-07`,
  )
}

/**
 * Checks that `root` is a schema of its dialect: keywords hold what they must, every reference leads somewhere inside it,
 * none of them leads back to itself for the same value, no value is barred by two keywords that contradict each other,
 * and it stays within {@link SCHEMA_LIMITS}. Nothing is ever fetched.
 *
 * @param by Who wrote it: an author's choices must be different; a library may repeat one, as for two names of an enum
 *   that have one value.
 * @throws RondoError `DEFINITION_INVALID` naming the place.
 */
export function checkJsonSchema(root: JsonObject, by: 'author' | 'library'): void {
  new SchemaCheck(root, dialectOf(root), by).run()
}

/** What a `$ref` by JSON Pointer leads to within `root`, or `undefined`. */
export function resolvePointer(root: JsonObject, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined
  const fragment = decodeFragment(ref.slice(1))
  return fragment === '' || fragment.startsWith('/') ? atPointer(root, fragment) : undefined
}

interface Place {
  readonly schema: JsonObject
  /** JSON Pointer from the root. */
  readonly at: string
  readonly depth: number
  /** The schema resource it belongs to: the nearest schema above with an `$id`. */
  readonly resource: Resource
}

interface Resource {
  readonly root: JsonObject
  /** Absolute where it can be. */
  readonly uri: string
  readonly anchors: Map<string, JsonObject>
}

class SchemaCheck {
  readonly #root: JsonObject
  readonly #dialect: Dialect
  readonly #resources = new Map<string, Resource>()
  readonly #references: { readonly place: Place; readonly keyword: string; readonly ref: string }[] = []
  /** Where each schema stands, and the schemas that it lays on the same value. */
  readonly #places = new Map<JsonObject, { readonly at: string; readonly onSame: JsonObject[] }>()
  readonly #by: 'author' | 'library'
  #count = 0

  constructor(root: JsonObject, dialect: Dialect, by: 'author' | 'library') {
    this.#root = root
    this.#dialect = dialect
    this.#by = by
  }

  run(): void {
    this.#visit(this.#root, '#', 0, { root: this.#root, uri: '', anchors: new Map() })
    for (const { place, keyword, ref } of this.#references) this.#checkReference(place, keyword, ref)
    this.#checkCircles()
  }

  #visit(schema: unknown, at: string, depth: number, parent: Resource): void {
    if (typeof schema === 'boolean') return
    if (!isJsonObject(schema)) throw invalid(`${at} must be a schema: an object or a boolean`)
    if (depth > SCHEMA_LIMITS.depth) throw invalid(`${at} is nested more than ${SCHEMA_LIMITS.depth} schemas deep`)
    if (++this.#count > SCHEMA_LIMITS.subschemas)
      throw invalid(`it holds more than ${SCHEMA_LIMITS.subschemas} schemas`)
    const bad = badKeyword(schema)
    if (bad !== undefined) throw invalid(`${at}/${bad.keyword} must be ${bad.expected}`)
    if (Array.isArray(schema['items']) && this.#dialect === '2020-12') {
      throw invalid(`${at}/items must be a schema: a list of them is called prefixItems since 2020-12`)
    }
    const foreign = foreignKeyword(schema)
    if (foreign !== undefined) throw invalid(`${at}/${foreign.keyword} ${foreign.advice}`)
    this.#checkSense(schema, at)
    const onSame: JsonObject[] = []
    this.#places.set(schema, { at, onSame })
    const place: Place = { schema, at, depth, resource: this.#resourceOf(schema, at, parent) }
    this.#note(place)
    for (const { keyword, key, schema: below } of subschemas(schema)) {
      const pointer = key === undefined ? `${at}/${keyword}` : `${at}/${keyword}/${escapePointer(String(key))}`
      this.#visit(below, pointer, depth + 1, place.resource)
      if (IN_PLACE.has(keyword) && isJsonObject(below)) onSame.push(below)
    }
  }

  #checkSense(schema: JsonObject, at: string): void {
    const against = contradiction(schema)
    if (against !== undefined) throw invalid(`nothing fits ${at}: ${against}`)
    const twice = this.#by === 'author' ? repeatedChoice(schema) : undefined
    if (twice !== undefined) throw invalid(`${at}/enum has ${twice} twice`)
  }

  #resourceOf(schema: JsonObject, at: string, parent: Resource): Resource {
    const id = schema['$id']
    // In draft-07 an `$id` that is only a fragment is an anchor.
    if (typeof id !== 'string' || id.startsWith('#')) {
      if (this.#count === 1) this.#resources.set('', parent)
      return parent
    }
    const resource: Resource = { root: schema, uri: resolve(id, parent.uri), anchors: new Map() }
    if (METASCHEMA.test(resource.uri)) {
      throw invalid(
        `${at}/$id ${JSON.stringify(id)} is the name of JSON Schema's own, which every engine knows already. ` +
          'Take it away, or use a name of your own; what says the dialect is $schema',
      )
    }
    if (this.#resources.has(resource.uri)) throw invalid(`${at}/$id ${JSON.stringify(id)} stands twice`)
    this.#resources.set(resource.uri, resource)
    return resource
  }

  #note(place: Place): void {
    const { schema, resource } = place
    for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
      const name = schema[keyword]
      if (typeof name !== 'string') continue
      if (resource.anchors.has(name)) throw invalid(`${place.at}/${keyword} ${JSON.stringify(name)} stands twice`)
      resource.anchors.set(name, schema)
    }
    if (typeof schema['$id'] === 'string' && schema['$id'].startsWith('#'))
      resource.anchors.set(schema['$id'].slice(1), schema)
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      if (typeof schema[keyword] === 'string') this.#references.push({ place, keyword, ref: schema[keyword] })
    }
  }

  #checkReference(place: Place, keyword: string, ref: string): void {
    const { schema, at, resource, depth } = place
    const hash = ref.indexOf('#')
    const uri = hash === -1 ? ref : ref.slice(0, hash)
    const target = uri === '' ? resource : this.#resources.get(resolve(uri, resource.uri))
    if (target === undefined) {
      throw invalid(
        `${at}/${keyword} ${JSON.stringify(ref)} leads outside the schema; nothing is fetched, so put it under $defs`,
      )
    }
    const fragment = hash === -1 ? '' : decodeFragment(ref.slice(hash + 1))
    const anchored = fragment === '' ? target.root : target.anchors.get(fragment)
    const found = anchored ?? (fragment.startsWith('/') ? atPointer(target.root, fragment) : undefined)
    if (found === undefined) throw invalid(`${at}/${keyword} ${JSON.stringify(ref)} leads nowhere in the schema`)
    if (typeof found !== 'boolean' && !isJsonObject(found))
      throw invalid(`${at}/${keyword} ${JSON.stringify(ref)} leads to what is no schema`)
    if (!isJsonObject(found)) return
    // A reference may lead to a place that no keyword makes one of schemas.
    if (!this.#places.has(found)) this.#visit(found, `${at}/${keyword}`, depth + 1, target)
    this.#places.get(schema)?.onSame.push(found)
  }

  /** References may go around by way of a value's parts, which end somewhere; laid on the same value they never would. */
  #checkCircles(): void {
    const done = new Set<JsonObject>()
    const path = new Set<JsonObject>()
    const follow = (schema: JsonObject): void => {
      if (done.has(schema)) return
      if (path.has(schema)) {
        const around = [...path].slice([...path].indexOf(schema)).concat(schema)
        const names = around.map((one) => this.#places.get(one)?.at ?? '#').join(' → ')
        throw invalid(
          `it leads in a circle without going into the value, so that no check of it would end: ${names}. ` +
            'Take one of these references away, or put it under properties or items',
        )
      }
      path.add(schema)
      for (const next of this.#places.get(schema)?.onSame ?? []) follow(next)
      path.delete(schema)
      done.add(schema)
    }
    for (const schema of this.#places.keys()) follow(schema)
  }
}

function resolve(uri: string, base: string): string {
  const url = URL.canParse(uri, base === '' ? undefined : base)
    ? new URL(uri, base === '' ? undefined : base)
    : undefined
  return (url === undefined ? uri : url.href).replace(/#$/, '')
}

function atPointer(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function invalid(message: string): RondoError {
  return new RondoError('DEFINITION_INVALID', `The schema cannot be used: ${message}.`)
}
