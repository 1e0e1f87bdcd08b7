import type { InputResponse } from '../protocol/input-requests.ts'
import { isElicitResult } from '../protocol/elicitation.ts'
import { META, type Implementation } from '../protocol/meta.ts'
import { isListRootsResult } from '../protocol/roots.ts'
import { isCreateMessageResult } from '../protocol/sampling.ts'
import { coversCapabilities, type ClientCapabilities } from '../protocol/capabilities.ts'
import type { Ask } from './ask.ts'
import { createAsk, type Asking } from './asks.ts'
import type { Can, Context, ContextLog, InputResponseView, StepOptions, StepTools, WaitOptions } from './context.ts'
import { milliseconds, millisecondsFromZero } from './duration.ts'
import type { AuthInfo, HttpInfo } from './exchange.ts'
import { adviseOnContext } from './foreign-names.ts'
import { warnOfSecrets } from './form-warnings.ts'
import { contextLog, type Notifier } from './notify.ts'
import { fail } from './results.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { kindOf } from '../errors/value-text.ts'
import type { StepTools as EngineTools } from '../replay/tools.ts'
import type { AskSpec } from '../replay/ask.ts'
import type { Attempt } from '../replay/attempt.ts'
import { givenClock } from './clock.ts'
import type { Carried } from './continuation.ts'
import type { ServerRequest } from './request.ts'
import type { Services } from './services.ts'
import { WireError } from '../errors/wire-error.ts'
import type { Recorded } from './recorded.ts'
import { signUrl } from './signed-url.ts'
import { StepKit } from './step-kit.ts'

/** What a context shows of its round. */
export interface ContextRound {
  readonly services: Services
  readonly request: ServerRequest
  readonly carried: Carried
  readonly attempt: Attempt
  readonly targetName: string
  callId(): string
  readonly isTool: boolean
  readonly notifier: Notifier
  /** A value recorded under `kind`, one more at each reading (E15). */
  recorded<T>(kind: string, compute: () => T): T
  /** Notes that the handler asks, steps or waits; the error to end the call with when it is of the return form. */
  asks(): RondoError | undefined
  /** The raw answers that the handler may read, by key. Ends the call when none are for its form. */
  readable(): ReadonlyMap<string, unknown> | undefined
}

/**
 * The context of one round, or a scope of it. Everything is made when first read: a handler that asks nothing pays for
 * this object alone. Methods come from getters, so that they may be taken off it (E1).
 */
export class CallContext implements Context {
  readonly #round: ContextRound
  readonly #prefix: string
  #ask: Ask | undefined
  #log: ContextLog | undefined
  #responses: Readonly<Record<string, InputResponse>> | undefined
  /** What {@link #responses} was made of. */
  #shown: ReadonlyMap<string, unknown> | undefined

