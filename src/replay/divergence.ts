import { RondoError } from '../errors/rondo-error.ts'
import { type Outcome } from './outcome.ts'
import { type Replay } from './replay.ts'

/**
 * What the outcome is worth, given what the handler left out (E16): an answered ask it did not come to is a warning, or
 * `REPLAY_DIVERGED`, and a step it did not come to is a warning.
 */
export function judge<R>(replay: Replay, outcome: Outcome<R>): Outcome<R> {
  if (outcome.kind === 'cancelled') return outcome
  if (outcome.kind === 'completed') warnOfSteps(replay)
  const [ask] = replay.delivery.leftOut('ask')
  if (ask === undefined) return outcome
  const message = text(replay, ask, outcome.kind)
  if (replay.owner.options.onDivergence === 'fail' && outcome.kind !== 'failed') {
    return { kind: 'failed', error: new RondoError('REPLAY_DIVERGED', message) }
  }
  replay.owner.log({ level: 'warn', code: 'REPLAY_DIVERGED', message })
  return outcome
}

function text(replay: Replay, ask: string, ended: 'completed' | 'suspended' | 'failed'): string {
  const found = replay.firstFound === undefined ? `it ${ended} without coming to anything new` : replay.firstFound
  return (
    `The handler left out an ask that was answered: the journal expects ask ${JSON.stringify(ask)} first, and what was ` +
    `found first was: ${found}. Is there a branch on the time, a random value or outside data that is not in a step?`
  )
}

function warnOfSteps(replay: Replay): void {
  const steps = replay.delivery.leftOut('step')
  if (steps.length === 0) return
  replay.owner.log({
    level: 'warn',
    code: 'STEP_LEFT_OUT',
    message: `The handler did not come to steps that an earlier round ran: ${steps.map((key) => JSON.stringify(key)).join(', ')}.`,
  })
}
