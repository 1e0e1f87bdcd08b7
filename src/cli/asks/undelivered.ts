import { type Undelivered } from '../../client/client-options.ts'
import { failureOf } from '../failure.ts'
import { harmless, harmlessJson } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { type Prompter } from './prompter.ts'

/**
 * Lets the person decide what becomes of answers that did not reach the server. Who gives up is shown them as an answers
 * file has them.
 */
export function keptBy(
  prompter: Prompter,
  paint: Paint,
  signal: AbortSignal,
  given: ReadonlyMap<string, unknown>,
): (lost: Undelivered) => Promise<boolean> {
  return async ({ error, answers }) => {
    const { columns } = prompter
    prompter.say(`\n${paint('yellow', hung(harmless(failureOf(error).message), columns))}`)
    const keys = Object.keys(answers)
    const kept =
      keys.length === 0 ? 'The server waits for nothing but time.' : 'Your answers did not arrive, and are kept.'
    const next = await prompter.one({ message: `${kept} What now?`, signal, choices: MENU, initial: 'again' })
    if (next === 'again') return true
    sayGiven(given, prompter, paint)
    return false
  }
}

/** Shows what the person answered in this call, for another try. */
export function sayGiven(given: ReadonlyMap<string, unknown>, prompter: Prompter, paint: Paint): void {
  if (given.size === 0) return
  prompter.say(paint('dim', hung('Your answers, as --answers FILE reads them:', prompter.columns)))
  prompter.say(harmlessJson(Object.fromEntries(given), 0))
}

const MENU = [
  { value: 'again', label: 'Try again' },
  { value: 'stop', label: 'Give up (ends the call)' },
] as const
