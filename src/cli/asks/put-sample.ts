import { type Ask } from '../../client/handlers.ts'
import { type CreateMessageRequestParams, type CreateMessageResult } from '../../protocol/sampling.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { oneLine } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { headOf, quoted } from './asker.ts'
import { type Prompter } from './prompter.ts'

/**
 * Shows what a server wants a model to answer, and lets the person answer in the model's place, or refuse. The command
 * line has no model of its own.
 *
 * @throws CliError when they refuse: a sampling request has no answer for that, so the call ends here
 */
export async function putSample(
  ask: Ask<CreateMessageRequestParams>,
  prompter: Prompter,
  paint: Paint,
): Promise<CreateMessageResult> {
  const { request, signal } = ask
  const intro = 'There is no model here. You can write the answer yourself.'
  prompter.say(
    headOf(
      ask,
      'asks for an answer of your model:',
      request.systemPrompt ?? '(no system prompt)',
      paint,
      prompter.columns,
    ),
  )
  for (const message of request.messages) {
    prompter.say(
      [paint('bold', `  ${message.role}:`), ...quoted(contentText(message.content), paint, prompter.columns), ''].join(
        '\n',
      ),
    )
  }
  prompter.say(paint('dim', hung(`${intro} At most ${request.maxTokens} tokens were asked for.`, prompter.columns, 0)))
  const text = await writeAnswer(prompter, signal)
  return { role: 'assistant', content: { type: 'text', text }, model: 'a person', stopReason: 'endTurn' }
}

async function writeAnswer(prompter: Prompter, signal: AbortSignal): Promise<string> {
  const check = (typed: string): string | undefined =>
    typed.trim() === '' ? 'Write something, or press Escape.' : undefined
  let initial = ''
  for (;;) {
    const { text, left } = await prompter.text({ message: 'Answer', signal, check, multiline: true, initial })
    const choices = left ? MENU.slice(1) : MENU
    const message = left ? 'Not ready to be sent. What now?' : 'Send this?'
    const next = await prompter.one({ message, signal, choices })
    if (next === 'send') return text
    if (next !== 'change')
      throw new CliError(EXIT.unanswered, 'You refused the sampling request, which ended the call.')
    initial = text
  }
}

const MENU = [
  { value: 'send', label: 'Send' },
  { value: 'change', label: 'Go on writing' },
  { value: 'refuse', label: 'Refuse (ends the call)' },
] as const

function contentText(content: CreateMessageRequestParams['messages'][number]['content']): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (block.type === 'text' ? block.text : `[${oneLine(block.type)}]`)).join('\n')
}
