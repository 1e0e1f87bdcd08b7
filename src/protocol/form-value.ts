import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type PrimitiveSchemaDefinition } from './elicitation.ts'

/** What a definition may say, read without trust in it: it may come from a peer. */
interface Definition {
  readonly type?: unknown
  readonly enum?: unknown
  readonly oneOf?: unknown
  readonly anyOf?: unknown
  readonly items?: unknown
  readonly format?: unknown
  readonly minLength?: unknown
  readonly maxLength?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly minItems?: unknown
  readonly maxItems?: unknown
}

/** What is wrong with `value` as an answer to one property of a form, for people, or `undefined`. */
export function valueProblem(definition: PrimitiveSchemaDefinition, value: unknown): string | undefined {
  const rules: Definition = definition
  switch (rules.type) {
    case 'string':
      return typeof value === 'string' ? stringProblem(rules, value) : 'must be text'
    case 'integer':
      return Number.isInteger(value) ? numberProblem(rules, value as number) : 'must be a whole number'
    case 'number':
      return Number.isFinite(value) ? numberProblem(rules, value as number) : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'array':
      return isStrings(value) ? listProblem(rules, value) : 'must be a list of choices'
    default:
      return undefined
  }
}

/** The values one may choose from, or `undefined` when any will do. */
export function choiceValues(definition: object): string[] | undefined {
  const { enum: values, oneOf, anyOf } = definition as Definition
  if (isStrings(values)) return values
  const titled = Array.isArray(oneOf) ? oneOf : anyOf
  if (!Array.isArray(titled)) return undefined
  const constants = titled.map((choice: unknown) => (isJsonObject(choice) ? choice['const'] : undefined))
  return isStrings(constants) ? constants : undefined
}

function stringProblem(rules: Definition, value: string): string | undefined {
  const choices = choiceValues(rules)
  if (choices !== undefined) return choices.includes(value) ? undefined : `must be one of ${JSON.stringify(choices)}`
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length
  if (length < bound(rules.minLength, 0)) return `must have at least ${characters(rules.minLength)}`
  if (length > bound(rules.maxLength, Infinity)) return `must have at most ${characters(rules.maxLength)}`
  return formatProblem(rules.format, value)
}

function numberProblem(rules: Definition, value: number): string | undefined {
  if (value < bound(rules.minimum, -Infinity)) return `must be at least ${String(rules.minimum)}`
  if (value > bound(rules.maximum, Infinity)) return `must be at most ${String(rules.maximum)}`
  return undefined
}

function listProblem(rules: Definition, value: string[]): string | undefined {
  const choices = isJsonObject(rules.items) ? choiceValues(rules.items) : undefined
  const stranger = choices && value.find((item) => !choices.includes(item))
  if (stranger !== undefined) return `must be among ${JSON.stringify(choices)}, not ${JSON.stringify(stranger)}`
  if (new Set(value).size < value.length) return 'must not have a choice twice'
  if (value.length < bound(rules.minItems, 0)) return `must have at least ${String(rules.minItems)} of the choices`
  if (value.length > bound(rules.maxItems, Infinity))
    return `must have at most ${String(rules.maxItems)} of the choices`
  return undefined
}

function formatProblem(format: unknown, value: string): string | undefined {
  switch (format) {
    case 'email':
      return isEmail(value) ? undefined : 'must be an e-mail address'
    case 'uri':
      return URL.canParse(value) ? undefined : 'must be a full URL'
    case 'date':
      return isDate(value) ? undefined : 'must be a date such as 2026-07-28'
    case 'date-time':
      return isDateTime(value) ? undefined : 'must be a date and time such as 2026-07-28T09:00:00Z'
    default:
      return undefined
  }
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  return at > 0 && at < value.length - 1 && !/\s/.test(value)
}

function isDate(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []
  if (day === undefined) return false
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last
}

function isDateTime(value: string): boolean {
  const [, date = '', hour, minute, second] =
    /^(.{10})[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(value) ?? []
  // A minute may have a leap second.
  return isDate(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
}

function bound(value: unknown, none: number): number {
  return typeof value === 'number' ? value : none
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function characters(count: unknown): string {
  return count === 1 ? '1 character' : `${String(count)} characters`
}
