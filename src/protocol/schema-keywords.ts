import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'

type Holds = 'schema' | 'list' | 'map'

/** Keywords that hold schemas, in 2020-12 and draft-07. */
const APPLICATORS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ['$defs', 'map'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['definitions', 'map'],
  ['dependencies', 'map'],
  ['dependentSchemas', 'map'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['items', 'schema'],
  ['not', 'schema'],
  ['oneOf', 'list'],
  ['patternProperties', 'map'],
  ['prefixItems', 'list'],
  ['properties', 'map'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
])

/** Keywords whose schemas are laid on the value itself, not on a part of it. */
export const IN_PLACE: ReadonlySet<string> = new Set(
  'allOf anyOf dependencies dependentSchemas else if not oneOf then'.split(' '),
)

/** What is no JSON Schema, but would be read as something by one engine or another: hosts would not agree. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['$async', 'is no keyword of JSON Schema. Take it away: schemas are checked at once'],
  ['id', 'is no keyword of this dialect. Write $id'],
  ['nullable', "is no keyword of JSON Schema. Write a list of types, such as type: ['string', 'null']"],
])

/** The types JSON Schema knows. */
const TYPES: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const isString = (value: unknown): boolean => typeof value === 'string'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0
const isStrings = (value: unknown): boolean => isUnique(value) && value.every(isString)
const isUnique = (value: unknown): value is unknown[] => Array.isArray(value) && new Set(value).size === value.length

/** What the value of a keyword must be, and how to say so. */
const VALUES: ReadonlyMap<string, readonly [check: (value: unknown) => boolean, what: string]> = new Map([
  ['$anchor', [isString, 'a string']],
  ['$dynamicAnchor', [isString, 'a string']],
  ['$dynamicRef', [isString, 'a string']],
  ['$id', [isString, 'a string']],
  ['$ref', [isString, 'a string']],
  [
    'dependentRequired',
    [(value) => isJsonObject(value) && Object.values(value).every(isStrings), 'an object of string arrays'],
  ],
  ['deprecated', [isBoolean, 'a boolean']],
  ['description', [isString, 'a string']],
  ['enum', [(value) => Array.isArray(value) && value.length > 0, 'an array that is not empty']],
  ['exclusiveMaximum', [isNumber, 'a number']],
  ['exclusiveMinimum', [isNumber, 'a number']],
  ['format', [isString, 'a string']],
  ['maxContains', [isCount, 'a whole number of at least 0']],
  ['maxItems', [isCount, 'a whole number of at least 0']],
  ['maxLength', [isCount, 'a whole number of at least 0']],
  ['maxProperties', [isCount, 'a whole number of at least 0']],
  ['maximum', [isNumber, 'a number']],
  ['minContains', [isCount, 'a whole number of at least 0']],
  ['minItems', [isCount, 'a whole number of at least 0']],
  ['minLength', [isCount, 'a whole number of at least 0']],
  ['minProperties', [isCount, 'a whole number of at least 0']],
  ['minimum', [isNumber, 'a number']],
  ['multipleOf', [(value) => isNumber(value) && (value as number) > 0, 'a number above 0']],
  ['pattern', [isPattern, 'a regular expression']],
  ['required', [isStrings, 'an array of different strings']],
  ['title', [isString, 'a string']],
  ['type', [isType, `one or several of ${[...TYPES].join(', ')}`]],
  ['uniqueItems', [isBoolean, 'a boolean']],
])

/** A schema within a schema: the keyword that holds it, and the key or index it has there. */
export interface Subschema {
  readonly keyword: string
  readonly key: string | number | undefined
  readonly schema: unknown
}

/** Where a value of a keyword is not what it must be: the keyword and what it must be, or `undefined`. */
export function badKeyword(schema: JsonObject): { readonly keyword: string; readonly expected: string } | undefined {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    const rule = VALUES.get(keyword)
    if (rule !== undefined && !rule[0](value)) return { keyword, expected: rule[1] }
    const holds = APPLICATORS.get(keyword)
    if (holds === 'list' && !(Array.isArray(value) && value.length > 0)) {
      return { keyword, expected: 'an array of schemas, not empty' }
    }
    if (holds === 'map' && !isJsonObject(value)) return { keyword, expected: 'an object of schemas' }
    if (keyword === 'patternProperties' && !Object.keys(value as object).every(isPattern)) {
      return { keyword, expected: 'an object whose keys are regular expressions' }
    }
  }
  return undefined
}

/** A keyword of another language, and what to do about it, or `undefined`. */
export function foreignKeyword(schema: JsonObject): { readonly keyword: string; readonly advice: string } | undefined {
  for (const [keyword, advice] of FOREIGN) if (schema[keyword] !== undefined) return { keyword, advice }
  return undefined
}

/** The schemas right below `schema`. */
export function subschemas(schema: JsonObject): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const holds = APPLICATORS.get(keyword)
    const value = schema[keyword]
    if (holds === undefined) continue
    if (Array.isArray(value)) value.forEach((item, key) => found.push({ keyword, key, schema: item }))
    else if (holds !== 'map') found.push({ keyword, key: undefined, schema: value })
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        // A draft-07 dependency may be a list of names.
        if (!Array.isArray(value[key])) found.push({ keyword, key, schema: value[key] })
      }
    }
  }
  return found
}

/** A schema's regular expression, with Unicode rules where it keeps to them. */
export function patternRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    patternRegExp(value)
    return true
  } catch {
    return false
  }
}

function isType(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && isUnique(value) && value.every((type) => TYPES.has(type))
    : TYPES.has(value)
}
