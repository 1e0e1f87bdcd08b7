import { confirm, isCancel, multiline, multiselect, S_BAR, select, text } from '@clack/prompts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { type Terminal } from '../terminal/host.ts'
import { hung } from '../terminal/wrap.ts'
import { type Choice } from './field.ts'
import { type Prompter, type Question, type TextQuestion } from './prompter.ts'

type Streams = NonNullable<Pick<NonNullable<Parameters<typeof text>[0]>, 'input' | 'output'>>

/** Prompts in a terminal. Each throws a CliError (`EXIT.interrupted`) on Ctrl-C. */
export function clackPrompter(terminal: Terminal): Prompter {
  const streams = terminal as unknown as Required<Streams>
  const columns = (): number => (streams.output as Partial<NodeJS.WriteStream>).columns ?? 80
  const common = ({ message, signal }: Question) => ({
    ...streams,
    message: hangingLines(message, columns() - FRAME),
    ...(signal && { signal }),
  })
  const labelled = (choices: readonly Choice[]) =>
    choices.map(({ value, label }) => ({ value, label: hung(label, columns() - FRAME - BUTTON, BUTTON) }))
  return {
    get columns() {
      return columns()
    },
    say: (lines) => {
      terminal.output.write(`${lines}\n`)
    },
    text: async (question) => {
      const options = {
        ...streams,
        ...(question.signal && { signal: question.signal }),
        message: behindBar(question, columns() - FRAME),
        validate: (typed: string | undefined) => question.check(typed ?? ''),
        ...(question.initial !== undefined && { initialValue: question.initial }),
      }
      const typed = await put(terminal, () =>
        question.multiline === true ? multiline({ ...options, showSubmit: true }) : text(options),
      )
      return left<string>(typed)
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

/** The library sets a bar before the further lines of most questions, but not of those for a text. */
function behindBar({ message, multiline: long }: TextQuestion, columns: number): string {
  const how = long === true ? `${message}\nTab, then Enter, when you are done` : message
  return hangingLines(how, columns).replaceAll('\n', `\n${S_BAR}  `)
}

/** Each line broken to fit, its further rows set in. */
function hangingLines(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => hung(line, columns, 2))
    .join('\n')
}

/** Columns of the frame that questions are drawn in, and of the mark before a choice. */
const FRAME = 4
const BUTTON = 2

/** The value, or `undefined` for the symbol that says the person left the question. */
function left<V>(value: V | symbol | undefined): V | undefined {
  return isCancel(value) || typeof value === 'symbol' ? undefined : value
}
