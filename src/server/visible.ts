import { kindOf } from '../errors/value-text.ts'
import { abandoned } from '../replay/thenable.ts'
import type { AuthInfo } from './exchange.ts'
import type { Logger } from './log.ts'
import type { ServerRequest } from './request.ts'

/** Who is asking, as a `visible` rule sees them. */
export interface Caller {
  /** `''` is anonymous. */
  readonly principal: string
  readonly auth: AuthInfo | undefined
}

/** Who sent a request. */
export function callerOf({ principal, exchange }: ServerRequest): Caller {
  return { principal, auth: exchange.auth }
}

/**
 * Whether a tool, prompt, resource or template exists for this caller. Synchronous and free of side effects: it is asked
 * at every list, call, read, get and completion. Anything but `true`, a throw included, hides it.
 */
export type Visible = (caller: Caller) => boolean

/**
 * Asks a rule. One that throws, or gives something other than a boolean, hides the thing from this caller: a broken rule
 * must neither show what it guards nor take the rest of the list with it.
 *
 * @param noun and `key` name the thing for the log.
 */
export function isVisible(
  visible: Visible,
  caller: Caller,
  noun: string,
  key: string,
  log: Logger | undefined,
): boolean {
  try {
    const verdict: unknown = visible(caller)
    if (typeof verdict === 'boolean') return verdict
    const given = abandoned(verdict) ? 'a promise (it must be synchronous)' : kindOf(verdict)
    warn(log, noun, key, `gave ${given}, not true or false`, undefined)
    return false
  } catch (error) {
    warn(log, noun, key, 'threw', error)
    return false
  }
}

function warn(log: Logger | undefined, noun: string, key: string, did: string, error: unknown): void {
  const message = `The visible rule of ${noun} ${JSON.stringify(key)} ${did}: hidden from this caller.`
  log?.once(`visible ${noun} ${key} ${did}`, { level: 'error', code: 'visible-failed', message, target: key, error })
}
