import { RondoError } from '../errors/rondo-error.ts'
import { type Replay } from './replay.ts'

/** The error of an attempt that took too long (E18), with what it was at. */
export function overtime(replay: Replay | undefined, limit: number): RondoError {
  const asks = replay ? [...replay.asks].map(({ key }) => `ask ${JSON.stringify(key)}`) : []
  const running = replay ? [...replay.running].map(({ label }) => label) : []
  const at =
    asks.length + running.length === 0
      ? 'No ask is open and no step runs: it awaits something of its own.'
      : `Open: ${list(asks)}. Running: ${list(running)}.`
  return new RondoError(
    'HANDLER_TIME',
    `The handler did not come to an end or to an answerable ask within ${limit / 1000} s, the limit (handlerTime). ${at} ` +
      `A lock held across an ask? An ask or step awaited inside a step?`,
  )
}

function list(items: readonly string[]): string {
  return items.length > 0 ? items.join(', ') : 'none'
}
