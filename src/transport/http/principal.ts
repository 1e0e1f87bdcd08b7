import type { AuthInfo, HttpInfo } from '../../server/exchange.ts'
import { Caller, type HttpReply } from './http-message.ts'
import { refusal } from './refusals.ts'

/** What the `principal` option is shown: the request without its body. */
export interface CallerRequest<Raw = unknown> extends HttpInfo {
  /** The host's own request object. */
  readonly raw: Raw
  /** Address of the other end of the connection, where the host tells. */
  readonly peer: string | undefined
}

/** A principal, and what handlers get to see as `ctx.auth`. */
export interface Identity {
  readonly principal: string
  readonly auth?: AuthInfo
}

/** What a `principal` option may give. */
export type Verdict = string | Identity | HttpRefusal | undefined

/**
 * Says who is calling, before the body is read: a principal (`''` is anonymous), or one with `auth`; `undefined` for
 * nobody we know (401), an {@link HttpRefusal} returned or thrown for more.
 */
export type PrincipalOption<Raw = unknown> = (request: CallerRequest<Raw>) => Verdict | Promise<Verdict>

/** Refuses a caller: 401 for one we do not know, 403 for one who may not. Returned or thrown by the `principal` option. */
export class HttpRefusal extends Error {
  readonly status: 401 | 403
  /** Value of `WWW-Authenticate`; for a 401 without one, the `challenge` option. */
  readonly challenge: string | undefined

  /**
   * @param message sent to the caller.
   * @throws RangeError when `challenge` cannot stand in a header.
   */
  constructor(status: 401 | 403, options: { readonly message?: string; readonly challenge?: string } = {}) {
    super(options.message ?? (status === 401 ? 'Who is calling is not known.' : 'This caller may not.'))
    if (options.challenge !== undefined && !isHeaderValue(options.challenge)) {
      throw new RangeError('challenge must be printable ASCII without line breaks, as a header value is')
    }
    this.status = status
    this.challenge = options.challenge
  }

  override get name(): string {
    return 'HttpRefusal'
  }
}

/** Caller or refusal, of what the `principal` option gave. */
export function readVerdict(verdict: Verdict, challenge: string): Caller | HttpReply {
  if (typeof verdict === 'string') return new Caller(verdict)
  if (verdict === undefined || verdict === null) return refuse(new HttpRefusal(401), challenge)
  if (verdict instanceof HttpRefusal) return refuse(verdict, challenge)
  if (typeof verdict.principal !== 'string') {
    throw new TypeError('The principal option gave neither a string, nor { principal }, nor undefined, nor a refusal')
  }
  return new Caller(verdict.principal, verdict.auth)
}

/** The reply for a refusal. */
export function refuse(reason: HttpRefusal, challenge: string): HttpReply {
  const value = reason.challenge ?? (reason.status === 401 ? challenge : undefined)
  return refusal(reason.status, reason.message, value === undefined ? [] : ['www-authenticate', value])
}

/** Whether a text can stand in a header. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text)
}
