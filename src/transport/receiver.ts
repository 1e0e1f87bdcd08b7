import { RondoError } from '../errors/rondo-error.ts'
import type { Revision } from '../protocol/revisions.ts'
import { isThenable } from '../replay/thenable.ts'
import type { ChangeListener } from '../server/changes.ts'
import type { AuthInfo, Exchange, Reply } from '../server/exchange.ts'
import { Logger, type ServerLog } from '../server/log.ts'

/** What a transport hands messages to: a `Server`, or anything that answers like one. */
export interface Receiver {
  /**
   * @param message JSON text, or a value that somebody parsed already.
   */
  handle(message: unknown, exchange: Exchange): Reply | Promise<Reply>
  /** Revisions it serves, newest first; without them no client of the legacy era is. */
  readonly revisions?: readonly Revision[]
  /** Calls `tell` with the changes that a caller may hear of, until what it gives is called. */
  watch?(caller: { readonly principal: string; readonly auth: AuthInfo | undefined }, tell: ChangeListener): () => void
  /** Where the transport's own events go, unless its `log` option says otherwise. */
  readonly log?: Logger
  /** Whether waiting calls die with this process, for want of state keys (rule T7). */
  readonly ephemeral?: boolean
  /** `false`: the health route says so. */
  readonly healthy?: boolean
}

/** @throws RondoError `CONFIG_INVALID` when there is nothing that could be served */
export function checkReceiver(receiver: unknown, of: string): void {
  if (typeof (receiver as Partial<Receiver> | null | undefined)?.handle === 'function') return
  throw new RondoError('CONFIG_INVALID', `${of} serves a Server, as its first argument.`)
}

/** Where a transport reports what an operator should know. */
export type TransportLog = (event: ServerLog) => void

/** The log a transport writes to. */
export function logOf(receiver: Receiver, log: TransportLog | undefined): Logger {
  return log === undefined ? (receiver.log ?? new Logger(undefined)) : new Logger(log)
}

/** Whether `value` has to be waited for. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return isThenable(value)
}

/**
 * What a receiver gave, if it is a reply: one that somebody wraps around a server may forget to return it. Never throws for
 * any other reason.
 *
 * @throws TypeError
 */
export function checkedReply(given: Reply): Reply {
  let whole = false
  try {
    const { status, body } = given
    whole = (status === 0 || (status >= 200 && status < 600)) && (body === undefined || typeof body === 'string')
  } catch {
    // Nothing, or nothing that can be read.
  }
  if (whole) return given
  throw new TypeError(
    'What handles messages gave no reply: an object of an HTTP status and a body, a text or undefined',
  )
}
