import type { Exchange, Reply } from '../server/exchange.ts'
import type { ServerLog } from '../server/log.ts'

/** What a transport hands messages to: a `Server`, or anything that answers like one. */
export interface Receiver {
  /**
   * @param message JSON text, or a value that somebody parsed already.
   */
  handle(message: unknown, exchange: Exchange): Reply | Promise<Reply>
}

/** Where a transport reports what an operator should know. It must not throw. */
export type TransportLog = (event: ServerLog) => void

/** Whether `value` has to be waited for. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown }).then === 'function'
}
