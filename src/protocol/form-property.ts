import { patternRegExp } from './schema-keywords.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { FORM_FORMATS, type PrimitiveSchemaDefinition, type TitledChoice } from './elicitation.ts'
import { valueProblem } from './form-value.ts'

/** Thrown while a property is converted: what of it a form cannot say. */
export class UnsayableError extends Error {
  readonly keyword: string

  constructor(keyword: string, message: string) {
    super(message)
    this.keyword = keyword
  }
}

/** Keywords that restrict a value: what is left of them in the end cannot be said. Any other is a remark, and dropped. */
const ASSERTIONS: readonly string[] = [
  '$dynamicRef',
  '$ref',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'contains',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'if',
  'items',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'required',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
]

/**
 * One property of an author's schema as a form says it.
 *
 * @param resolve Finds what a `$ref` leads to.
 * @throws UnsayableError naming the keyword.
 * @see client/elicitation, "Requested Schema", of the specification
 */
export function formProperty(schema: unknown, resolve: (ref: string) => unknown): PrimitiveSchemaDefinition {
  const source = dereference(schema, resolve)
  const definition = { ...converted(source, resolve), ...labels(source) }
  const withDefault = 'default' in source ? { ...definition, default: source['default'] } : definition
  const result = withDefault as unknown as PrimitiveSchemaDefinition
  const problem = 'default' in source ? valueProblem(result, source['default']) : undefined
  if (problem !== undefined) throw new UnsayableError('default', `the default ${problem}`)
  return result
}

/** The pattern of a property, which no form can say. */
export function patternOf(schema: unknown, resolve: (ref: string) => unknown): RegExp | undefined {
  const { pattern } = dereference(schema, resolve)
  return typeof pattern === 'string' ? patternRegExp(pattern) : undefined
}

/** Refuses every keyword of `schema` that restricts a value, but for those `allowed`. */
export function refuseOthers(schema: JsonObject, allowed: readonly string[]): void {
  const unsayable = ASSERTIONS.find((keyword) => Object.hasOwn(schema, keyword) && !allowed.includes(keyword))
  if (unsayable !== undefined) throw new UnsayableError(unsayable, 'a form cannot say it')
}

function converted(source: JsonObject, resolve: (ref: string) => unknown): JsonObject {
  const choices = choicesOf(source, resolve)
  if (choices !== undefined) {
    if (source['type'] !== undefined && source['type'] !== 'string')
      throw new UnsayableError('type', 'choices must be text')
    refuseOthers(source, ['anyOf', 'const', 'enum', 'oneOf'])
    return { type: 'string', ...(isTitled(choices) ? { oneOf: titled(choices) } : { enum: choices.map(valueOf) }) }
  }
  switch (source['type']) {
    case 'string':
      return text(source)
    case 'number':
    case 'integer':
      return number(source)
    case 'boolean':
      refuseOthers(source, [])
      return { type: 'boolean' }
    case 'array':
      return list(source, resolve)
    default:
      return refuseType(source)
  }
}

function text(source: JsonObject): JsonObject {
  const { format } = source
  const isKnown = (FORM_FORMATS as readonly unknown[]).includes(format)
  if (format !== undefined && !isKnown) {
    throw new UnsayableError('format', `${JSON.stringify(format)} is not one of ${FORM_FORMATS.join(', ')}`)
  }
  // Libraries write a pattern beside the formats that forms know.
  refuseOthers(source, ['format', 'maxLength', 'minLength', ...(isKnown ? ['pattern'] : [])])
  return { type: 'string', ...pick(source, ['minLength', 'maxLength', 'format']) }
}

function number(source: JsonObject): JsonObject {
  const { multipleOf } = source
  const type = source['type'] === 'integer' || multipleOf === 1 ? 'integer' : 'number'
  const exclusive = type === 'integer' ? ['exclusiveMinimum', 'exclusiveMaximum'] : []
  refuseOthers(source, ['minimum', 'maximum', ...exclusive, ...(multipleOf === 1 ? ['multipleOf'] : [])])
  const minimum = strictest(Math.max, source['minimum'], source['exclusiveMinimum'], (n) => Math.floor(n) + 1)
  const maximum = strictest(Math.min, source['maximum'], source['exclusiveMaximum'], (n) => Math.ceil(n) - 1)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw new UnsayableError('minimum', `no number is at least ${minimum} and at most ${maximum}`)
  return {
    type,
    // The bounds of whole numbers in JavaScript are no wish of the author's.
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  }
}

function strictest(
  choose: (a: number, b: number) => number,
  inclusive: unknown,
  exclusive: unknown,
  next: (bound: number) => number,
): number | undefined {
  const bound = typeof exclusive === 'number' ? next(exclusive) : undefined
  if (typeof inclusive !== 'number') return bound
  return bound === undefined ? inclusive : choose(inclusive, bound)
}

