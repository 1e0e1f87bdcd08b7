import { isJsonObject } from '../jsonrpc/json-object.ts'
import { createRequire } from 'node:module'
import type { Validator } from '@cfworker/json-schema'
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import type { Ajv as Ajv07 } from 'ajv'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { interpreter } from './interpreter.ts'
import { type Issue, pointerPath } from './issue.ts'
import { type Dialect, dialectOf } from './json-schema.ts'
import { patternRegExp, subschemas } from './schema-keywords.ts'

type Engine = Ajv2020 | Ajv07
type Find = (value: unknown) => readonly Issue[] | undefined

interface Kind {
  readonly dialect: Dialect
  readonly allErrors: boolean
  readonly ownProperties: boolean
}

/** Names every object has, as JSON text. A schema that speaks of one is checked by own properties, at twice the time. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name))

/** The one name of a property that the compiler leaves unchecked. */
const PROTO = JSON.stringify('__proto__')

/** What a value may hold for all its issues to be looked for; a larger one gets the first alone. */
const SMALL = 1_000

/** Properties, branches and the like of one schema from which on a schema is interpreted for good: compiling them takes seconds, or the stack. */
const WIDE = 500

/** How many values are checked without the compiler: loading it takes longer than all the rest of a start. */
const UNCOMPILED = 16

/** Keywords that both engines surely read in the same way, beside those that check nothing. */
const PLAIN: ReadonlySet<string> = new Set(
  '$comment $schema additionalProperties default description enum examples format items maxItems maxLength maximum minItems minLength minimum properties required title type'.split(
    ' ',
  ),
)

const load = createRequire(import.meta.url)
const engines = new Map<string, Engine>()

/**
 * A function that finds what is wrong with a value by `json`, or gives `undefined`. `format` is an annotation. An engine is
 * loaded here, so call it when the first value comes.
 *
 * The first values of a plain schema, while none was compiled yet, are interpreted; whatever is found wrong is found by the
 * compiled validator. A schema too wide to be compiled is interpreted for good.
 */
export function createValidator(json: JsonObject): Find {
  let fits = engines.size === 0 && isPlain(json) && !namesInherited(json) ? interpreted(json) : undefined
  let find: Find | undefined
  let seen = 0
  return (value) => {
    if (fits !== undefined) {
      if (fits(value) === undefined && ++seen < UNCOMPILED) return undefined
      fits = undefined
    }
    find ??= compiledOnce(json)
    return find(value)
  }
}

function interpreted(json: JsonObject): Find {
  const engine = load('@cfworker/json-schema') as { Validator: typeof Validator }
  return interpreter(engine.Validator, json)
}

/** Whatever comes of it, it is not tried again for each value. */
function compiledOnce(json: JsonObject): Find {
  if (isWide(json) || JSON.stringify(json).includes(PROTO)) return interpreted(json)
  try {
    return compiled(json)
  } catch (error) {
    // What the compiler has not the stack for, the interpreter goes through all the same.
    if (error instanceof RangeError) return interpreted(json)
    return () => {
      throw error
    }
  }
}

function isWide(schema: JsonObject): boolean {
  const parts = subschemas(schema)
  if (parts.filter(({ keyword }) => keyword !== '$defs' && keyword !== 'definitions').length > WIDE) return true
  return parts.some(({ schema: below }) => isJsonObject(below) && isWide(below))
}

function isPlain(schema: JsonObject): boolean {
  if (!Object.keys(schema).every((keyword) => PLAIN.has(keyword) || keyword.startsWith('x-'))) return false
  return subschemas(schema).every(({ schema: below }) => !isJsonObject(below) || isPlain(below))
}

function namesInherited(json: JsonObject): boolean {
  const text = JSON.stringify(json)
  return INHERITED.some((name) => text.includes(name))
}

function compiled(json: JsonObject): Find {
  const first = compile(json, false)
  let all: ValidateFunction | undefined
  return (value) => {
    if (first(value)) return undefined
    if (!isSmall(value)) return issuesOf(first, value)
    all ??= compile(json, true)
    all(value)
    return issuesOf(all, value)
  }
}

function compile(json: JsonObject, allErrors: boolean): ValidateFunction {
  const text = JSON.stringify(json)
  const kind: Kind = {
    dialect: dialectOf(json),
    allErrors,
    ownProperties: INHERITED.some((name) => text.includes(name)),
  }
  // An engine keeps the ids of every schema it saw, and two schemas may use the same one.
  if (text.includes('"$id"')) return newEngine(kind).compile(json)
  const key = JSON.stringify(kind)
  let engine = engines.get(key)
  if (engine === undefined) engines.set(key, (engine = newEngine(kind)))
  const validate = engine.compile(json)
  engine.removeSchema(json)
  return validate
}

function newEngine({ dialect, allErrors, ownProperties }: Kind): Engine {
  const { default: Ajv } = load(dialect === '2020-12' ? 'ajv/dist/2020.js' : 'ajv') as {
    default: new (options: Options) => Engine
  }
  return new Ajv({
    allErrors,
    ownProperties,
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    // 19.99 is a multiple of 0.01, whatever binary fractions say; the interpreter holds it to as much.
    multipleOfPrecision: 7,
    code: { regExp: Object.assign((pattern: string) => patternRegExp(pattern), { code: 'patternRegExp' }) },
  })
}

function issuesOf({ errors }: ValidateFunction, value: unknown): readonly Issue[] {
  // What an applicator reports of itself says nothing that its parts do not, and comes after them.
  const telling = (errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames')
  return (telling.length === 0 ? (errors ?? []) : telling).map((error) => ({
    path: pointerPath(error.instancePath, value),
    message: messageOf(error),
  }))
}

function messageOf({ keyword, message = 'does not fit', params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<string, unknown>
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `has the unknown property ${JSON.stringify(additionalProperty ?? unevaluatedProperty)}`
    case 'enum':
      return `must be one of ${JSON.stringify(allowedValues)}`
    case 'const':
      return `must be ${JSON.stringify(allowedValue)}`
    default:
      return message
  }
}

function isSmall(value: unknown): boolean {
  let left = SMALL
  const count = (part: unknown): boolean => {
    if (--left < 0) return false
    return typeof part !== 'object' || part === null || Object.values(part).every(count)
  }
  return count(value)
}
