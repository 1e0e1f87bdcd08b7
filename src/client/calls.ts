import { type AnyRondoError, isRondoError, RondoError } from '../errors/rondo-error.ts'
import { ERRORS } from '../errors/codes.ts'
import { errorText } from '../errors/error-text.ts'
import { checkOptions } from '../errors/option-check.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { isThenable } from '../replay/thenable.ts'
import { ResultType } from '../protocol/result-type.ts'
import { checkedAnswer } from './answer-check.ts'
import { answerRound } from './ask-handlers.ts'
import { Backoff } from './backoff.ts'
import { type ClientHost } from './client-host.ts'
import {
  type CallLimits,
  type CallOptions,
  type DeliveryListener,
  type RequestCallOptions,
  type ResumeOptions,
  type Wait,
  type WaitListener,
} from './client-options.ts'
import { type Declaration } from './declaration.ts'
import { type Era, type EraRequest } from './era.ts'
import { CALL_OPTIONS, ROUND_OPTIONS } from './known-options.ts'
import { type AskingServer, type CallInfo, type Handlers } from './handlers.ts'
import { InputRequiredError } from './input-required-error.ts'
import { membersOf } from './request-text.ts'
import { type RequestTimes } from './request-scope.ts'
import { type ResponseError, RoundRefusedError } from './response-error.ts'
import { readRound, resultTypeOf } from './result-reading.ts'
import { checkResult } from './result-shapes.ts'
import { keptRound } from './round-check.ts'
import {
  type Answer,
  type Answers,
  type Completed,
  type InputRequest,
  type OriginalRequest,
  type Round,
  type RoundMethod,
  type RoundOutcome,
  type RoundResults,
} from './round.ts'
import { unprinted } from './unprinted.ts'

/** The request of a call, as text and as what headers mirror of it. */
export interface CallRequest<M extends RoundMethod = RoundMethod> {
  readonly method: M
  /** Members of `params` as JSON text, without braces and `_meta`: taken once, so that every retry says the same. */
  readonly members: string
  readonly name: string
}

/** What calls need of their client. */
export interface CallSetting {
  readonly host: ClientHost
  readonly limits: CallLimits
  readonly handlers: Handlers
  readonly onWait: WaitListener['onWait']
  readonly onUndelivered: DeliveryListener['onUndelivered']
  era(): Era
  /** What a request with these options declares. */
  declare(options: CallOptions | undefined): Declaration
  declareExactly(capabilities: Declaration['capabilities']): Declaration
  times(options: RequestCallOptions | undefined): RequestTimes
  server(): AskingServer
}

/** What one round sends beside the original request. */
interface RoundInput {
  readonly number: number
  readonly answers: Answers | undefined
  readonly token: string | undefined
}

const DEFAULTS = { maxRounds: 100, maxAsks: 100, maxWait: 15 * 60_000 } as const
const FIRST: RoundInput = { number: 1, answers: undefined, token: undefined }

/** Calls over their rounds, driven by handlers or by hand (basic/patterns/mrtr, "Client Requirements"). */
export class Calls {
  readonly #setting: CallSetting

  constructor(setting: CallSetting) {
    this.#setting = setting
  }

