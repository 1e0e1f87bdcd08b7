import { isCancel, MultiLinePrompt, type State, TextPrompt } from '@clack/core'
import { S_BAR, S_BAR_END, symbol } from '@clack/prompts'
import { harmless } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung, wrap } from '../terminal/wrap.ts'
import { type TextQuestion, type Typed } from './prompter.ts'

type Streams = Pick<ConstructorParameters<typeof TextPrompt>[0], 'input' | 'output'>

/** What a text prompt shows of itself. */
interface Look {
  readonly state: State
  readonly error: string
  readonly userInput: string
  readonly cursor: number
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
  const render = (look: Look): string => frameOf(look, message, columns(), paint)
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

function frameOf(look: Look, message: string, columns: number, paint: Paint): string {
  const { state } = look
  const over = state === 'submit' || state === 'cancel'
  const bar = `${paint(over ? 'dim' : state === 'error' ? 'yellow' : 'cyan', S_BAR)}  `
  const lines = message.split('\n').map((line, at) => (at === 0 ? `${symbol(state)}  ${line}` : `${bar}${line}`))
  const typed = wrap(typedOf(look, over), columns - FRAME).map((row) => `${bar}${over ? paint('dim', row) : row}`)
  const head = [paint('dim', S_BAR), ...lines, ...typed]
  if (over) return head.join('\n')
  return [...head, footOf(look, columns, paint), ''].join('\n')
}

/** The last rows: what is wrong, or which keys do what. */
function footOf({ state, error, focused }: Look, columns: number, paint: Paint): string {
  const wrong = state === 'error'
  const told = wrong ? error : hintOf(focused)
  const submit = focused === undefined ? '' : `${SUBMIT}  `
  const [first = '', ...more] = hung(`${submit}${told}`, columns - FRAME, 3).split('\n')
  const words = (text: string): string => paint(wrong ? 'yellow' : 'dim', text)
  const button = paint(focused === 'submit' ? 'cyan' : 'dim', submit)
  const end = paint(wrong ? 'yellow' : 'cyan', S_BAR_END)
  return [`${end}  ${button}${words(first.slice(submit.length))}`, ...more.map(words)].join('\n')
}

const SUBMIT = '[ submit ]'

/** Columns of the frame, and the last one, at which some terminals wrap already. */
const FRAME = 4

/** What was typed, with the cursor where it stands. */
function typedOf({ userInput, cursor }: Look, over: boolean): string {
  // The key that interrupts is not part of the text.
  const [before, after] = [userInput.slice(0, cursor), userInput.slice(cursor)].map((part) =>
    harmless(part.replaceAll('\x03', '')),
  )
  return over ? `${before}${after}` : `${before}█${after}`
}

function hintOf(focused: Look['focused']): string {
  if (focused === undefined) return 'Enter: done • Esc: back'
  return focused === 'submit' ? 'Enter: done • Tab: back to the text' : 'Tab, then Enter: done • Esc: back'
}
