import { confirm, isCancel, multiline, multiselect, S_BAR, select, text } from '@clack/prompts'
import { type Terminal } from '../terminal/host.ts'
import { type Prompter, type Question, type TextQuestion } from './prompter.ts'

type Streams = NonNullable<Pick<NonNullable<Parameters<typeof text>[0]>, 'input' | 'output'>>

/** Prompts in a terminal. */
export function clackPrompter(terminal: Terminal): Prompter {
  const streams = terminal as unknown as Required<Streams>
  const common = ({ message, signal }: Question) => ({ ...streams, message, ...(signal && { signal }) })
  return {
    say: (lines) => {
      terminal.output.write(`${lines}\n`)
    },
    text: async (question) => {
      const options = {
        ...common({ ...question, message: behindBar(question) }),
        validate: (typed: string | undefined) => question.check(typed ?? ''),
        ...(question.initial !== undefined && { initialValue: question.initial }),
      }
      const typed = await (question.multiline === true ? multiline({ ...options, showSubmit: true }) : text(options))
      return left<string>(typed)
    },
    yesNo: async (question) =>
      left<boolean>(await confirm({ ...common(question), initialValue: question.initial ?? false })),
    one: async (question) => {
      const { choices, initial } = question
      const options = choices.map(({ value, label }) => ({ value: value, label }))
      const chosen = await select<string>({
        ...common(question),
        options,
        ...(initial !== undefined && { initialValue: initial }),
      })
      return left(chosen) as (typeof choices)[number]['value'] | undefined
    },
    several: async (question) => {
      const { choices, initial } = question
      const options = choices.map(({ value, label }) => ({ value, label }))
      return left<readonly string[]>(
        await multiselect<string>({ ...common(question), options, initialValues: initial, required: false }),
      )
    },
  }
}

/** The library sets a bar before the further lines of most questions, but not of those for a text. */
function behindBar({ message, multiline: long }: TextQuestion): string {
  const how = long === true ? `${message}\nTab, then Enter, when you are done` : message
  return how.replaceAll('\n', `\n${S_BAR}  `)
}

/** The value, or `undefined` for the symbol that says the person left the question. */
function left<V>(value: V | symbol | undefined): V | undefined {
  return isCancel(value) || typeof value === 'symbol' ? undefined : value
}
