import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { isToolError } from '../errors/tool-error.ts'
import { ERRORS } from '../errors/codes.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { InputRequiredResult, isInputRequired, isInputRequiredLiteral } from '../protocol/input-required-result.ts'
import type { InputRequest } from '../protocol/input-requests.ts'
import { Attempt, type AttemptOptions } from '../replay/attempt.ts'
import { host, type Host } from '../replay/host.ts'
import type { Journal } from '../replay/journal.ts'
import type { ReplayLimits } from '../replay/limits.ts'
import type { LiveCaller } from '../replay/options.ts'
import type { Outcome as AttemptOutcome, PutAsk, ReplayLog, Suspended } from '../replay/outcome.ts'
import { Bridge } from './bridge.ts'
import { CallContext, type ContextRound } from './call-context.ts'
import type { CallTarget } from './call-target.ts'
import { uncovered } from './capability-gate.ts'
import { givenClock } from './clock.ts'
import type { Carried, Written } from './continuation.ts'
import { codeOf } from './failure.ts'
import { hostEnvironment } from './host-environment.ts'
import { after, type Maybe } from './maybe.ts'
import { Notifier } from './notify.ts'
import type { Outcome } from './outcome.ts'
import { askClientOf } from './place.ts'
import type { ServerRequest } from './request.ts'
import { fail } from './results.ts'
import { serverClosed } from './server-closed.ts'
import type { Running, Services } from './services.ts'

/** Where the price of following async context is worth paying (E10); otherwise the engine knows where it is free. */
const DEVELOPMENT = hostEnvironment()['NODE_ENV'] === 'development' ? true : undefined

/**
 * One round of a call: the handler run once from the top, and what came of it. It is itself what the attempt reads its
 * options from, so that a call which asks nothing builds none.
 */
export class Round implements ContextRound, AttemptOptions, Running {
  readonly services: Services
  readonly request: ServerRequest
  readonly carried: Carried
  readonly attempt: Attempt
  place = -1
  readonly #target: CallTarget
  /** The form that the handler has shown to be of, by what it used first in this round. */
  #form: 'none' | 'ask' | 'return' = 'none'
  #cancelled = false
  #gone: AbortController | undefined
  #callId: string | undefined
  #journalText: string | undefined
  #admitted: InputRequiredResult | undefined
  #notifier: Notifier | undefined
  #counts: Map<string, number> | undefined

  constructor(services: Services, request: ServerRequest, target: CallTarget, carried: Carried) {
    this.services = services
    this.request = request
    this.carried = carried
    this.#target = target
    this.attempt = new Attempt(this)
  }

  get journal(): Journal | undefined {
    return this.carried.journal
  }

  get answers(): ReadonlyMap<string, unknown> | undefined {
    return this.carried.answers
  }

  /** In the legacy era the client is asked while the handler waits. */
  get live(): LiveCaller | undefined {
    const ask = askClientOf(this.request)
    return ask && new Bridge(ask, this.attempt)
  }

  get limits(): Partial<ReplayLimits> | undefined {
    const { limits: own } = this.#target.policy
    const { limits } = this.services.options
    return own === undefined ? limits : { ...limits, ...own }
  }

  get onDivergence(): 'warn' | 'fail' | undefined {
    const { testing } = this.request.exchange
    return this.#target.policy.onDivergence ?? this.services.options.onDivergence ?? testing?.onDivergence
  }

  get detectNesting(): boolean | undefined {
    return this.services.options.detectNesting ?? this.request.exchange.testing?.detectNesting ?? DEVELOPMENT
  }

  get host(): Host | undefined {
    const now = givenClock(this.request.exchange, this.services.options)
    return now === undefined ? undefined : { ...host, now }
  }

  admit(asks: readonly PutAsk[]): unknown {
    return uncovered(
      asks.map(({ key, payload }) => [key, payload] as const),
      this.request.capabilities,
    )
  }

  idempotencyKey(stepKey: string): Maybe<string> {
    return this.services.continuation.idempotencyKey(this.request, this.carried, this.callId(), stepKey)
  }

  log({ once, ...event }: ReplayLog): void {
    this.services.log.about(this.request, { ...event, callId: this.callId() }, once)
  }