  static {
    adviseOnContext<CallContext>(this.prototype, async (ctx, error) => ctx.#round.attempt.end({ error }))
  }

  constructor(round: ContextRound, prefix: string) {
    this.#round = round
    this.#prefix = prefix
  }

  get target(): string {
    return this.#round.targetName
  }

  get principal(): string {
    return this.#round.request.principal
  }

  get auth(): AuthInfo | undefined {
    return this.#round.request.exchange.auth
  }

  get http(): HttpInfo | undefined {
    return this.#round.request.exchange.http
  }

  get signal(): AbortSignal {
    return this.#round.attempt.signal
  }

  get client(): Implementation | undefined {
    const { exchange, meta } = this.#round.request
    return exchange.legacy === undefined
      ? (meta[META.clientInfo] as Implementation | undefined)
      : exchange.legacy.clientInfo
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#round.request.capabilities
  }

  get protocolVersion(): string {
    const { request } = this.#round
    return request.exchange.legacy?.protocolVersion ?? String(request.meta[META.protocolVersion])
  }

  get meta(): Readonly<Record<string, unknown>> {
    return this.#round.request.meta
  }

  get callId(): string {
    return this.#round.callId()
  }

  get can(): Can {
    const { attempt, carried, request } = this.#round
    const live = () => declared(request.capabilities)
    return carried.form === 'return' ? live() : attempt.fact('can', live)
  }

  get ask(): Ask {
    return (this.#ask ??= createAsk(new ContextAsking(this.#round, this.#prefix)))
  }

  get step(): Context['step'] {
    return <T>(name: string, run: (tools: StepTools) => T | PromiseLike<T>, options?: StepOptions | null) =>
      this.#replayed((attempt) => {
        const full = scoped(this.#prefix, name)
        const timeout = options?.timeout
        return attempt.step<Recorded<T>>(
          full,
          callable(run, `Step "${full}"`, (tools: EngineTools) => run(new StepKit(tools, this.#round)) as Recorded<T>),
          timeout === undefined ? undefined : { timeout: milliseconds(timeout, `timeout of step "${full}"`) },
        )
      })
  }

  get waitFor(): Context['waitFor'] {
    return <T>(
      name: string,
      poll: (tools: { readonly signal: AbortSignal }) => T | undefined | PromiseLike<T | undefined>,
      options?: WaitOptions | null,
    ) => {
      const tested = this.#round.request.exchange.testing?.hold
      return this.#replayed((attempt) => {
        const full = scoped(this.#prefix, name)
        const { hold, every } = options ?? {}
        return attempt.waitFor<Recorded<T>>(
          full,
          callable(poll, `Wait "${full}"`, poll as () => Recorded<T> | undefined),
          {
            hold: tested ?? (hold === undefined ? undefined : millisecondsFromZero(hold, `hold of wait "${full}"`)),
            every: every === undefined ? undefined : milliseconds(every, `every of wait "${full}"`),
          },
        )
      })
    }
  }

  get scope(): Context['scope'] {
    return (prefix) => {
      if (typeof prefix === 'string') return new CallContext(this.#round, `${this.#prefix}${prefix}/`)
      // It gives no promise to park the caller with: what is used after it does.
      void this.#round.attempt.end({ error: noName(prefix) })
      return this
    }
  }

  get onAttemptEnd(): Context['onAttemptEnd'] {
    return (run) => {
      const { attempt } = this.#round
      try {
        attempt.onEnd(callable(run, 'onAttemptEnd', run))
      } catch (error) {
        void attempt.end({ error })
      }
    }
  }

  get now(): () => number {
    const { request, services } = this.#round
    return () => this.#round.recorded('now', givenClock(request.exchange, services.options) ?? Date.now)
  }

  get random(): () => number {
    return () => this.#round.recorded('random', Math.random)
  }

  get uuid(): () => string {
    return () => this.#round.recorded('uuid', () => globalThis.crypto.randomUUID())
  }

  get progress(): Context['progress'] {
    return (progress, total, message) => this.#round.notifier.progress(progress, total, message)
  }

  get log(): ContextLog {
    return (this.#log ??= contextLog(this.#round.notifier))
  }

  get signUrl(): Context['signUrl'] {
    return (url) => {
      const { attempt } = this.#round
      // Nothing of the engine's rejects into a handler (E4).
      return attempt.late('signUrl') ?? this.#signed(url).catch((error: unknown) => attempt.end({ error }))
    }
  }

  get requestState(): string | undefined {
    const { attempt, carried } = this.#round
    return attempt.ended ? undefined : carried.state
  }

  get inputResponses(): Readonly<Record<string, InputResponse>> | undefined {
    const answers = this.#round.readable()
    if (answers === undefined) return undefined
    if (answers !== this.#shown) {
      this.#shown = answers
      this.#responses = Object.freeze(
        Object.assign(Object.create(null) as Record<string, InputResponse>, Object.fromEntries(answers)),
      )
    }
    return this.#responses
  }

  get inputResponse(): Context['inputResponse'] {
    return (key) => {
      const answers = this.#round.readable()
      return view(typeof key === 'string' || typeof key === 'number' ? answers?.get(String(key)) : undefined)
    }
  }

  /** The key is recorded, so that a rotation does not reword the ask that the URL is for (E15, T8). */
  async #signed(url: string | URL): Promise<string> {
    const { attempt, request, services } = this.#round
    const signer = services.continuation.signer(request.exchange)
    const first = await signer.signingKid()
    const kid = attempt.fact('kid', () => first)
    const owner = { callId: this.callId, principal: request.principal }
    return signUrl(String(url), owner, async (text) => signer.sign(text, kid))
  }

  /** Runs what belongs to replay, or ends the call and parks the caller: nothing here throws into a handler (E4). */
  #replayed<P extends PromiseLike<unknown>>(enter: (attempt: Attempt) => P): P {
    const round = this.#round
    const { attempt } = round
    const mixed = round.asks()
    if (mixed !== undefined) return attempt.end({ error: mixed }) as unknown as P
    try {
      return enter(attempt)
    } catch (error) {
      return attempt.end({ error }) as unknown as P
    }
  }
}

/** What asks need of a context's round. */
class ContextAsking implements Asking {
  readonly #round: ContextRound
  readonly #prefix: string

  constructor(round: ContextRound, prefix: string) {
    this.#round = round
    this.#prefix = prefix
  }

  ask<A>(spec: AskSpec<A>): PromiseLike<A> {
    const mixed = this.#round.asks()
    return mixed === undefined ? this.#round.attempt.ask(spec) : this.failed(mixed)
  }

  failed(error: unknown): PromiseLike<never> {
    return this.#round.attempt.end({ error })
  }

  declined(text: string): PromiseLike<never> {
    const { attempt, isTool } = this.#round
    return attempt.end(isTool ? { value: fail(text) } : { error: new WireError('INTERNAL_ERROR', text) })
  }

  named(name: string): string {
    return scoped(this.#prefix, name)
  }

  onSecrets(name: string, fields: readonly string[]): void {
    warnOfSecrets(this.#round.services.log, name, fields)
  }
}

/** @throws RondoError `ASK_NAME` for what is no text, which joining would make one of */
function scoped(prefix: string, name: string): string {
  if (typeof name === 'string') return prefix + name
  throw noName(name)
}

function noName(name: unknown): RondoError<'ASK_NAME'> {
  return new RondoError('ASK_NAME', `Asks, steps, waits and scopes are called by a text, not by ${kindOf(name)}.`)
}

/** @throws RondoError `DEFINITION_INVALID` when the author gave no function */
function callable<F>(given: unknown, what: string, fn: F): F {
  if (typeof given === 'function') return fn
  throw new RondoError('DEFINITION_INVALID', `${what} needs a function to run, not ${kindOf(given)}.`)
}

function declared(capabilities: ClientCapabilities): Can {
  const has = (required: ClientCapabilities) => coversCapabilities(capabilities, required)
  return {
    form: has({ elicitation: { form: {} } }),
    url: has({ elicitation: { url: {} } }),
    sample: has({ sampling: {} }),
    sampleWithTools: has({ sampling: { tools: {} } }),
    roots: has({ roots: {} }),
  }
}

function view(response: unknown): InputResponseView {
  if (isElicitResult(response)) return { kind: 'elicit', response }
  if (isCreateMessageResult(response)) return { kind: 'sampling', response }
  if (isListRootsResult(response)) return { kind: 'roots', response }
  return { kind: 'missing' }
}
