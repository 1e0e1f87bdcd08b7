import { type FormValue } from '../../protocol/elicitation.ts'
import { checkContent } from '../../protocol/form.ts'
import { type Field, limitsOf } from './field.ts'
import { type Prompter } from './prompter.ts'

/** What came of one field: a value, nothing (an optional field left out), or the person left the question. */
export type Filled = { readonly value: FormValue | undefined } | 'left'

const LEAVE_OUT = '\u0000leave out'

/**
 * Puts one field to a person until what they give fits it.
 *
 * @param current what the field holds so far; the default of its schema to begin with
 */
export async function putField(
  prompter: Prompter,
  field: Field,
  current: FormValue | undefined,
  signal: AbortSignal,
): Promise<Filled> {
  const question = { message: messageOf(field), signal }
  switch (field.kind) {
    case 'text':
    case 'number':
      return putTyped(prompter, field, current, signal)
    case 'yesNo': {
      if (!field.required) return putOne(prompter, field, current, signal)
      const value = await prompter.yesNo({ ...question, ...(typeof current === 'boolean' && { initial: current }) })
      return value === undefined ? 'left' : { value }
    }
    case 'one':
      return putOne(prompter, field, current, signal)
    case 'several':
      return putSeveral(prompter, field, current, signal)
  }
}

/** What is wrong with a value for this field, or `undefined`. */
export function problemWith(field: Field, value: FormValue): string | undefined {
  const { name, schema } = field
  const problem = checkContent({ type: 'object', properties: { [name]: schema }, required: [name] }, { [name]: value })
  // The field's name stands above it already.
  return problem?.replace(`${name}: `, '')
}

/** A field with a default starts from it; that it could be emptied as well would only confuse. */
function hasDefault({ schema }: Field): boolean {
  return schema.default !== undefined
}

/** The question as shown: title, description and limits. */
export function messageOf(field: Field): string {
  const limits = limitsOf(field)
  const notes = [limits, field.required || hasDefault(field) ? undefined : 'may be left empty'].filter(
    (note) => note !== undefined,
  )
  const head = notes.length === 0 ? field.title : `${field.title} (${notes.join(', ')})`
  return field.description === undefined ? head : `${head}\n${field.description}`
}

async function putTyped(
  prompter: Prompter,
  field: Field & { readonly kind: 'text' | 'number' },
  current: FormValue | undefined,
  signal: AbortSignal,
): Promise<Filled> {
  const read = (typed: string): FormValue | undefined => {
    if (typed === '' && !(field.required && field.kind === 'text')) return undefined
    return field.kind === 'number' ? Number(typed.trim() === '' ? NaN : typed) : typed
  }
  const check = (typed: string): string | undefined => {
    const value = read(typed)
    if (value === undefined) return field.required ? 'This field needs a value.' : undefined
    if (typeof value === 'number' && !Number.isFinite(value)) return 'This is not a number.'
    return problemWith(field, value)
  }
  const typed = await prompter.text({
    message: messageOf(field),
    signal,
    check,
    ...(current !== undefined && { initial: String(current) }),
    ...(field.kind === 'text' && { multiline: field.multiline }),
  })
  return typed === undefined ? 'left' : { value: read(typed) }
}

async function putOne(
  prompter: Prompter,
  field: Field & { readonly kind: 'one' | 'yesNo' },
  current: FormValue | undefined,
  signal: AbortSignal,
): Promise<Filled> {
  const listed = field.kind === 'one' ? field.choices : YES_NO
  const choices = field.required ? listed : [...listed, { value: LEAVE_OUT, label: '(leave it out)' }]
  const initial = typeof current === 'boolean' ? (current ? 'yes' : 'no') : current
  const value = await prompter.one({
    message: messageOf(field),
    signal,
    choices,
    ...(typeof initial === 'string' ? { initial } : !field.required && { initial: LEAVE_OUT }),
  })
  if (value === undefined) return 'left'
  if (value === LEAVE_OUT) return { value: undefined }
  return { value: field.kind === 'one' ? value : value === 'yes' }
}

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const

async function putSeveral(
  prompter: Prompter,
  field: Field & { readonly kind: 'several' },
  current: FormValue | undefined,
  signal: AbortSignal,
): Promise<Filled> {
  let initial = Array.isArray(current) ? (current as readonly string[]) : []
  for (;;) {
    const chosen = await prompter.several({ message: messageOf(field), signal, choices: field.choices, initial })
    if (chosen === undefined) return 'left'
    if (chosen.length === 0 && !field.required) return { value: undefined }
    const problem = problemWith(field, chosen)
    if (problem === undefined) return { value: chosen }
    prompter.say(`  ${problem}`)
    initial = chosen
  }
}
