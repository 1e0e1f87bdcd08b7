import { type UrlAsk } from '../../client/handlers.ts'
import { type ElicitResult } from '../../protocol/elicitation.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'
import { beside, headOf } from './asker.ts'
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
  prompter.say(headOf(ask, 'asks you to open a page:', ask.request.message, paint, prompter.columns))
  prompter.say(pageOf(view, paint, prompter.columns))
  const choices = CHOICES.filter(({ value }) => view.href !== undefined || value === 'decline' || value === 'cancel')
  const chosen = await prompter.one({
    message: view.href === undefined ? 'It cannot be opened.' : 'Open it?',
    signal: ask.signal,
    choices,
    initial: 'decline',
  })
  if (chosen === 'decline') return { action: 'decline' }
  if (chosen === 'agree') {
    prompter.say(`  ${view.full}`)
    return { action: 'accept' }
  }
  if (chosen !== 'open' || view.href === undefined) return { action: 'cancel' }
  if (!(await host.openUrl(view.href))) {
    prompter.say('No browser could be started. Open this yourself:')
    prompter.say(`  ${view.full}`)
  }
  return { action: 'accept' }
}

function pageOf({ full, host, warnings }: UrlView, paint: Paint, columns: number): string {
  return [
    ...(host === '' ? [] : [beside('  Host:', host, paint, columns)]),
    beside('  URL: ', full, paint, columns),
    ...warnings.map((warning) => paint('yellow', hung(`  ! ${warning}`, columns))),
    '',
  ].join('\n')
}
