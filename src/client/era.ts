import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { METHODS } from '../protocol/methods.ts'
import { type RequestCallOptions } from './client-options.ts'
import { type Declaration } from './declaration.ts'
import { type Answer, type InputRequest } from './round.ts'
import { type RequestTimes } from './request-scope.ts'
import { type Transport } from './transport.ts'

/** One request as the client means it, before an era gives it its shape on the wire. */
export interface EraRequest {
  readonly method: string
  /** Members of `params` as JSON text without braces: neither `_meta` nor anything of a round. May be empty. */
  readonly members: string
  /** What a round adds, in the same form: `inputResponses` and `requestState`. May be empty. */
  readonly roundMembers: string
  /** Tool or prompt name, or URI: what `Mcp-Name` mirrors. */
  readonly name?: string | undefined
  /** What this request declares. */
  readonly declaration: Declaration
  readonly times: RequestTimes
  readonly options: RequestCallOptions | undefined
  /** To be called when there was no reply for a second. */
  readonly onSlow?: (() => unknown) | undefined
  /** Answers an ask that comes as a request of the server's own, in eras that have those. */
  answer?(key: string, request: InputRequest): Promise<Answer>
}

/** A way to speak to a server, settled for as long as the client lives. */
export interface Era {
  readonly name: 'modern' | 'legacy'
  /** Protocol revision in use. */
  readonly version: string
  /** @returns the result member of the response. */
  request(request: EraRequest): Promise<JsonObject>
}

/** What came back from a server that gave no modern answer. */
export interface EraSign {
  /** What was tried, for people: `server/discover at 2026-07-28`. */
  readonly tried: string
  /** HTTP status, where there is one. */
  readonly status: number | undefined
  /** What the server said, for people. */
  readonly said: string
}

/** Port for servers of another era: takes over a server that gave no modern answer. */
export interface EraAdapter {
  adopt(transport: Transport, sign: EraSign): Promise<Era>
}

/**
 * What a failed first contact says of a server's era: the error to raise where nobody takes over, with an
 * {@link EraSign} as `data`; `undefined` when it says nothing.
 */
export function foreignEra(
  error: unknown,
  transport: Transport,
  waited: number,
): RondoError<'ERA_UNSUPPORTED'> | undefined {
  if (isRondoError(error, 'ERA_UNSUPPORTED')) return error
  if (!isRondoError(error, 'REQUEST_TIMEOUT') || transport.kind !== 'stdio') return undefined
  const sign: EraSign = { tried: METHODS.serverDiscover, status: undefined, said: 'nothing' }
  return new RondoError(
    'ERA_UNSUPPORTED',
    `${transport.address} did not answer ${sign.tried} within ${waited} ms. It may be a server of an older revision, ` +
      'which needs a release with legacy support, or slow to start ("connectTimeout").',
    { cause: error, data: sign },
  )
}
