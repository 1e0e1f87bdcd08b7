import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { embeddedProblem } from '../protocol/embedded-check.ts'
import type { InputRequiredResult } from '../protocol/input-required-result.ts'
import { DEFAULT_LIMITS } from '../replay/limits.ts'
import { UNCACHED } from './cache-hint.ts'
import type { CallTarget } from './call-target.ts'
import { uncovered } from './capability-gate.ts'
import { BridgedRounds } from './bridged-rounds.ts'
import { carriedOn, type Bound, type Carried, type Sealed } from './continuation.ts'
import { wireFailure } from './failure.ts'
import { after, type Maybe } from './maybe.ts'
import { runMiddleware } from './middleware.ts'
import { checkResultMeta, membersText } from './result-body.ts'
import type { Outcome } from './outcome.ts'
import { askClientOf } from './place.ts'
import type { ServerRequest } from './request.ts'
import { Round } from './round.ts'
import { CANCELLED, type Answer } from './operation.ts'
import type { Services } from './services.ts'

/**
 * One round of `tools/call`, `prompts/get` or `resources/read`, in the order of the rules: token, input, middleware,
 * handler, cancellation, the hook for input-required results, seal, stamp.
 *
 * @throws WireError and whatever a handler throws, also by rejection; the dispatcher decides what leaves the process
 */
export function runCall(services: Services, request: ServerRequest, target: CallTarget): Maybe<Answer> {
  const bound: Bound = { request, policy: target.policy, target: () => target.bindingText() }
  return after(services.continuation.open(bound), (carried) =>
    after(target.checkInput(), (input): Maybe<Answer> => {
      const call = new Call(services, request, target, bound, carried)
      return input.ok ? call.run(input.args) : call.complete(input.result)
    }),
  )
}

class Call {
  readonly #services: Services
  readonly #request: ServerRequest
  readonly #target: CallTarget
  readonly #bound: Bound
  readonly #carried: Carried
  readonly #round: Round
  readonly #bridged: BridgedRounds | undefined
  #args: unknown
  /** What the round came to, where middleware saw it. */
  #own: Outcome | undefined

  constructor(
    services: Services,
    request: ServerRequest,
    target: CallTarget,
    bound: Bound,
    carried: Carried,
    bridged?: BridgedRounds,
  ) {
    this.#bridged = bridged
    this.#services = services
    this.#request = request
    this.#target = target
    this.#bound = bound
    this.#carried = carried
    this.#round = new Round(services, request, target, carried)
  }

