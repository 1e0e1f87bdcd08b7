import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { Schema } from '../protocol/standard-schema.ts'
import type {
  AskOptions,
  ChoiceOptions,
  ChoicesOptions,
  ConfirmOptions,
  FormQuestion,
  NumberOptions,
  TextOptions,
  UrlQuestion,
} from './ask.ts'
import { unusable } from './short-forms.ts'

type Own<T> = Readonly<Record<Exclude<keyof T, keyof AskOptions>, true>>

const CONFIRM: Own<ConfirmOptions> = { title: true, default: true }
const FORM: Own<FormQuestion<Schema>> = { message: true, schema: true }
const URL_QUESTION: Own<UrlQuestion> = { message: true, url: true }
const CHOICE: Own<ChoiceOptions<string>> & { readonly multiple: true } = { title: true, default: true, multiple: true }
const CHOICES: Own<ChoicesOptions<string>> = { ...CHOICE, min: true, max: true }
const TEXT: Own<TextOptions> = { title: true, default: true, minLength: true, maxLength: true, format: true }
const NUMBER: Own<NumberOptions> = { title: true, default: true, minimum: true, maximum: true, integer: true }
/** What {@link AskOptions} and `OrEnd` give every ask that a person answers. */
const PERSONS = ['within', 'pin', 'orEnd']

const personal = (own: object): readonly string[] => [...Object.keys(own), ...PERSONS]

/** The options that each ask has. `sample` names its deadline for itself: why it has none is said there. */
const KNOWN = {
  form: personal(FORM),
  url: personal(URL_QUESTION),
  confirm: personal(CONFIRM),
  choice: personal(CHOICE),
  choices: personal(CHOICES),
  text: personal(TEXT),
  number: personal(NUMBER),
  sample: ['pin', 'within'],
} as const satisfies Record<string, readonly string[]>

/** An ask, as far as its options go: `choices` is a choice of several. */
export type AskName = keyof typeof KNOWN

/** What the author may have meant by an option of another ask, of JSON Schema, or of the wire. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  requestedSchema: ['schema'],
  prompt: ['message'],
  min: ['minimum', 'minLength'],
  max: ['maximum', 'maxLength'],
  minimum: ['min', 'minLength'],
  maximum: ['max', 'maxLength'],
  minLength: ['minimum', 'min'],
  maxLength: ['maximum', 'max'],
  minItems: ['min'],
  maxItems: ['max'],
  label: ['title'],
  initial: ['default'],
  defaultValue: ['default'],
  initialValue: ['default'],
  timeout: ['within'],
  deadline: ['within'],
  orElse: ['orEnd'],
}

/**
 * Refuses options that are none, that the ask does not have, or that could not be said: a misspelt one would do nothing,
 * and the person would be asked without the bound it was to be.
 *
 * @throws RondoError `ASK_SCHEMA`
 */
export function checkAskOptions(options: object, ask: AskName): void {
  if (!isJsonObject(options)) throw unusable('its options are no object')
  const known: readonly string[] = KNOWN[ask]
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw unusable(`it has no option \`${name}\`. ${hint(name, ask, known)}`)
  }
  const { orEnd } = options
  if (orEnd !== undefined && typeof orEnd !== 'string') throw unusable('its orEnd is no text')
}

function hint(name: string, ask: AskName, known: readonly string[]): string {
  if (ask === 'choice' && KNOWN.choices.includes(name)) {
    return 'Only a choice of several has it: give `multiple: true` beside it'
  }
  if (name === 'message') return 'The message is the second argument'
  const meant = MEANT[name]?.find((other) => known.includes(other))
  return meant === undefined ? `Known are ${known.join(', ')}` : `Use \`${meant}\``
}
