import { isCancel, MultiLinePrompt, type State, TextPrompt, wrapTextWithPrefix } from '@clack/core'
import { S_BAR, S_BAR_END, symbol } from '@clack/prompts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { type TextQuestion, type Typed } from './prompter.ts'

type Streams = Pick<ConstructorParameters<typeof TextPrompt>[0], 'input' | 'output'>

/** What a text prompt shows of itself. */
interface Look {
  readonly state: State
  readonly error: string
  readonly userInput: string
  readonly userInputWithCursor: string
  /** Where the cursor is, in a text of several lines. */
  readonly focused?: 'editor' | 'submit'
}

/**
 * Asks for a text, on one line or on several. What was typed so far comes back even from who leaves.
 *
 * @param message the question, each of its lines fitting the frame
 */
export async function textPrompt(
  question: TextQuestion,
  message: string,
  streams: Streams,
  columns: () => number,
  paint: Paint,
): Promise<Typed> {
  const { signal, initial, check } = question
  const output = streams.output
  const render = (look: Look): string => frameOf(look, message, output, columns(), paint)
  const options = {
    ...streams,
    ...(signal && { signal }),
    ...(initial !== undefined && { initialValue: initial }),
    validate: (typed: string | undefined) => check(typed ?? ''),
  }
  const prompt =
    question.multiline === true
      ? new MultiLinePrompt({
          ...options,
          showSubmit: true,
          render() {
            return render(this)
          },
        })
      : new TextPrompt({
          ...options,
          render() {
            return render(this)
          },
        })
  const left = isCancel(await prompt.prompt())
  return { text: prompt.userInput, left }
}

function frameOf(look: Look, message: string, output: Streams['output'], columns: number, paint: Paint): string {
  const { state, error, userInput, userInputWithCursor, focused } = look
  const over = state === 'submit' || state === 'cancel'
  const bar = `${paint(over ? 'dim' : state === 'error' ? 'yellow' : 'cyan', S_BAR)}  `
  const lines = message.split('\n').map((line, at) => (at === 0 ? `${symbol(state)}  ${line}` : `${bar}${line}`))
  const typed = wrapTextWithPrefix(output, over ? paint('dim', userInput) : userInputWithCursor, bar)
  const head = [paint('dim', S_BAR), ...lines, typed]
  if (over) return head.join('\n')
  const end = paint(state === 'error' ? 'yellow' : 'cyan', S_BAR_END)
  const submit = focused === undefined ? [] : [`${paint(focused === 'submit' ? 'cyan' : 'dim', '[ submit ]')}`]
  const told =
    state === 'error'
      ? paint('yellow', hung(error, columns - 4, 3))
      : paint('dim', hung(hintOf(focused), columns - 4, 3))
  return [...head, `${end}  ${[...submit, told].join('  ')}`, ''].join('\n')
}

function hintOf(focused: Look['focused']): string {
  if (focused === undefined) return 'Enter: done • Esc: back'
  return focused === 'submit' ? 'Enter: done • Tab: back to the text' : 'Tab, then Enter: done • Esc: back'
}
