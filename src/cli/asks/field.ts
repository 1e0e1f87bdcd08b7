import { type NumberSchema, type PrimitiveSchemaDefinition, type RequestedSchema } from '../../protocol/elicitation.ts'
import { harmless, oneLine } from '../terminal/harmless.ts'

/** A value that may be chosen, and how it is shown. */
export interface Choice {
  readonly value: string
  readonly label: string
}

interface Common {
  /** Property of the content. */
  readonly name: string
  /** Title to show, made harmless. */
  readonly title: string
  /** What the server says about it, empty when it says nothing; begins with the title where that had to be cut. */
  readonly description: string
  readonly required: boolean
  readonly schema: PrimitiveSchemaDefinition
}

/** One field of a form, ready to be put to a person. */
export type Field = Common &
  (
    | { readonly kind: 'text'; readonly initial: string | undefined }
    | { readonly kind: 'number'; readonly initial: number | undefined; readonly integer: boolean }
    | { readonly kind: 'yesNo'; readonly initial: boolean | undefined }
    | { readonly kind: 'one'; readonly initial: string | undefined; readonly choices: readonly Choice[] }
    | { readonly kind: 'several'; readonly initial: readonly string[]; readonly choices: readonly Choice[] }
  )

/** Columns of a title: it stands among words of ours, so it must not reach a row of its own. */
const TITLE_WIDTH = 40

/** The fields of a form in the order of its schema (client/elicitation, "Requested Schema"). */
export function fieldsOf(schema: RequestedSchema): readonly Field[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties).map(([name, property]) => fieldOf(name, property, required.has(name)))
}

function fieldOf(name: string, schema: PrimitiveSchemaDefinition, required: boolean): Field {
  // `value` is what servers made with Rondo call the field of a question that has only one.
  const called = schema.title ?? (name === 'value' ? 'Answer' : name)
  const title = oneLine(called, TITLE_WIDTH)
  const whole = oneLine(called, Infinity)
  const description = [whole === title ? '' : whole, harmless(schema.description ?? '').trim()]
    .filter((part) => part !== '')
    .join('\n')
  const common = { name, title, description, required, schema }
  if (schema.type === 'boolean') return { ...common, kind: 'yesNo', initial: schema.default }
  if (isNumber(schema)) {
    return { ...common, kind: 'number', initial: schema.default, integer: schema.type === 'integer' }
  }
  const choices = choicesOf(schema.type === 'array' ? schema.items : schema)
  if (schema.type === 'array')
    return { ...common, kind: 'several', initial: schema.default ?? [], choices: choices ?? [] }
  if (choices !== undefined) return { ...common, kind: 'one', initial: schema.default, choices }
  return { ...common, kind: 'text', initial: schema.default }
}

function isNumber(schema: PrimitiveSchemaDefinition): schema is NumberSchema {
  return schema.type === 'number' || schema.type === 'integer'
}

function choicesOf(schema: object): readonly Choice[] | undefined {
  const { oneOf, anyOf, enum: values, enumNames } = schema as Record<string, unknown>
  const titled = oneOf ?? anyOf
  if (Array.isArray(titled)) {
    return titled.map(({ const: value, title }: { const: string; title?: string }) => choice(value, title))
  }
  if (!Array.isArray(values)) return undefined
  return values.map((value: string, at) =>
    choice(value, Array.isArray(enumNames) ? (enumNames[at] as string) : undefined),
  )
}

function choice(value: string, title: string | undefined): Choice {
  return { value, label: oneLine(title ?? value, 120) }
}

/** The limits of a field in words, for the person who fills it in; `undefined` when there are none to tell. */
export function limitsOf(field: Field): string | undefined {
  const schema: Readonly<Record<string, unknown>> = { ...field.schema }
  if (field.kind === 'number')
    return range(schema.minimum, schema.maximum, field.integer ? 'a whole number' : 'a number')
  if (field.kind === 'several') return range(schema.minItems, schema.maxItems, 'choose')
  if (field.kind === 'yesNo' && field.required) return 'y or n'
  if (field.kind !== 'text') return undefined
  const length = range(schema.minLength, schema.maxLength, '', 'characters')
  const format = FORMATS.get(String(schema.format))
  return [format, length].filter((part) => part !== undefined).join(', ') || undefined
}

const FORMATS = new Map([
  ['email', 'an e-mail address'],
  ['uri', 'a URL'],
  ['date', 'a date such as 2026-07-28'],
  ['date-time', 'a date and time such as 2026-07-28T14:00:00Z'],
])

function range(low: unknown, high: unknown, what: string, unit = ''): string | undefined {
  const words =
    low === undefined && high === undefined
      ? ''
      : low === undefined
        ? `at most ${String(high)}`
        : high === undefined
          ? `at least ${String(low)}`
          : low === high
            ? `exactly ${String(low)}`
            : `${String(low)} to ${String(high)}`
  if (words === '') return unit === '' ? what : undefined
  const one = words.endsWith(' 1') ? unit.replace(/s$/, '') : unit
  return [what, words, one].filter((part) => part !== '').join(' ')
}
