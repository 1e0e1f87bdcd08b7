import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { CliError } from './cli-error.ts'
import { nearest } from './did-you-mean.ts'
import { EXIT } from './exit-codes.ts'
import { oneLine } from './terminal/harmless.ts'

/** How arguments were typed on the command line. */
export interface TypedArguments {
  /** Each `--arg key=value`. */
  readonly pairs: readonly string[]
  /** `--args`, a JSON object. Pairs go over it. */
  readonly json: string | undefined
}

/**
 * Arguments of a call, each value read as the tool's input schema types it: `count=3` is a number where the schema has a
 * number and a text where it has a text. A key given more than once is a list where the schema has one.
 *
 * @throws CliError naming the argument and what is wrong
 */
export function toolArguments(
  typed: TypedArguments,
  inputSchema: JsonObject,
  of: 'tool' | 'prompt' = 'tool',
): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(readObject(typed.json)))
  const pairs = grouped(typed.pairs)
  const unknown = [...values.keys(), ...pairs.keys()].find((key) => propertyOf(inputSchema, key) === undefined)
  if (unknown !== undefined && isClosed(inputSchema)) throw unknownArgument(unknown, inputSchema, of)
  for (const [key, texts] of pairs) values.set(key, valueOf(key, texts, propertyOf(inputSchema, key) ?? {}))
  refuseMissing(values, inputSchema)
  for (const [key, value] of values) refuseUnlisted(key, value, propertyOf(inputSchema, key))
  return Object.fromEntries(values)
}

/** Whether an argument the schema does not name is a mistake: it names some, and does not say that more are welcome. */
function isClosed(schema: Property): boolean {
  const { additionalProperties, patternProperties, properties } = schema
  if (patternProperties !== undefined || '$ref' in schema) return false
  if (additionalProperties !== undefined) return additionalProperties === false
  return isJsonObject(properties) && partsOf(schema).length === 0
}

function refuseMissing(values: ReadonlyMap<string, unknown>, schema: Property): void {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required.filter((name) => !values.has(name))
  if (missing.length === 0) return
  const told = missing.map((name) => {
    const choices = propertyOf(schema, name)?.enum
    const oneOf = Array.isArray(choices) ? ` (one of ${choices.map(String).join(', ')})` : ''
    return oneLine(`${oneLine(name, 60)} is required${oneOf}`, 300)
  })
  throw new CliError(EXIT.usage, `${told.join('; ')}.`, `Give it with --arg ${oneLine(missing[0] ?? '', 60)}=…`)
}

/** A value that is none of a list's is told here, where the choices can be named. */
function refuseUnlisted(key: string, value: unknown, schema: Property | undefined): void {
  const choices = schema?.enum
  if (!Array.isArray(choices) || typeof value === 'object' || choices.includes(value)) return
  const listed = oneLine(choices.map(String).join(', '), 300)
  throw new CliError(
    EXIT.usage,
    `Argument "${oneLine(key, 60)}" must be one of ${listed}, not ${oneLine(JSON.stringify(value), 80)}.`,
  )
}

function readObject(json: string | undefined): object {
  if (json === undefined) return {}
  const parsed = parse(json)
  if (isJsonObject(parsed)) return parsed
  throw new CliError(EXIT.usage, '--args takes a JSON object.', 'For example: --args \'{"env":"staging"}\'')
}

function grouped(pairs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) {
      const name = at < 0 && /^[\w.-]+$/.test(pair) ? pair : 'env'
      throw new CliError(
        EXIT.usage,
        `--arg takes key=value, not ${JSON.stringify(pair)}.`,
        `For example: --arg ${name}=…`,
      )
    }
    const key = pair.slice(0, at)
    byKey.set(key, [...(byKey.get(key) ?? []), pair.slice(at + 1)])
  }
  return byKey
}

type Property = Readonly<JsonObject>

/** Schema of a property, looked for in the schema itself and in the parts of a union or of `allOf`. */
function propertyOf(schema: Property, key: string): Property | undefined {
  const properties = schema.properties
  if (isJsonObject(properties) && Object.hasOwn(properties, key))
    return isJsonObject(properties[key]) ? properties[key] : {}
  for (const part of partsOf(schema)) {
    const found = propertyOf(part, key)
    if (found !== undefined) return found
  }
  return undefined
}

function partsOf(schema: Property): readonly Property[] {
  return ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
    const parts = schema[keyword]
    return Array.isArray(parts) ? parts.filter(isJsonObject) : []
  })
}

function valueOf(key: string, texts: readonly string[], schema: Property): unknown {
  const types = typesOf(schema)
  if (types.has('array') && !(texts.length === 1 && parse(texts[0] ?? '') instanceof Array)) {
    const items = isJsonObject(schema.items) ? schema.items : {}
    return texts.map((text) => scalarOf(key, text, items))
  }
  if (texts.length > 1)
    throw new CliError(EXIT.usage, `Argument "${key}" is given ${texts.length} times and is not a list.`)
  return scalarOf(key, texts[0] ?? '', schema)
}

/** Types a value may have, by the schema's own word, its constants, and the parts of a union. */
function typesOf(schema: Property): ReadonlySet<string> {
  const { type } = schema
  const own = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []
  const constants = [...(Array.isArray(schema.enum) ? schema.enum : []), ...('const' in schema ? [schema.const] : [])]
  return new Set([...own, ...constants.map(jsonType), ...partsOf(schema).flatMap((part) => [...typesOf(part)])])
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function scalarOf(key: string, text: string, schema: Property): unknown {
  const types = typesOf(schema)
  const parsed = parse(text)
  // Without a type nothing says what is meant: JSON where it reads as JSON, else the text.
  if (types.size === 0) return parsed ?? (text === 'null' ? null : text)
  if (types.has('null') && text === 'null') return null
  if ((types.has('number') || types.has('integer')) && typeof parsed === 'number') return parsed
  if (types.has('boolean') && BOOLEANS.has(text)) return BOOLEANS.get(text)
  if (types.has('object') && isJsonObject(parsed)) return parsed
  if (types.has('array') && Array.isArray(parsed)) return parsed
  if (types.has('string')) return text
  const wanted = [...types].join(' or ')
  throw new CliError(EXIT.usage, `Argument "${oneLine(key)}" must be ${wanted}, not ${JSON.stringify(text)}.`)
}

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unknownArgument(key: string, schema: Property, of: 'tool' | 'prompt'): CliError {
  const known = isJsonObject(schema.properties) ? Object.keys(schema.properties).map((name) => oneLine(name, 60)) : []
  const meant = nearest(key, known)
  const takes = known.length === 0 ? 'It takes no arguments.' : `It takes: ${known.join(', ')}`
  const hint = meant === undefined ? takes : `Did you mean "${meant}"? ${takes}`
  return new CliError(EXIT.usage, `The ${of} has no argument "${oneLine(key, 60)}".`, hint)
}
