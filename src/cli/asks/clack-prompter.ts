import { confirm, isCancel, multiselect, select, type text } from '@clack/prompts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { type Terminal } from '../terminal/host.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { type Choice } from './field.ts'
import { type Prompter, type Question } from './prompter.ts'
import { textPrompt } from './text-prompt.ts'

type Streams = NonNullable<Pick<NonNullable<Parameters<typeof text>[0]>, 'input' | 'output'>>

/** Prompts in a terminal. Each throws a CliError (`EXIT.interrupted`) on Ctrl-C. */
export function clackPrompter(terminal: Terminal, paint: Paint): Prompter {
  const streams = terminal as unknown as Required<Streams>
  const columns = (): number => terminal.columns()
  const common = ({ message, signal }: Question) => ({
    ...streams,
    message: hangingLines(message, columns() - FRAME),
    ...(signal && { signal }),
  })
  const labelled = (choices: readonly Choice[]) =>
    choices.map(({ value, label }) => ({ value, label: hung(label, columns() - CHOICE, BUTTON) }))
  return {
    get columns() {
      return columns()
    },
    say: (lines) => {
      terminal.output.write(`${lines}\n`)
    },
    text: async (question) => {
      const message = hangingLines(question.message, columns() - FRAME)
      return put(terminal, () => textPrompt(question, message, streams, columns, paint))
    },
    yesNo: async (question) =>
      left<boolean>(
        await put(terminal, () => confirm({ ...common(question), initialValue: question.initial ?? false })),
      ),
    one: async (question) => {
      const { choices, initial } = question
      const options = labelled(choices)
      const chosen = await put(terminal, () =>
        select<string>({ ...common(question), options, ...(initial !== undefined && { initialValue: initial }) }),
      )
      return left(chosen) as (typeof choices)[number]['value'] | undefined
    },
    several: async (question) => {
      const { choices, initial } = question
      const options = labelled(choices)
      return left<readonly string[]>(
        await put(terminal, () =>
          multiselect<string>({ ...common(question), options, initialValues: initial, required: false }),
        ),
      )
    },
  }
}

/**
 * Puts one question to whoever is there once it is shown. The library takes Ctrl-C for Escape, so it is looked for here,
 * before the library sees the key.
 */
async function put<V>({ input, discardTyped }: Terminal, ask: () => Promise<V>): Promise<V> {
  if (await discardTyped()) throw new CliError(EXIT.interrupted, 'Interrupted.')
  let interrupted = false
  const look = (_text: string | undefined, key: { readonly name?: string; readonly ctrl?: boolean }): void => {
    if (key.ctrl === true && key.name === 'c') interrupted = true
  }
  input.on('keypress', look)
  try {
    const answer = await ask()
    if (interrupted) throw new CliError(EXIT.interrupted, 'Interrupted.')
    return answer
  } finally {
    input.removeListener('keypress', look)
  }
}

/** Each line broken to fit, its further rows set in. */
function hangingLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => hung(line, columns, 2))
    .join('\n')
}

/** Columns of the frame that questions are drawn in. */
const FRAME = 4

/** Columns of the mark before a choice, and of mark and frame as the library reckons them, which counts its colours in. */
const BUTTON = 2
const CHOICE = 16

/** The value, or `undefined` for the symbol that says the person left the question. */
function left<V>(value: V | symbol | undefined): V | undefined {
  return isCancel(value) || typeof value === 'symbol' ? undefined : value
}