  /** Stable over the rounds of the call. */
  callId(): string {
    return (this.#callId ??= this.carried.callId ?? globalThis.crypto.randomUUID())
  }

  /** Aborts when the caller goes away, be it after the handler ended. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController()
    if (this.#cancelled) this.#gone.abort()
    return this.#gone.signal
  }

  /** Whether the caller went away, be it after the handler ended. */
  get cancelled(): boolean {
    return this.#cancelled
  }

  /** What the engine made of a suspended attempt, whose asks it has held against the request's capabilities (E11). */
  get admitted(): InputRequiredResult | undefined {
    return this.#admitted
  }

  get targetName(): string {
    return this.#target.name
  }

  get isTool(): boolean {
    return this.#target.isTool
  }

  get notifier(): Notifier {
    const { attempt, services } = this
    return (this.#notifier ??= new Notifier(this.request, {
      open: () => !attempt.ended && !attempt.quiet,
      redact: services.options.redact,
      log: services.log,
    }))
  }

  /** Runs the handler. Never rejects. */
  run(args: unknown): Maybe<Outcome> {
    const { attempt, request, services } = this
    request.exchange.onCancel?.((reason) => {
      this.#cancelled = true
      this.#gone?.abort()
      attempt.cancel(reason)
    })
    // Both may have come while input or middleware was awaited.
    if (this.#cancelled) return { kind: 'cancelled' }
    if (services.closed()) return { kind: 'failed', error: serverClosed() }
    services.running.add(this)
    const outcome = attempt.run(() => this.#target.invoke(args, new CallContext(this, '')))
    return after(outcome, (ended) => {
      services.running.delete(this)
      return this.#settle(ended)
    })
  }

  stop(reason: string): void {
    this.attempt.cancel(reason)
  }

  recorded<T>(kind: string, compute: () => T): T {
    const counts = (this.#counts ??= new Map())
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return this.attempt.fact(`${kind}${count}`, compute)
  }

  asks(): RondoError | undefined {
    if (this.#form === 'return') return mixed(this.#target.name, ASKS, 'has read ctx.inputResponses')
    this.#form = 'ask'
    return this.carried.form === 'return' ? mixed(this.#target.name, ASKS, BEFORE_RETURNED) : undefined
  }

  readable(): ReadonlyMap<string, unknown> | undefined {
    const { attempt, carried } = this
    if (attempt.ended) return undefined
    if (this.#form === 'ask') return attempt.given()
    this.#form = 'return'
    if (carried.form !== 'ask') return carried.answers
    void attempt.end({ error: mixed(this.#target.name, 'reads ctx.inputResponses', BEFORE_ASKED) })
    return undefined
  }

  /** What a result that was suspended here leaves in the state. */
  written(result: InputRequiredResult): Written | undefined {
    const text = result.requestState
    if (text === undefined) return undefined
    return { form: text === this.#journalText ? 'ask' : 'return', callId: this.callId(), text }
  }

  #settle(ended: AttemptOutcome<unknown>): Maybe<Outcome> {
    switch (ended.kind) {
      case 'completed':
        return this.#complete(ended.value)
      case 'suspended':
        return this.#suspend(ended)
      case 'failed':
        return this.#failed(ended.error)
      case 'cancelled':
        return ended
    }
  }

  #complete(value: unknown): Maybe<Outcome> {
    try {
      const asked = asInputRequired(value)
      if (asked !== undefined) {
        const other =
          this.#form === 'ask' ? 'has asked with ctx' : this.carried.form === 'ask' ? BEFORE_ASKED : undefined
        if (other !== undefined) return this.#failed(mixed(this.#target.name, 'returns an InputRequiredResult', other))
        return { kind: 'suspended', result: asked }
      }
      const body = this.#target.finish(value)
      if (!(body instanceof Promise)) return { kind: 'completed', result: body }
      return body.then(
        (result): Outcome => ({ kind: 'completed', result }),
        (error: unknown) => this.#failed(error),
      )
    } catch (error) {
      return this.#failed(error)
    }
  }

  #suspend({ asks, text }: Suspended): Outcome {
    this.#journalText = text
    this.request.exchange.testing?.suspended?.(text)
    const inputRequests = Object.create(null) as Record<string, InputRequest>
    for (const { key, payload } of asks) inputRequests[key] = payload as InputRequest
    this.#admitted = new InputRequiredResult({ inputRequests, requestState: text })
    return { kind: 'suspended', result: this.#admitted }
  }

  /** Failures a person or a tool's author meant are results of the tool; everything else stays an error. */
  #failed(error: unknown): Outcome {
    if (isToolError(error)) return this.#told(error, 'INTERNAL_ERROR')
    const code = codeOf(error)
    if (code !== undefined && ERRORS[code].fault === 'person') return this.#told(error, 'INVALID_PARAMS')
    return { kind: 'failed', error }
  }

  #told(cause: unknown, code: 'INTERNAL_ERROR' | 'INVALID_PARAMS'): Outcome {
    const text = errorText(cause)
    if (this.isTool) return { kind: 'completed', result: fail(text).body as JsonObject }
    return { kind: 'failed', error: new WireError(code, text, { cause }) }
  }
}

const ASKS = 'asks with ctx (ask, step, waitFor)'
const BEFORE_ASKED = 'an earlier round asked with ctx'
const BEFORE_RETURNED = 'the round before returned an InputRequiredResult'

/** The error for a handler of both forms, or of another than wrote the state. */
function mixed(name: string, does: string, other: string): RondoError<'FORMS_MIXED'> {
  return new RondoError(
    'FORMS_MIXED',
    `${name} ${does}, and ${other}: the state and the answers of one form are not for the other. Use one form in a handler; in the ask form answers come from awaiting the asks. Was the code changed under a running call? Then give the new handler a version of its own.`,
  )
}

/**
 * What a handler of the return form returned, the class or the one literal that is taken for it.
 *
 * @throws RondoError `RESULT_INVALID` when the literal is not a usable one (S0.13, S0.19)
 */
function asInputRequired(value: unknown): InputRequiredResult | undefined {
  if (!isInputRequired(value) && !isInputRequiredLiteral(value)) return undefined
  try {
    return InputRequiredResult.from(value)
  } catch (cause) {
    throw new RondoError('RESULT_INVALID', `The input-required result is unusable: ${errorText(cause)}`, {
      cause,
    })
  }
}
