import type { JsonObject, RequestId } from '../jsonrpc/messages.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { Exchange } from './exchange.ts'

/** One request of the modern era, after the checks that come before its method's own. */
export interface ServerRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  /** `params._meta`; its required keys are present and of the right type. */
  readonly meta: JsonObject
  /** What this request declares; nothing is remembered from another (basic/index, "Statelessness"). */
  readonly capabilities: ClientCapabilities
  /** Who is calling; `''` is anonymous. */
  readonly principal: string
  readonly exchange: Exchange
}
