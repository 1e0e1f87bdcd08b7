import { type FormValue } from '../../protocol/elicitation.ts'
import { checkContent } from '../../protocol/form.ts'
import { harmless, oneLine } from '../terminal/harmless.ts'
import { paintFor } from '../terminal/paint.ts'
import { widthOf } from '../terminal/width.ts'
import { hung } from '../terminal/wrap.ts'
import { quoted } from './asker.ts'
import { type Field, limitsOf } from './field.ts'
import { type Prompter } from './prompter.ts'

/** What came of one field. */
export interface Filled {
  /** Nothing for an optional field that is left out, and for a question that was left. */
  readonly value?: FormValue | undefined
  /** Whether the person left the question; `value` is then what they had typed so far, if it fits. */
  readonly left?: true
  /** What they had typed so far and does not fit, to go on with. */
  readonly typed?: string
}

/** Columns of the frame that prompts are drawn in. */
const FRAME = 4

const LEAVE_OUT = '\u0000leave out'

/**
 * Puts one field to a person until what they give fits it.
 *
 * @param current what the field holds so far; the default of its schema, or what was typed before, to begin with
 */
export async function putField(
  prompter: Prompter,
  field: Field,
  current: FormValue | undefined,
  signal: AbortSignal,
): Promise<Filled> {
  const question = { message: messageOf(field, prompter.columns), signal }
  switch (field.kind) {
    case 'text':
    case 'number':
      return putTyped(prompter, field, current, signal)
    case 'yesNo': {
      if (!field.required) return putOne(prompter, field, current, signal)
      const value = await prompter.yesNo({ ...question, ...(typeof current === 'boolean' && { initial: current }) })
      return value === undefined ? { left: true } : { value }
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
  return problem === undefined ? undefined : oneLine(problem.replace(`${name}: `, ''))
}

/** A field with a default starts from it; that it could be emptied as well would only confuse. */
function hasDefault({ schema }: Field): boolean {
  return schema.default !== undefined
}

/** The question as shown: title and limits, and what the server says about it behind a bar. */
export function messageOf(field: Field, columns: number): string {
  const limits = limitsOf(field)
  const notes = [limits, field.required || hasDefault(field) ? undefined : 'may be left empty'].filter(
    (note) => note !== undefined,
  )
  const head = notes.length === 0 ? field.title : `${field.title} (${notes.join(', ')})`
  if (field.description === '') return head
  return [head, ...quoted(field.description, paintFor(false), columns - FRAME)].join('\n')
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
  const initial = current === undefined ? undefined : editable(String(current))
  const { text, left } = await prompter.text({
    message: messageOf(field, prompter.columns),
    signal,
    check,
    ...(initial !== undefined && { initial }),
    ...(field.kind === 'text' && { multiline: initial !== undefined && !fitsOneRow(initial, prompter.columns) }),
  })
  if (!left) return { value: read(text) }
  if (text === '' || text === initial) return { left }
  return check(text) === undefined ? { left, value: read(text) } : { left, typed: text }
}

/** A text to begin with: what is shown is what is sent. */
function editable(text: string): string {
  return harmless(text).replaceAll('\t', '    ')
}

function fitsOneRow(text: string, columns: number): boolean {
  return !text.includes('\n') && widthOf(text) < columns - FRAME
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
    message: messageOf(field, prompter.columns),
    signal,
    choices,
    ...(typeof initial === 'string' ? { initial } : !field.required && { initial: LEAVE_OUT }),
  })
  if (value === undefined) return { left: true }
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
    const chosen = await prompter.several({
      message: messageOf(field, prompter.columns),
      signal,
      choices: field.choices,
      initial,
    })
    if (chosen === undefined) return { left: true }
    if (chosen.length === 0 && !field.required) return { value: undefined }
    const problem = problemWith(field, chosen)
    if (problem === undefined) return { value: chosen }
    prompter.say(hung(`  ! ${problem}`, prompter.columns))
    initial = chosen
  }
}
