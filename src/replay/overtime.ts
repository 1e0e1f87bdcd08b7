import { RondoError } from '../errors/rondo-error.ts'
import { type ReplayLog } from './outcome.ts'
import { type Replay } from './replay.ts'

/** The error of an attempt that took too long (E18), with what it was at. */
export function overtime(replay: Replay | undefined, limit: number): RondoError {
  const open = openIn(replay)
  const running = runningIn(replay)
  const at =
    open.length + running.length === 0
      ? 'No ask is open and no step runs: it awaits something of its own.'
      : openText(open, running)
  const nested = replay !== undefined && mayBeNested(replay) ? ` ${NESTED}` : ''
  return new RondoError(
    'HANDLER_TIME',
    `The handler did not come to an end or to an answerable ask within ${limit / 1000} s, the limit (handlerTime). ${at} ` +
      `A lock held across an ask? An ask or step awaited inside a step?${nested}`,
  )
}

/**
 * What to say of an attempt that is cancelled while something stands open and a step runs: its caller may have given up
 * on what never settles, before the limit of time could say so.
 */
export function cancelledWhile(replay: Replay | undefined): ReplayLog | undefined {
  if (replay === undefined || !mayBeNested(replay)) return undefined
  const message = `The call was cancelled while a step was running. ${openText(openIn(replay), runningIn(replay))} ${NESTED}`
  return { level: 'warn', code: 'cancelled-open', message }
}

const NESTED =
  'Is one inside the other? An ask or a wait that is awaited inside a step never settles: with NODE_ENV=development, or in ' +
  'rondo/testing, it ends at once as STEP_NESTED.'

/** Whether what stands open may stand inside what runs: where that is looked for it would have ended the call already. */
function mayBeNested(replay: Replay): boolean {
  if (replay.detects || replay.running.size === 0) return false
  // A wait stands open while its own poll runs.
  return (
    replay.asks.size > 0 ||
    (replay.waits.size > 0 && [...replay.running].some(({ label }) => label.startsWith('step ')))
  )
}

function openIn(replay: Replay | undefined): readonly string[] {
  if (replay === undefined) return []
  const asks = [...replay.asks].map(({ key }) => `ask ${JSON.stringify(key)}`)
  return [...asks, ...[...replay.waits].map(({ key }) => `wait ${JSON.stringify(key)}`)]
}

function runningIn(replay: Replay | undefined): readonly string[] {
  return replay === undefined ? [] : [...replay.running].map(({ label }) => label)
}

function openText(open: readonly string[], running: readonly string[]): string {
  return `Open: ${list(open)}. Running: ${list(running)}.`
}

function list(items: readonly string[]): string {
  return items.length > 0 ? items.join(', ') : 'none'
}
