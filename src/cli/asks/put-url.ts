import { type UrlAsk } from '../../client/handlers.ts'
import { type ElicitResult } from '../../protocol/elicitation.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint } from '../terminal/paint.ts'
import { headOf } from './asker.ts'
import { type Prompter } from './prompter.ts'
import { type UrlView, viewUrl } from './url-warnings.ts'

const CHOICES = [
  { value: 'open', label: 'Open it in the browser' },
  { value: 'agree', label: 'I open it myself' },
  { value: 'decline', label: 'Decline (say no to the server)' },
  { value: 'cancel', label: 'Cancel (answer nothing)' },
] as const

/**
 * Shows the URL of an ask, its host set apart, and opens it only when the person says so. Agreeing says nothing about
 * what happens on the page.
 */
export async function putUrl(ask: UrlAsk, prompter: Prompter, paint: Paint, host: Host): Promise<ElicitResult> {
  const view = viewUrl(ask.request.url, (name) => host.unicodeHost(name))
  prompter.say(headOf(ask, 'asks you to open a page:', ask.request.message, paint))
  prompter.say(pageOf(view, paint))
  const choices = CHOICES.filter(({ value }) => view.href !== undefined || value === 'decline' || value === 'cancel')
  const chosen = await prompter.one({
    message: view.href === undefined ? 'It cannot be opened.' : 'Open it?',
    signal: ask.signal,
    choices,
    initial: 'decline',
  })
  if (chosen === 'decline') return { action: 'decline' }
  if (chosen === 'agree') return { action: 'accept' }
  if (chosen !== 'open' || view.href === undefined) return { action: 'cancel' }
  if (!(await host.openUrl(view.href))) {
    prompter.say('No browser could be started. Open this yourself:')
    prompter.say(`  ${view.full}`)
  }
  return { action: 'accept' }
}

function pageOf({ full, host, warnings }: UrlView, paint: Paint): string {
  return [
    ...(host === '' ? [] : [`  Host: ${paint('bold', host)}`]),
    `  URL:  ${full}`,
    ...warnings.map((warning) => paint('yellow', `  ! ${warning}`)),
    '',
  ].join('\n')
}
