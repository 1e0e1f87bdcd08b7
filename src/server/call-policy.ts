import { DEFAULT_LIMITS, type ReplayLimits } from '../replay/limits.ts'
import { shown } from '../errors/value-text.ts'
import { checkOptions, refuse } from './definition.ts'
import { milliseconds, type Duration } from './duration.ts'

/** Options of a tool, a prompt, a resource or a template that say how its calls run over their rounds. */
export interface CallPolicyOptions {
  /** Version of the handler: a call that began under another one is refused (T2). */
  readonly version?: string | undefined
  /** How long a round may wait for its answers (1 h by default), and a whole call (24 h). */
  readonly ttl?: { readonly round?: Duration | undefined; readonly call?: Duration | undefined } | undefined
  /** Bounds that differ from the server's (E18). */
  readonly limits?: Partial<ReplayLimits> | undefined
  /** What an answered ask that the handler no longer meets leads to (E16). */
  readonly onDivergence?: 'warn' | 'fail' | undefined
}

/** The same, checked, with times in milliseconds. What is absent is the server's own. */
export interface CallPolicy {
  readonly version?: string
  readonly ttl?: { readonly round?: number; readonly call?: number }
  readonly limits?: Partial<ReplayLimits>
  readonly onDivergence?: 'warn' | 'fail'
}

/** Names of {@link CallPolicyOptions}, for the check of unknown options. */
export const POLICY_OPTIONS = ['version', 'ttl', 'limits', 'onDivergence'] as const

const NONE: CallPolicy = Object.freeze({})

/**
 * Checks the options. One shared object when none is given.
 *
 * @param where names the definition in the error's text.
 * @throws RondoError `DEFINITION_INVALID`
 */
export function callPolicy(options: CallPolicyOptions, where: string): CallPolicy {
  const { version, ttl, limits, onDivergence } = options
  if (version === undefined && ttl === undefined && limits === undefined && onDivergence === undefined) return NONE
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    refuse(where, 'version must be a text that is not empty.')
  }
  if (onDivergence !== undefined && onDivergence !== 'warn' && onDivergence !== 'fail') {
    refuse(where, `onDivergence must be 'warn' or 'fail', not ${shown(onDivergence)}.`)
  }
  return {
    ...(version === undefined ? {} : { version }),
    ...(ttl === undefined ? {} : { ttl: times(ttl, where) }),
    ...(limits === undefined ? {} : { limits: checkedLimits(limits, where) }),
    ...(onDivergence === undefined ? {} : { onDivergence }),
  }
}

function times(ttl: NonNullable<CallPolicyOptions['ttl']>, where: string): NonNullable<CallPolicy['ttl']> {
  const { round, call } = ttl
  const ms = {
    ...(round === undefined ? {} : { round: milliseconds(round, `${where}: ttl.round`) }),
    ...(call === undefined ? {} : { call: milliseconds(call, `${where}: ttl.call`) }),
  }
  if (ms.round !== undefined && ms.call !== undefined && ms.round > ms.call) {
    refuse(where, 'ttl.round is longer than ttl.call. A round cannot outlive its call: raise ttl.call.')
  }
  return ms
}

/** @throws RondoError `DEFINITION_INVALID` for a bound that is none */
export function checkedLimits(limits: Partial<ReplayLimits>, where: string): Partial<ReplayLimits> {
  checkOptions(limits, Object.keys(DEFAULT_LIMITS), `${where}: limits`)
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value !== 'number' || !(value >= 0)) {
      refuse(where, `limits.${name} must be a number from 0 up, not ${shown(value)}.`)
    }
  }
  return limits
}
