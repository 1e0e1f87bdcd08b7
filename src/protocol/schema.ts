import { isJsonObject } from '../jsonrpc/json-object.ts'
import { createValidator } from '#validator'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type Issue } from './issue.ts'
import { copyJson, copyWritten, isPlainObject } from './json-copy.ts'
import { checkJsonSchema, dialectOf } from './json-schema.ts'
import {
  isStandardSchema,
  type Schema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard-schema.ts'

export { type Issue } from './issue.ts'

/** Outcome of a validation: the value as the schema made it, or what is wrong with it. */
export type Validated =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly Issue[] }

/** A schema, ready for use. */
export interface CompiledSchema {
  /** Its JSON Schema: checked, frozen, without `$schema` where that says the default. */
  readonly json: JsonObject
  /** Checks a value, and transforms it as the author's schema says. A promise only where that schema gives one. */
  validate(value: unknown): Validated | Promise<Validated>
}

/**
 * Makes a schema of any library, or a plain JSON Schema, ready for use. Conversion and checks happen at once; what
 * validates against a plain JSON Schema is loaded and compiled when the first value comes.
 *
 * The root of an `input` is an object: a union of objects is given `type: 'object'`.
 *
 * @throws RondoError `DEFINITION_INVALID` saying what and where.
 * @see basic/index, "JSON Schema Usage", of the specification
 */
export function compileSchema(schema: Schema, role: 'input' | 'output'): CompiledSchema {
  const converted = toJsonSchema(schema, role)
  const json = role === 'input' ? withObjectRoot(converted) : converted
  checkJsonSchema(json, isStandardSchema(schema) ? 'library' : 'author')
  return isStandardSchema(schema)
    ? { json, validate: (value) => validateStandard(schema, value) }
    : { json, validate: plainValidator(json) }
}

/**
 * The JSON Schema of `schema`, copied and frozen; not yet checked.
 *
 * @throws RondoError `DEFINITION_INVALID` when its library cannot say it in JSON Schema.
 */
export function toJsonSchema(schema: Schema, role: 'input' | 'output'): JsonObject {
  const isConverted = isStandardSchema(schema)
  const source: unknown = isConverted ? convert(schema, role) : schema
  if (!isPlainObject(source)) throw invalid('it is neither a JSON Schema object nor a Standard Schema')
  const { $schema, ...rest } = source
  const isDefault = isConverted && dialectOf({ $schema }) === '2020-12'
  try {
    // What authors hang on a library's schema, such as functions in its metadata, is theirs and left out.
    return (isConverted ? copyJson(isDefault ? rest : source, 'schema') : copyWritten(source, 'schema')) as JsonObject
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

/** Runs a library's own validation. */
export function validateStandard(schema: StandardSchema, value: unknown): Validated | Promise<Validated> {
  try {
    const result = schema['~standard'].validate(value)
    return 'then' in result ? result.then(toValidated, tooDeep) : toValidated(result)
  } catch (error) {
    return tooDeep(error)
  }
}

/**
 * A value may be nested deeper than a recursive schema can follow: that is for who sent it to hear.
 *
 * @throws whatever else it is.
 */
function tooDeep(error: unknown): Validated {
  if (!(error instanceof RangeError && /call stack/.test(error.message))) throw error
  return { ok: false, issues: [{ path: [], message: 'is nested too deep' }] }
}

function convert(schema: StandardSchema, role: 'input' | 'output'): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard']
  if (typeof (jsonSchema as Partial<typeof jsonSchema> | undefined)?.[role] !== 'function') {
    throw invalid(`schemas of ${vendor} as given here have no JSON Schema. ${adviceFor(vendor)}`)
  }
  try {
    return jsonSchema[role]({ target: 'draft-2020-12' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw invalid(`${vendor} cannot say it in JSON Schema: ${reason}`, cause)
  }
}

function adviceFor(vendor: string): string {
  if (vendor === 'valibot') return 'Wrap it: toStandardJsonSchema(schema), from @valibot/to-json-schema'
  if (vendor === 'zod') return 'Use zod 4.2 or newer'
  return 'Use a version of the library that follows Standard JSON Schema, or give a JSON Schema object'
}

function plainValidator(json: JsonObject): CompiledSchema['validate'] {
  let find: ((value: unknown) => readonly Issue[] | undefined) | undefined
  return (value) => {
    find ??= createValidator(json)
    try {
      const issues = find(value)
      return issues === undefined ? { ok: true, value } : { ok: false, issues }
    } catch (error) {
      return tooDeep(error)
    }
  }
}

function toValidated(result: StandardResult<unknown>): Validated {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, issues: result.issues.map(toIssue) }
}

function toIssue({ message, path = [] }: StandardIssue): Issue {
  return {
    message,
    // Not `path.map`: some libraries give an array of a class of their own.
    path: Array.from(path, (part) => {
      const key = typeof part === 'object' ? part.key : part
      return typeof key === 'symbol' ? String(key) : key
    }),
  }
}

function withObjectRoot(json: JsonObject): JsonObject {
  if (json['type'] === 'object') return json
  if (!mayBeObject(json)) {
    const { type } = json
    const is = type === undefined ? '' : `, not of the type ${JSON.stringify(type)}`
    throw invalid(`the root of an input must be an object${is}. Give what it holds a name: z.object({ name: … })`)
  }
  return copyJson(
    { type: 'object', ...json, ...(json['type'] !== undefined && { type: 'object' }) },
    'schema',
  ) as JsonObject
}

/** Whether an object may fit, by the types at the root and in its unions; a reference is taken at its word. */
function mayBeObject(json: JsonObject): boolean {
  const { type, anyOf, oneOf, allOf } = json
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return false
  if ('const' in json && !isJsonObject(json['const'])) return false
  if (Array.isArray(json['enum']) && !json['enum'].some(isJsonObject)) return false
  const some = (list: unknown) =>
    !Array.isArray(list) || list.some((branch) => !isJsonObject(branch) || mayBeObject(branch))
  const every = (list: unknown) =>
    !Array.isArray(list) || list.every((branch) => !isJsonObject(branch) || mayBeObject(branch))
  return some(anyOf) && some(oneOf) && every(allOf)
}

function invalid(message: string, cause?: unknown): RondoError {
  return new RondoError('DEFINITION_INVALID', `The schema cannot be used: ${message}.`, { cause })
}
