import { RondoError } from '../errors/rondo-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { FORM_FORMATS, type PrimitiveSchemaDefinition } from '../protocol/elicitation.ts'
import { valueProblem } from '../protocol/form-value.ts'
import { isPlainObject } from '../protocol/json-copy.ts'
import type { ChoiceList } from './ask.ts'

/**
 * The property of a form that asks yes or no. Like the others here it throws `ASK_SCHEMA` for options that make no
 * question.
 */
export function booleanProperty(options: object): JsonObject {
  return checked({ type: 'boolean', ...picked(options, ['title', 'default']) })
}

/** The property of a form that asks for a text. */
export function textProperty(options: object): JsonObject {
  const property = checked({
    type: 'string',
    ...picked(options, ['title', 'default', 'minLength', 'maxLength', 'format']),
  })
  const { minLength, maxLength, format } = property
  checkBounds(minLength, maxLength, isCount, 'minLength', 'maxLength')
  if (format !== undefined && !(FORM_FORMATS as readonly unknown[]).includes(format)) {
    throw unusable(`its format is none of ${FORM_FORMATS.join(', ')}`)
  }
  return property
}

/** The property of a form that asks for a number. */
export function numberProperty(options: object): JsonObject {
  const { integer } = options as { integer?: unknown }
  if (integer !== undefined && typeof integer !== 'boolean') throw unusable('its integer is neither true nor false')
  const property = checked({
    type: integer === true ? 'integer' : 'number',
    ...picked(options, ['title', 'default', 'minimum', 'maximum']),
  })
  checkBounds(property['minimum'], property['maximum'], Number.isFinite, 'minimum', 'maximum')
  return property
}

/** The property of a form that asks for one of a list, or several with `multiple`. */
export function choiceProperty(list: ChoiceList<string>, options: object): JsonObject {
  const { multiple } = options as { multiple?: unknown }
  if (multiple !== undefined && typeof multiple !== 'boolean') throw unusable('its multiple is neither true nor false')
  const choices = valuesOf(list)
  if (multiple === true) return multiProperty(list, choices.length, options)
  return checked({ type: 'string', ...listed(list, 'oneOf'), ...picked(options, ['title', 'default']) })
}

function multiProperty(list: ChoiceList<string>, size: number, options: object): JsonObject {
  const { min, max } = options as { min?: unknown; max?: unknown }
  checkBounds(min, max, isCount, 'min', 'max')
  if (typeof min === 'number' && min > size) throw unusable(`its min is ${min}, and there are ${size} choices`)
  return checked({
    type: 'array',
    items: Array.isArray(list) ? { type: 'string', enum: list } : listed(list, 'anyOf'),
    ...picked(options, ['title', 'default']),
    ...(min === undefined ? {} : { minItems: min }),
    ...(max === undefined ? {} : { maxItems: max }),
  })
}

function listed(list: ChoiceList<string>, titled: 'oneOf' | 'anyOf'): JsonObject {
  if (Array.isArray(list)) return { enum: list }
  return { [titled]: Object.entries(list).map(([value, title]) => ({ const: value, title })) }
}

/** The texts to choose from; each must be one, with a title that is one. */
function valuesOf(list: unknown): readonly unknown[] {
  if (!Array.isArray(list) && !isPlainObject(list)) throw unusable('its choices are neither a list nor titles by value')
  const texts: readonly unknown[] = Array.isArray(list) ? list : Object.values(list)
  if (texts.length === 0) throw unusable('there is nothing to choose from')
  if (!texts.every((text) => typeof text === 'string')) throw unusable('a choice, or its title, is no text')
  if (Array.isArray(list) && new Set(list).size < list.length) throw unusable('a choice is there twice')
  return texts
}

/** Checks what every property may have: a title, and a default that fits. */
function checked(property: JsonObject): JsonObject {
  const { title, default: preset } = property
  if (title !== undefined && typeof title !== 'string') throw unusable('its title is no text')
  if (preset === undefined) return property
  const problem = valueProblem(property as unknown as PrimitiveSchemaDefinition, preset)
  if (problem !== undefined) throw unusable(`its default ${problem}`)
  return property
}

function checkBounds(
  low: unknown,
  high: unknown,
  fits: (bound: unknown) => boolean,
  lowName: string,
  highName: string,
): void {
  if (low !== undefined && !fits(low)) throw unusable(`its ${lowName} is no number that it can be`)
  if (high !== undefined && !fits(high)) throw unusable(`its ${highName} is no number that it can be`)
  if (low !== undefined && high !== undefined && (low as number) > (high as number)) {
    throw unusable(`its ${lowName} is above its ${highName}, so that nothing fits`)
  }
}

function isCount(bound: unknown): boolean {
  return Number.isSafeInteger(bound) && (bound as number) >= 0
}

function picked(options: object, names: readonly string[]): JsonObject {
  const entries = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined)
  return Object.fromEntries(entries)
}

/** The error for an ask whose arguments make no question. */
export function unusable(why: string, cause?: unknown): RondoError<'ASK_SCHEMA'> {
  return new RondoError('ASK_SCHEMA', `The ask cannot be put: ${why}. Look at the arguments it was given.`, { cause })
}
