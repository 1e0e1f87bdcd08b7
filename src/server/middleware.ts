import type { AuthInfo, HttpInfo } from './exchange.ts'
import { checkedOutcome } from './checked-outcome.ts'
import type { Maybe } from './maybe.ts'
import type { Outcome } from './outcome.ts'
import type { ServerRequest } from './request.ts'

/** The request that middleware is around. */
export interface MiddlewareCall {
  readonly method: string
  /** `params` as received. */
  readonly params: Readonly<Record<string, unknown>>
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly http: HttpInfo | undefined
}

/**
 * Something around every operation: pass (`return next()`), replace the outcome, refuse (throw a `WireError`, or return a
 * failed outcome). `next()` never rejects (E6); called again, it gives the same outcome of the one run. What is returned
 * and is no outcome fails the call (`RESULT_INVALID`).
 */
export type Middleware = (call: MiddlewareCall, next: () => Promise<Outcome>) => Outcome | Promise<Outcome>

/** Runs `operation` inside `chain`, the first of it outermost. */
export async function runMiddleware(
  chain: readonly Middleware[],
  request: ServerRequest,
  operation: () => Maybe<Outcome>,
): Promise<Outcome> {
  const { method, params, principal, exchange } = request
  const call: MiddlewareCall = { method, params, principal, auth: exchange.auth, http: exchange.http }
  let cancelled = false
  let given: Outcome | undefined
  const step = async (index: number): Promise<Outcome> => {
    let outcome: Outcome
    try {
      const around = chain[index]
      if (around === undefined) {
        outcome = given = Object.freeze(await operation())
        cancelled = outcome.kind === 'cancelled'
      } else {
        const next = once(() => step(index + 1))
        outcome = await around(call, next)
        if (given === undefined || outcome !== given) outcome = checkedOutcome(outcome, method, cancelled)
      }
    } catch (error) {
      outcome = { kind: 'failed', error }
    }
    // Whatever middleware makes of it: who is around it must not take it for answered.
    return cancelled ? { kind: 'cancelled' } : outcome
  }
  return step(0)
}

function once(run: () => Promise<Outcome>): () => Promise<Outcome> {
  let ran: Promise<Outcome> | undefined
  return () => (ran ??= run())
}
