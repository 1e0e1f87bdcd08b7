import type { JsonObject } from '../jsonrpc/messages.ts'
import type { Maybe } from './maybe.ts'
import type { ServerRequest } from './request.ts'

/** Said instead of a result when the caller went away: nothing may be sent (basic/patterns/cancellation). */
export const CANCELLED: unique symbol = Symbol('cancelled')

/** JSON text of the whole `result` member, or that there is none to send. */
export type Answer = string | typeof CANCELLED

/** One method of the server, behind the checks that are the same for all. */
export interface Operation {
  /**
   * Shape of the method's own params, before anything is looked up.
   *
   * @throws WireError `INVALID_PARAMS`
   */
  checkParams?(params: JsonObject): void
  /** What `Mcp-Name` must mirror (basic/transports/streamable-http, "Standard Request Headers"). */
  nameOf?(params: JsonObject): string
  /**
   * Does the work.
   *
   * @throws WireError and whatever an author's function throws, also by rejection
   */
  run(request: ServerRequest): Maybe<Answer>
}