  run(args: unknown): Maybe<Answer> {
    this.#args = args
    const { middleware } = this.#services
    const outcome =
      middleware.length === 0
        ? this.#round.run(args)
        : runMiddleware(middleware, this.#request, () => after(this.#round.run(args), (own) => (this.#own = own)))
    return after(outcome, (ended) => this.#answer(ended))
  }

  complete(body: JsonObject): string {
    const { exchange } = this.#request
    if (exchange.legacy !== undefined) {
      if (body['_meta'] !== undefined) checkResultMeta(body['_meta'])
      return membersText(body)
    }
    const { cache } = this.#target
    const took = this.#carried.form !== 'none' || this.#carried.answers !== undefined
    return this.#services.stamp.complete(body, cache === undefined ? undefined : took ? UNCACHED : cache)
  }

  #answer(outcome: Outcome): Maybe<Answer> {
    if (this.#services.log.active) this.#report(outcome)
    if (outcome.kind === 'cancelled' || this.#round.cancelled) return CANCELLED
    switch (outcome.kind) {
      case 'completed':
        return this.#services.middleware.length === 0 ? this.complete(outcome.result) : this.#recheck(outcome.result)
      case 'failed':
        throw wireFailure(outcome.error, this.#request, this.#services.log, this.#round.callId())
      case 'suspended':
        return this.#suspended(outcome.result)
    }
  }

  /** What middleware put in a result's place is held to the same as what a handler returns. */
  #recheck(body: JsonObject): Maybe<string> {
    const given = this.#own?.kind === 'completed' ? this.#own.result : undefined
    return after(this.#target.recheck(body, given), (checked) => this.complete(checked))
  }

  #suspended(result: InputRequiredResult): Maybe<Answer> {
    admit(this.#request, result, this.#round.admitted)
    const ask = askClientOf(this.#request)
    if (ask !== undefined) {
      const waitTime = this.#round.limits?.waitTime ?? DEFAULT_LIMITS.waitTime
      return this.#goOn(result, this.#bridged ?? new BridgedRounds(ask, waitTime))
    }
    return after(this.#seal(result), (sealed) =>
      this.#round.cancelled ? CANCELLED : this.#inputRequired(result, sealed),
    )
  }

  /** The next round of the return form within the same request, which is how the legacy era has it. */
  async #goOn(result: InputRequiredResult, bridged: BridgedRounds): Promise<Answer> {
    const round = this.#round
    try {
      const answers = await bridged.answers(result, round.gone)
      if (round.cancelled) return CANCELLED
      const carried = carriedOn('return', result.requestState, answers, undefined, round.callId())
      return await new Call(this.#services, this.#request, this.#target, this.#bound, carried, bridged).run(this.#args)
    } catch (error) {
      if (round.cancelled) return CANCELLED
      throw wireFailure(error, this.#request, this.#services.log, round.callId())
    }
  }

  #seal(result: InputRequiredResult): Maybe<Sealed | undefined> {
    const written = this.#round.written(result)
    return written === undefined ? undefined : this.#services.continuation.seal(this.#bound, this.#carried, written)
  }

  #inputRequired({ inputRequests }: InputRequiredResult, sealed: Sealed | undefined): string {
    const { stamp } = this.#services
    if (sealed === undefined) return stamp.inputRequired(inputRequests)
    const { requestState, expires } = sealed
    return stamp.inputRequired(inputRequests, requestState, expires)
  }

  #report(outcome: Outcome): void {
    const { method } = this.#request
    const asks = outcome.kind === 'suspended' ? Object.keys(outcome.result.inputRequests ?? {}) : undefined
    this.#services.log.about(this.#request, {
      level: 'info',
      code: 'round',
      message: `${method} ${this.#target.name}: ${outcome.kind}${asks === undefined ? '' : ` (${asks.join(', ')})`}`,
      callId: this.#round.callId(),
      data: { outcome: outcome.kind, ...(asks === undefined ? {} : { asks }) },
    })
  }
}

/**
 * The one hook every input-required result passes, of either form, after middleware and the check for cancellation.
 *
 * @throws WireError `INTERNAL_ERROR` for a client whose revision has no such results; `CAPABILITY_MISSING` for asks beyond
 * what this request declares
 * @throws RondoError `RESULT_INVALID` for what no client can answer
 *
 * @param admitted the result whose asks were checked when the attempt was suspended
 */
function admit(request: ServerRequest, result: InputRequiredResult, admitted: InputRequiredResult | undefined): void {
  const { legacy } = request.exchange
  if (legacy !== undefined && legacy.request === undefined) {
    throw new WireError(
      'INTERNAL_ERROR',
      `This call needs input from the client, which revision ${legacy.protocolVersion} has no result for. Use a client that speaks 2026-07-28.`,
    )
  }
  if (result === admitted) return
  checkEmbedded(result)
  const error = uncovered(Object.entries(result.inputRequests ?? {}), request.capabilities)
  if (error !== undefined) throw error
}

function checkEmbedded({ inputRequests = {} }: InputRequiredResult): void {
  for (const key of Object.keys(inputRequests)) {
    const entry = inputRequests[key]
    const problem = entry && embeddedProblem(entry)
    if (problem === undefined) continue
    throw new RondoError(
      'RESULT_INVALID',
      `inputRequests[${JSON.stringify(key)}] (${entry?.method ?? ''}) cannot be sent: ${problem}.`,
    )
  }
}