function list(source: JsonObject, resolve: (ref: string) => unknown): JsonObject {
  const items = isJsonObject(source['items']) ? dereference(source['items'], resolve) : undefined
  const choices = items && choicesOf(items, resolve)
  if (items === undefined || choices === undefined)
    throw new UnsayableError('items', 'a list in a form is of fixed choices')
  refuseOthers(items, ['anyOf', 'const', 'enum', 'oneOf'])
  const { minItems } = source
  if (typeof minItems === 'number' && minItems > choices.length)
    throw new UnsayableError('minItems', `there are only ${choices.length} choices`)
  // Choices are ticked or not, so that each comes once anyway.
  refuseOthers(source, ['items', 'maxItems', 'minItems', ...(source['uniqueItems'] === true ? ['uniqueItems'] : [])])
  return {
    type: 'array',
    ...pick(source, ['minItems', 'maxItems']),
    items: isTitled(choices) ? { anyOf: titled(choices) } : { type: 'string', enum: choices.map(valueOf) },
  }
}

function refuseType({ type, anyOf, oneOf, ...source }: JsonObject): never {
  const branches = Array.isArray(anyOf) ? anyOf : oneOf
  const isNull = (branch: unknown) => isJsonObject(branch) && branch['type'] === 'null'
  if ((Array.isArray(type) && type.includes('null')) || (Array.isArray(branches) && branches.some(isNull))) {
    throw new UnsayableError('null', 'a form cannot give null; make the property optional instead')
  }
  if (Array.isArray(branches))
    throw new UnsayableError(anyOf === undefined ? 'oneOf' : 'anyOf', 'only a union of texts can be chosen from')
  if (type === undefined) refuseOthers(source, [])
  const shown = type === undefined ? 'it has none' : JSON.stringify(type)
  throw new UnsayableError('type', `a form takes string, number, integer, boolean, and arrays of choices; ${shown}`)
}

interface Choice {
  readonly value: string
  readonly title: string | undefined
}

/** What `schema` lets one choose from, when it is nothing but a choice of texts. */
function choicesOf(schema: JsonObject, resolve: (ref: string) => unknown): readonly Choice[] | undefined {
  const { const: constant, enum: values, enumNames, anyOf, oneOf } = schema
  if (constant !== undefined) {
    if (typeof constant !== 'string') throw new UnsayableError('const', 'a fixed value in a form must be text')
    return [{ value: constant, title: undefined }]
  }
  if (Array.isArray(values)) {
    if (values.length === 0 || !values.every((value) => typeof value === 'string')) {
      throw new UnsayableError('enum', 'choices in a form must be texts')
    }
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
    return distinct(
      values.map((value, index) => ({ value, title: typeof names[index] === 'string' ? names[index] : undefined })),
    )
  }
  const branches = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(branches)) return undefined
  const choices = branches.map((branch) => branchChoices(dereference(branch, resolve), resolve))
  if (choices.some((choice) => choice === undefined)) return undefined
  return distinct(choices.flatMap((choice) => choice ?? []))
}

function branchChoices(branch: JsonObject, resolve: (ref: string) => unknown): readonly Choice[] | undefined {
  if (branch['type'] !== undefined && branch['type'] !== 'string') return undefined
  if (ASSERTIONS.some((keyword) => keyword in branch && !['anyOf', 'const', 'enum', 'oneOf'].includes(keyword)))
    return undefined
  const choices = choicesOf(branch, resolve)
  const { title } = branch
  return choices?.length === 1 && typeof title === 'string' ? choices.map(({ value }) => ({ value, title })) : choices
}

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((choice) => [choice.value, choice])).values()]
}

function isTitled(choices: readonly Choice[]): boolean {
  return choices.some(({ title }) => title !== undefined)
}

function titled(choices: readonly Choice[]): TitledChoice[] {
  return choices.map(({ value, title = value }) => ({ const: value, title }))
}

function valueOf({ value }: Choice): string {
  return value
}

function dereference(schema: unknown, resolve: (ref: string) => unknown): JsonObject {
  let found = schema
  for (let hops = 0; isJsonObject(found) && typeof found['$ref'] === 'string'; hops++) {
    if (hops > 20) throw new UnsayableError('$ref', 'it leads in a circle')
    const { $ref, ...beside } = found
    const target = resolve($ref)
    found = isJsonObject(target) ? { ...target, ...beside } : target
  }
  if (!isJsonObject(found)) throw new UnsayableError('type', 'a form needs to know the type')
  return found
}

function labels(source: JsonObject): JsonObject {
  return pick(source, ['title', 'description'])
}

function pick(source: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]))
}
