import { isJsonObject } from '../jsonrpc/json-object.ts'
import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type PrimitiveSchemaDefinition, type RequestedSchema } from './elicitation.ts'
import { formProperty, patternOf, refuseOthers, UnsayableError } from './form-property.ts'
import { valueProblem } from './form-value.ts'
import { type Issue, pathText } from './issue.ts'
import { copyJson, setOwn } from './json-copy.ts'
import { checkJsonSchema, resolvePointer } from './json-schema.ts'
import { toJsonSchema, type Validated, validateStandard } from './schema.ts'
import { isStandardSchema, type Schema } from './standard-schema.ts'

/** A form, ready to be asked. */
export interface CompiledForm {
  /** What goes to the client: a flat, closed object, frozen. */
  readonly requestedSchema: RequestedSchema
  /**
   * Checks accepted content, and transforms it as the author's schema says. Of a plain JSON Schema, properties that were
   * not asked for are dropped. A promise only where the author's schema gives one.
   */
  validate(content: unknown): Validated | Promise<Validated>
}

/** Parts of a root that say nothing about its value, or that every form has. */
const ROOT = ['$ref', 'additionalProperties', 'properties', 'required', 'unevaluatedProperties']

/**
 * Turns an author's schema into a form: a flat object of texts, numbers, booleans and choices. What such a form cannot say
 * is refused rather than lost: a pattern beside a format that forms know, bounds at ±(2^53−1), and `additionalProperties`
 * are the exceptions.
 *
 * @throws RondoError `ASK_SCHEMA` naming the property and the keyword.
 * @see client/elicitation, "Requested Schema", of the specification
 */
export function compileForm(schema: Schema): CompiledForm {
  const json = inputSchema(schema)
  const requestedSchema = toForm(json)
  if (isStandardSchema(schema)) return { requestedSchema, validate: (content) => validateStandard(schema, content) }
  const patterns = patternsOf(json)
  return { requestedSchema, validate: (content) => validatePlain(requestedSchema, patterns, content) }
}

type Patterns = readonly (readonly [name: string, pattern: RegExp])[]

/** Patterns that the form cannot say, and that an answer is held to all the same (E17). */
function patternsOf(json: JsonObject): Patterns {
  return Object.entries(givenProperties(rootOf(json))).flatMap(([name, given]) => {
    const pattern = patternOf(given, (ref) => resolvePointer(json, ref))
    return pattern === undefined ? [] : [[name, pattern] as const]
  })
}

function rootOf(json: JsonObject): JsonObject {
  const { $ref } = json
  return typeof $ref === 'string' ? { ...(resolvePointer(json, $ref) as JsonObject), ...json } : json
}

function givenProperties({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

/**
 * The content with the asked schema's defaults where it has no own property, or `undefined`; `false`, `0`, `""` and `null`
 * are kept.
 */
export function fillDefaults(
  requested: RequestedSchema,
  content: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const filled = { ...content }
  for (const [name, definition] of propertiesOf(requested)) {
    const given = Object.hasOwn(content, name) ? content[name] : undefined
    if (given === undefined && definition.default !== undefined) setOwn(filled, name, definition.default)
  }
  return filled
}

/** What of the content does not fit the asked schema, for people, or `undefined`. */
export function checkContent(requested: RequestedSchema, content: unknown): string | undefined {
  const issues = contentIssues(requested, content)
  if (issues.length === 0) return undefined
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`)).join('; ')
}

function inputSchema(schema: Schema): JsonObject {
  try {
    const json = toJsonSchema(schema, 'input')
    checkJsonSchema(json, isStandardSchema(schema) ? 'library' : 'author')
    return json
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) throw new RondoError('ASK_SCHEMA', error.message, { cause: error })
    throw error
  }
}

function toForm(json: JsonObject): RequestedSchema {
  const resolve = (ref: string): unknown => resolvePointer(json, ref)
  const root = rootOf(json)
  at(undefined, () => {
    if (root['type'] !== 'object') throw new UnsayableError('type', 'a form is an object')
    refuseOthers(root, ROOT)
  })
  const properties: Record<string, PrimitiveSchemaDefinition> = {}
  const given = givenProperties(root)
  for (const name of Object.keys(given))
    setOwn(
      properties,
      name,
      at(name, () => formProperty(given[name], resolve)),
    )
  const required = (root['required'] ?? []) as readonly string[]
  const stranger = required.find((name) => !Object.hasOwn(properties, name))
  at(undefined, () => {
    if (stranger !== undefined) throw new UnsayableError('required', `there is no property ${JSON.stringify(stranger)}`)
  })
  const form = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return copyJson(form, 'requestedSchema') as RequestedSchema
}

function at<T>(property: string | undefined, convert: () => T): T {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof UnsayableError)) throw error
    const place = property === undefined ? 'its root' : `its property ${JSON.stringify(property)}`
    throw new RondoError(
      'ASK_SCHEMA',
      `The schema cannot be asked as a form: ${error.keyword} of ${place}: ${error.message}. ` +
        'Forms are flat: leave the rest to the handler, or ask by url.',
      { data: { property, keyword: error.keyword } },
    )
  }
}

function validatePlain(requested: RequestedSchema, patterns: Patterns, content: unknown): Validated {
  if (!isJsonObject(content)) return { ok: false, issues: contentIssues(requested, content) }
  const known: Record<string, unknown> = {}
  for (const [name] of propertiesOf(requested)) if (Object.hasOwn(content, name)) setOwn(known, name, content[name])
  const issues = contentIssues(requested, known)
  for (const [name, pattern] of patterns) {
    const value = known[name]
    if (typeof value === 'string' && !pattern.test(value))
      issues.push({ path: [name], message: `must match ${pattern.source}` })
  }
  return issues.length === 0 ? { ok: true, value: known } : { ok: false, issues }
}

function contentIssues(requested: RequestedSchema, content: unknown): Issue[] {
  if (!isJsonObject(content)) return [{ path: [], message: 'the content must be an object' }]
  const issues: Issue[] = []
  const definitions = new Map(propertiesOf(requested))
  const required: readonly unknown[] =
    isJsonObject(requested) && Array.isArray(requested.required) ? requested.required : []
  for (const name of required) {
    if (typeof name === 'string' && !(Object.hasOwn(content, name) && content[name] !== undefined)) {
      issues.push({ path: [name], message: 'is required' })
    }
  }
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue
    const definition = definitions.get(name)
    const message = definition === undefined ? 'was not asked for' : valueProblem(definition, value)
    if (message !== undefined) issues.push({ path: [name], message })
  }
  return issues
}

/** The properties of a form that may come from a peer. */
function propertiesOf(requested: RequestedSchema): [string, PrimitiveSchemaDefinition][] {
  return isJsonObject(requested) && isJsonObject(requested.properties)
    ? Object.entries(requested.properties).filter(([, definition]) => isJsonObject(definition))
    : []
}
