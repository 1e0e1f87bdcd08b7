import { type FormAsk } from '../../client/handlers.ts'
import { type ElicitResult, type FormValue } from '../../protocol/elicitation.ts'
import { oneLine } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { beside, headOf } from './asker.ts'
import { Drafts } from './drafts.ts'
import { type Field } from './field.ts'
import { Filling } from './filling.ts'
import { type Prompter } from './prompter.ts'

/**
 * Puts a form to a person: each field, then the filled form with send, change, decline and cancel. Leaving a field
 * (Escape) goes back to the one before, and from the first one to that menu; leaving the menu is a cancel.
 */
export async function putForm(
  ask: FormAsk,
  prompter: Prompter,
  paint: Paint,
  drafts = new Drafts(),
): Promise<ElicitResult> {
  const filling = new Filling(ask, drafts.startOf(ask), prompter)
  const { fields, content } = filling
  prompter.say(headOf(ask, 'asks:', ask.request.message, paint, prompter.columns))
  warnOfSecrets(fields, prompter, paint)
  if (fields.length > 0) prompter.say(paint('dim', hung(KEYS, prompter.columns, 0)))
  let walked = await filling.all()
  for (;;) {
    const problem = review(ask, filling, prompter, paint)
    const next = await prompter.one({
      message: problem === undefined ? 'Send this?' : 'Not ready to be sent. What now?',
      signal: ask.signal,
      choices: MENU.filter(({ value }) => offered(value, problem, fields)),
      ...(!walked && { initial: problem === undefined ? 'send' : 'change' }),
    })
    if (next === 'send') {
      drafts.keep(ask, content)
      return { action: 'accept', content: Object.fromEntries(content) }
    }
    if (next === 'decline') return { action: 'decline' }
    if (next === undefined || next === 'cancel') return { action: 'cancel' }
    // Who never came to the end goes through the whole form.
    if (walked && fields.length > 1) await filling.some()
    else walked = await filling.all()
  }
}

const KEYS = 'Escape goes back and keeps what you typed, Ctrl-C ends the call.'

/** Shows the filled form. Gives what keeps it from being sent. */
function review(ask: FormAsk, { fields, content }: Filling, prompter: Prompter, paint: Paint): string | undefined {
  const { columns } = prompter
  prompter.say(reviewOf(fields, content, paint, columns))
  const problem = ask.check(Object.fromEntries(content))
  if (problem === undefined) return undefined
  prompter.say(paint('yellow', hung(`Not ready to be sent: ${oneLine(titled(problem, fields))}`, columns)))
  return problem
}

const MENU = [
  { value: 'send', label: 'Send' },
  { value: 'change', label: 'Change' },
  { value: 'decline', label: 'Decline (say no to the server)' },
  { value: 'cancel', label: 'Cancel (answer nothing)' },
] as const

/** A problem names its field as the server does; the person knows the title. */
function titled(problem: string, fields: readonly Field[]): string {
  const part = (text: string): string => {
    const field = fields.find(({ name }) => text.startsWith(`${name}: `))
    return field === undefined ? text : `${field.title}${text.slice(field.name.length)}`
  }
  return problem.split('; ').map(part).join('; ')
}

function offered(
  value: (typeof MENU)[number]['value'],
  problem: string | undefined,
  fields: readonly Field[],
): boolean {
  if (value === 'send') return problem === undefined
  return value !== 'change' || fields.length > 0
}

function reviewOf(
  fields: readonly Field[],
  content: ReadonlyMap<string, FormValue>,
  paint: Paint,
  columns: number,
): string {
  const lines = fields.map((field) => {
    const row = beside(`  ${field.title}:`, shown(field, content.get(field.name)), paint, columns)
    return row.replace(field.title, (title) => paint('bold', title))
  })
  return [
    '',
    paint('dim', 'Your answer:'),
    ...(lines.length === 0 ? ['  (yes, without further details)'] : lines),
    '',
  ].join('\n')
}

function shown(field: Field, value: FormValue | undefined): string {
  if (value === undefined) return '(nothing)'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  const labels = field.kind === 'one' || field.kind === 'several' ? field.choices : []
  const label = (each: string): string => labels.find((choice) => choice.value === each)?.label ?? each
  return typeof value === 'string' ? label(value) : value.map(label).join(', ') || '(none)'
}

const SECRET =
  /pass(word|phrase|code)|secret|token|api[-_ ]?key|private[-_ ]?key|credential|\bpin\b|\bcvv\b|card[-_ ]?number/i

/** A server must not ask for secrets in a form (client/elicitation, "User Interaction Model"): say so when it looks like it. */
function warnOfSecrets(fields: readonly Field[], prompter: Prompter, paint: Paint): void {
  const suspect = fields.filter((field) => field.kind === 'text' && SECRET.test(`${field.name} ${field.title}`))
  for (const { title } of suspect) {
    prompter.say(
      paint(
        'yellow',
        hung(
          `! "${title}" looks like a secret. A server must not ask for one in a form: think twice.`,
          prompter.columns,
        ),
      ),
    )
  }
}
