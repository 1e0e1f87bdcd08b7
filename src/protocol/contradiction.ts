import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'

/** Pairs of keywords whose first may not be above the second. */
const RANGES: readonly (readonly [low: string, high: string])[] = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minContains', 'maxContains'],
]

/** Pairs of which one bound is out of the range itself, so that they may not even be equal. */
const OPEN_RANGES: readonly (readonly [low: string, high: string])[] = [
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
]

/** Why no value can ever fit `schema` by its own keywords, as one sentence, or `undefined`. */
export function contradiction(schema: JsonObject): string | undefined {
  const range =
    RANGES.find((pair) => isAbove(schema, pair, (low, high) => low > high)) ??
    OPEN_RANGES.find((pair) => isAbove(schema, pair, (low, high) => low >= high))
  if (range !== undefined) {
    const [low, high] = range
    return `${low} (${String(schema[low])}) and ${high} (${String(schema[high])}) leave no value between them`
  }
  const barred = barredProperty(schema)
  return barred && `the property ${JSON.stringify(barred)} is required, and additionalProperties: false bars it`
}

/** The first value that stands in an `enum` twice, as JSON text, or `undefined`. */
export function repeatedChoice(schema: JsonObject): string | undefined {
  const { enum: values } = schema
  const texts = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : []
  return texts.find((text, index) => texts.indexOf(text) !== index)
}

function isAbove(
  schema: JsonObject,
  [lowName, highName]: readonly [string, string],
  breaks: (low: number, high: number) => boolean,
): boolean {
  const { [lowName]: low, [highName]: high } = schema
  return typeof low === 'number' && typeof high === 'number' && breaks(low, high)
}

function barredProperty({
  required,
  properties = {},
  patternProperties,
  additionalProperties,
}: JsonObject): string | undefined {
  if (additionalProperties !== false || patternProperties !== undefined || !Array.isArray(required)) return undefined
  return (required as readonly string[]).find((name) => !isJsonObject(properties) || !Object.hasOwn(properties, name))
}