  /** Runs a call to its end; asks go to the handlers. */
  async run<M extends RoundMethod>(call: CallRequest<M>, options: CallOptions | undefined): Promise<RoundResults[M]> {
    checkOptions(options, CALL_OPTIONS, 'a call')
    const declaration = this.#setting.declare(options)
    let outcome = await this.#round(call, FIRST, declaration, options)
    if (outcome.kind === 'complete') return outcome.result
    const { limits, host } = this.#setting
    const maxRounds = options?.maxRounds ?? limits.maxRounds ?? DEFAULTS.maxRounds
    const backoff = new Backoff(host, options?.maxWait ?? limits.maxWait ?? DEFAULTS.maxWait)
    let asked = 0
    do {
      let answers: Answers | undefined
      if (Object.keys(outcome.asks).length === 0) {
        await told(this.#waits('state-only', call, outcome.round, options), backoff.wait(options?.signal))
      } else {
        if (++asked > maxRounds) throw tooManyRounds(maxRounds, outcome)
        answers = await this.#answers(outcome, options)
        backoff.reset()
      }
      const input: RoundInput = { number: outcome.round + 1, answers, token: outcome.token }
      outcome = await this.#deliver(outcome, call, input, declaration, options)
    } while (outcome.kind === 'input_required')
    return outcome.result
  }

  /** Runs a call's first round. */
  async start<M extends RoundMethod>(
    call: CallRequest<M>,
    options: RequestCallOptions | undefined,
  ): Promise<RoundOutcome<M>> {
    checkOptions(options, ROUND_OPTIONS, 'a round by hand')
    return this.#round(call, FIRST, this.#setting.declare(options), options)
  }

  /**
   * Runs a call's next round.
   *
   * @throws RondoError `ANSWER_INVALID` for an answer that does not fit, is missing, or that nobody asked for
   */
  async resume<M extends RoundMethod>(
    given: Round<M>,
    answers: Answers,
    options: ResumeOptions | undefined,
  ): Promise<RoundOutcome<M>> {
    checkOptions(options, ROUND_OPTIONS, 'a round by hand')
    const round = keptRound(given) as Round<M>
    const checked = checkedAnswers(round, answers, options?.partial === true)
    const declaration = options?.asks
      ? this.#setting.declare(options)
      : this.#setting.declareExactly(round.capabilities)
    const input: RoundInput = { number: round.round + 1, answers: checked, token: round.token }
    return this.#round(callOf(round.request), input, declaration, options)
  }

  /** Runs a later round; one that did not arrive is sent again for as long as the host wants that. */
  async #deliver<M extends RoundMethod>(
    round: Round,
    call: CallRequest<M>,
    input: RoundInput,
    declaration: Declaration,
    options: CallOptions | undefined,
  ): Promise<RoundOutcome<M>> {
    const { answers = {} } = input
    for (;;) {
      try {
        return await this.#round(call, input, declaration, options)
      } catch (error) {
        if (!isDeliveryFailure(error)) throw error
        const again = options?.onUndelivered ?? this.#setting.onUndelivered
        const lost = { error, answers, call: infoOf(round.request), round: round.round, server: this.#setting.server() }
        if ((await again?.(lost)) !== true) throw undelivered(error, round, answers)
      }
    }
  }

  async #round<M extends RoundMethod>(
    call: CallRequest<M>,
    input: RoundInput,
    declaration: Declaration,
    options: CallOptions | undefined,
  ): Promise<RoundOutcome<M>> {
    const { method, members, name } = call
    const listens = (options?.onWait ?? this.#setting.onWait) !== undefined
    const era = this.#setting.era()
    const roundMembers = input === FIRST ? '' : membersOfRound(input)
    const request: EraRequest = {
      method,
      members,
      roundMembers,
      name,
      declaration,
      times: this.#setting.times(options),
      options,
      onSlow: listens ? () => this.#waits('no-reply', call, input.number, options) : undefined,
      ...(era.name === 'legacy' && { answer: this.#answerer(call, input.number, declaration, options) }),
    }
    let result: JsonObject
    try {
      result = await era.request(request)
    } catch (error) {
      throw input.token === undefined ? error : refusal(error, call)
    }
    if (resultTypeOf(result, method) === ResultType.complete) {
      return { kind: 'complete', result: checkResult(method, result) } as unknown as Completed<M>
    }
    const round = readRound(result, originalOf(call), input.number, declaration.capabilities)
    const maxAsks = options?.maxAsks ?? this.#setting.limits.maxAsks ?? DEFAULTS.maxAsks
    if (Object.keys(round.asks).length > maxAsks) throw tooManyAsks(maxAsks, round)
    return round
  }

  #waits(reason: Wait['reason'], call: CallRequest, round: number, options: CallOptions | undefined): unknown {
    const onWait = options?.onWait ?? this.#setting.onWait
    return onWait?.({ reason, call: infoOf(originalOf(call)), round, server: this.#setting.server() })
  }

  /** Answers asks that come one by one, as requests of the server's own. */
  #answerer(
    call: CallRequest,
    number: number,
    { capabilities }: Declaration,
    options: CallOptions | undefined,
  ): NonNullable<EraRequest['answer']> {
    return async (key, ask) => {
      const asks = Object.create(null) as Record<string, InputRequest>
      asks[key] = ask
      const round: Round = { kind: 'input_required', request: originalOf(call), round: number, asks, capabilities }
      return (await this.#answers(round, options))[key] as Answer
    }
  }

  #answers(round: Round, options: CallOptions | undefined): Promise<Answers> {
    const { handlers, limits } = this.#setting
    return answerRound(round, {
      handlers: options ? { ...handlers, ...givenHandlers(options) } : handlers,
      call: infoOf(round.request),
      server: this.#setting.server(),
      serial: options?.serial ?? limits.serial ?? false,
      signal: options?.signal,
    })
  }
}

/** Waits, and then for nothing more: only what a listener was rejected with until then ends the call. */
async function told(given: unknown, wait: Promise<void>): Promise<void> {
  let failed: { readonly error: unknown } | undefined
  if (isThenable(given)) given.then(undefined, (error: unknown) => (failed = { error }))
  await wait
  if (failed !== undefined) throw failed.error
}

/** This round's answers and token, and nothing older. */
function membersOfRound({ answers, token }: RoundInput): string {
  const parts: string[] = []
  if (answers !== undefined && Object.keys(answers).length > 0) {
    parts.push(`"inputResponses":${JSON.stringify(answers)}`)
  }
  if (token !== undefined) parts.push(`"requestState":${JSON.stringify(token)}`)
  return parts.join(',')
}

function originalOf<M extends RoundMethod>({ method, members }: CallRequest<M>): OriginalRequest<M> {
  return { method, params: JSON.parse(`{${members}}`) as JsonObject }
}

function callOf<M extends RoundMethod>(request: OriginalRequest<M>): CallRequest<M> {
  return {
    method: request.method,
    members: membersOf(request.params, 'The params of the round'),
    name: infoOf(request).name,
  }
}

function infoOf({ method, params }: OriginalRequest): CallInfo {
  const name = params['name'] ?? params['uri']
  return { method, name: String(name), arguments: params['arguments'] as JsonObject | undefined }
}

function refusal(error: unknown, call: CallRequest): unknown {
  if (!isRondoError(error, 'RESPONSE_ERROR')) return error
  const response = error as ResponseError
  return response.wire === ERRORS.STATE_REFUSED.wire ? new RoundRefusedError(originalOf(call), response) : error
}

/** Whether a request failed on its way, so that sending it again may do. */
function isDeliveryFailure(error: unknown): error is AnyRondoError {
  return isRondoError(error) && (error.code === 'HTTP_STATUS' || ERRORS[error.code].retryable)
}

/**
 * What people typed, or the server has waited for, must not be lost with a connection: the error that ended it has the
 * round and its answers.
 */
function undelivered(error: AnyRondoError, round: Round, answers: Answers): InputRequiredError {
  const message = `${error.message} The round and its answers are kept: client.resume(error.round, error.answers) sends them again.`
  return new InputRequiredError(message, { round, answers, cause: error })
}

function checkedAnswers(round: Round, given: Answers, partial: boolean): Answers {
  const checked = Object.create(null) as Record<string, Answer>
  const answers = once(given)
  if (!isJsonObject(answers)) {
    throw new RondoError('ANSWER_INVALID', 'Answers are an object by the keys of the asks of the round')
  }
  for (const key of Object.keys(answers)) {
    if (!Object.hasOwn(round.asks, key)) throw mismatch(key, 'was not asked in this round')
    checked[key] = checkedAnswer(key, round.asks[key] as InputRequest, answers[key])
  }
  if (partial) return checked
  for (const key of Object.keys(round.asks)) {
    if (!Object.hasOwn(answers, key)) throw mismatch(key, 'has no answer; { partial: true } sends the others alone')
  }
  return checked
}

/** Every answer, read once: what is passed in may be anybody's object. */
function once(given: Answers): Answers {
  try {
    return isJsonObject(given) ? Object.assign(Object.create(null) as object, given) : given
  } catch (error) {
    throw new RondoError('ANSWER_INVALID', `The answers cannot be read: ${errorText(error)}`)
  }
}

function mismatch(key: string, reason: string): RondoError<'ANSWER_INVALID'> {
  return new RondoError('ANSWER_INVALID', `"${key}" ${reason}`, { data: { key } })
}

function tooManyRounds(limit: number, round: Round): RondoError<'CLIENT_ROUNDS_EXCEEDED'> {
  const error = new RondoError(
    'CLIENT_ROUNDS_EXCEEDED',
    `The server asked in more than ${limit} rounds of one call ("maxRounds"). It may be asking the same again and again.`,
    { data: { limit, round } },
  )
  return unprinted(error, 'data')
}

function tooManyAsks(limit: number, round: Round): RondoError<'CLIENT_ASKS_EXCEEDED'> {
  const asked = Object.keys(round.asks).length
  const error = new RondoError(
    'CLIENT_ASKS_EXCEEDED',
    `The server asks ${asked} things in one round, more than ${limit} ("maxAsks"). Nobody was asked any of them.`,
    { data: { limit, asked, round } },
  )
  return unprinted(error, 'data')
}

function givenHandlers({ onElicit, onUrl, onSample, onSampleWithTools, onRoots }: Handlers): Handlers {
  return {
    ...(onElicit && { onElicit }),
    ...(onUrl && { onUrl }),
    ...(onSample && { onSample }),
    ...(onSampleWithTools && { onSampleWithTools }),
    ...(onRoots && { onRoots }),
  }
}
