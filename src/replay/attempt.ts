import { RondoError } from '../errors/rondo-error.ts'
import { type AskSpec } from './ask.ts'
import { type Cleanup, cleanUp } from './cleanup.ts'
import { judge } from './divergence.ts'
import { HandlerTime } from './handler-time.ts'
import { type Host, host as thisHost } from './host.ts'
import { DEFAULT_LIMITS, type ReplayLimits } from './limits.ts'
import { Live } from './live.ts'
import { Ask } from './open-ask.ts'
import { type AttemptOptions } from './options.ts'
import { type Outcome, type ReplayLog } from './outcome.ts'
import { park } from './park.ts'
import { copyJson, toRecord } from './record.ts'
import { type Owner, Replay } from './replay.ts'
import { startStep, type StepOptions } from './step.ts'
import { warnOfIdle } from './idle.ts'
import { suspend } from './suspend.ts'
import { cancelledWhile, overtime } from './overtime.ts'
import { isThenable } from './thenable.ts'
import { type StepTools } from './tools.ts'
import { Wait, type WaitOptions } from './wait.ts'

export { type AttemptOptions } from './options.ts'

const settled = Promise.resolve()

/**
 * One run of a handler, from the top, within a round. The handler runs until it returns, throws, awaits an ask that has no
 * answer, or breaks a rule; it learns of the last two by never coming back from its `await`.
 *
 * Everything is made on first use: a handler that returns without asking costs one small object.
 */
export class Attempt {
  /** What the engine's parts see of an attempt. A class, since an object literal with getters is slow to make. */
  static readonly #Owner = class implements Owner {
    readonly options: AttemptOptions
    readonly host: Host
    readonly #attempt: Attempt

    constructor(attempt: Attempt) {
      this.#attempt = attempt
      this.options = attempt.#options
      this.host = attempt.#host
    }

    get ended(): boolean {
      return this.#attempt.ended
    }

    get signal(): AbortSignal {
      return this.#attempt.signal
    }

    get callId(): string {
      return this.#attempt.callId
    }

    get startedAt(): number {
      return this.#attempt.#started()
    }

    get facts(): ReadonlyMap<string, unknown> | undefined {
      return this.#attempt.#facts
    }

    finish(outcome: Outcome<never>): void {
      this.#attempt.#finish(outcome)
    }

    pause(): void {
      this.#attempt.#time?.pause()
    }

    resume(): void {
      this.#attempt.#time?.resume()
    }

    log(event: ReplayLog): void {
      this.#attempt.#log(event)
    }

    inert(what: string): void {
      this.#attempt.#inert(what)
    }
  }

  readonly #options: AttemptOptions
  #outcome: Outcome<unknown> | undefined
  #resolve: ((outcome: Outcome<unknown>) => void) | undefined
  #closing: Promise<void> | undefined
  #replay: Replay | undefined
  #cleanups: Cleanup[] | undefined
  #controller: AbortController | undefined
  #facts: Map<string, unknown> | undefined
  #callId: string | undefined
  #startedAt: number | undefined
  #time: HandlerTime | undefined
  #saidInert = false

  constructor(options: AttemptOptions) {
    this.#options = options
  }

  /**
   * Runs the handler. Never throws or rejects (E6). Gives the outcome itself when the handler returned a plain value, and
   * a promise of it otherwise.
   */
  run<R>(handler: () => R | PromiseLike<R>): Outcome<R> | Promise<Outcome<R>> {
    try {
      const returned = handler()
      if (isThenable(returned)) return this.#follow(returned)
      this.#returned(returned)
    } catch (error) {
      this.#finish({ kind: 'failed', error })
    }
    const outcome = this.#outcome as Outcome<R>
    return this.#closing ? this.#closing.then(() => outcome) : outcome
  }

  /** Asks when the result is awaited; parks whoever awaits it when there is no answer (E1). */
  ask<A>(spec: AskSpec<A>): PromiseLike<A> {
    const replay = this.#use(() => `ask ${JSON.stringify(spec.name)}`)
    return replay ? (replay.refuse('ask', spec.name) ?? new Ask(replay, spec)) : park()
  }

  /** Runs `fn` once in the life of the call and gives what it gave, or how it failed, in every attempt (E10). */
  step<T>(name: string, fn: (tools: StepTools) => T | PromiseLike<T>, options?: StepOptions): Promise<T> {
    const replay = this.#use(() => `step ${JSON.stringify(name)}`)
    return replay ? startStep(replay, name, fn, options) : park()
  }

  /** Waits until `poll` gives something, over as many rounds as it takes. */
  waitFor<T>(
    name: string,
    poll: (tools: StepTools) => T | undefined | PromiseLike<T | undefined>,
    options: WaitOptions = {},
  ): PromiseLike<T> {
    const replay = this.#use(() => `wait ${JSON.stringify(name)}`)
    return replay ? (replay.refuse('wait', name) ?? new Wait<T>(replay, name, poll, options)) : park()
  }

  /** A value that is recorded when it is met first and never computed again (E15). */
  fact<T>(name: string, compute: () => T): T {
    const facts = (this.#facts ??= new Map(this.#options.journal?.f))
    if (facts.has(name)) return copyJson(facts.get(name)) as T
    const value = compute()
    const recorded = toRecord(value)
    if (!recorded.ok) {
      const message = `The fact ${name} cannot be recorded as JSON: ${recorded.path}: ${recorded.why}.`
      this.#finish({ kind: 'failed', error: new RondoError('STEP_UNRECORDABLE', message) })
      return value
    }
    if (!this.#outcome) facts.set(name, recorded.value)
    return copyJson(recorded.value) as T
  }

  /** Parks who comes after the end of the attempt, which is said once (E4); `undefined` before it. */
  late(what: string): Promise<never> | undefined {
    if (!this.#outcome) return undefined
    this.#inert(what)
    return park()
  }

  /** Answers an ask of {@link AttemptOptions.live} by its wire key. One that is not out answers nothing (E17). */
  answer(key: string, answer: unknown): void {
    if (!this.#outcome) this.#replay?.live?.answer(key, answer)
  }

  /** Raw answers of the asks whose answers have reached the handler, by key: the same in every attempt (E17). */
  given(): ReadonlyMap<string, unknown> | undefined {
    return this.#outcome ? undefined : this.#replay?.delivery.given()
  }

  /** Registers what the end of this attempt runs (E5). When it has ended already, that is now. */
  onEnd(fn: Cleanup): void {
    if (this.#outcome) void this.#cleanUp([fn])
    else (this.#cleanups ??= []).push(fn)
  }

  /** Ends the call with a value or an error and parks the caller, so that nothing after it runs (E4). */
  end(outcome: { readonly value: unknown } | { readonly error: unknown }): Promise<never> {
    this.#finish('error' in outcome ? { kind: 'failed', ...outcome } : { kind: 'completed', ...outcome })
    return park()
  }

  /** The caller no longer wants the call: ends the attempt and aborts {@link signal}. */
  cancel(reason = 'The call was cancelled'): void {
    if (this.#outcome) return
    const at = cancelledWhile(this.#replay)
    if (at) this.#log(at)
    this.#finish({ kind: 'cancelled' })
    this.#controller?.abort(new DOMException(reason, 'AbortError'))
  }

  get ended(): boolean {
    return this.#outcome !== undefined
  }

  /** Whether what the handler says now was said in an earlier attempt (E13). */
  get quiet(): boolean {
    return this.#replay ? this.#replay.quiet : this.#options.journal !== undefined
  }

  /** Aborts when the call is cancelled; not when the attempt is suspended (E5). */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    if (this.#outcome?.kind === 'cancelled') return AbortSignal.abort()
    return (this.#controller = new AbortController()).signal
  }

  /** Id of the call, the same in all its rounds (E15). */
  get callId(): string {
    return (this.#callId ??= this.#options.journal?.id ?? this.#options.callId?.() ?? this.#host.random())
  }

  get #host(): Host {
    return this.#options.host ?? thisHost
  }

  #limit<K extends keyof ReplayLimits>(name: K): ReplayLimits[K] {
    return this.#options.limits?.[name] ?? DEFAULT_LIMITS[name]
  }

  /** The engine's part, unless the attempt has ended, which is said once. */
  #use(what: () => string): Replay | undefined {
    if (!this.#outcome) return (this.#replay ??= this.#makeReplay())
    this.#inert(what())
    return undefined
  }

  #makeReplay(): Replay {
    const replay = new Replay(new Attempt.#Owner(this), suspend)
    const { live } = this.#options
    if (live) replay.live = new Live(replay, live)
    return replay
  }

  #started(): number {
    return (this.#startedAt ??= this.#host.now())
  }

  /** Races the handler against the end of the attempt. */
  #follow<R>(returned: PromiseLike<R>): Outcome<R> | Promise<Outcome<R>> {
    returned.then(
      (value) => this.#returned(value),
      (error: unknown) => this.#finish({ kind: 'failed', error }),
    )
    if (this.#outcome) {
      const outcome = this.#outcome as Outcome<R>
      return this.#closing ? this.#closing.then(() => outcome) : outcome
    }
    // A handler that only looks asynchronous has ended by then and is spared the timer.
    void settled.then(() => this.#watch())
    return new Promise((resolve) => {
      this.#resolve = resolve as (outcome: Outcome<unknown>) => void
    })
  }

  #watch(): void {
    if (this.#outcome) return
    const limit = this.#limit('handlerTime')
    if (limit === Infinity) return
    this.#time = new HandlerTime(this.#host, limit, this.#started(), () =>
      this.#finish({ kind: 'failed', error: overtime(this.#replay, limit) }),
    )
  }

  /** The handler came to its end by itself, so that what it has not awaited by then it never will. */
  #returned(value: unknown): void {
    if (this.#replay && !this.#outcome) warnOfIdle(this.#replay)
    this.#finish({ kind: 'completed', value })
  }

  /** The first outcome counts; what comes later is dropped (E3). */
  #finish(found: Outcome<unknown>): void {
    if (this.#outcome) {
      if (found.kind !== 'suspended') this.#log(lateOutcome(found))
      return
    }
    if (!this.#replay && this.#options.journal) this.#replay = this.#makeReplay()
    const outcome = this.#replay ? judge(this.#replay, found) : found
    this.#outcome = outcome
    this.#time?.stop()
    this.#time = undefined
    this.#replay?.drop()
    const resolve = this.#resolve
    this.#resolve = undefined
    this.#closing = this.#cleanups && this.#cleanUp(this.#cleanups)
    this.#cleanups = undefined
    if (!this.#closing) resolve?.(outcome)
    else void this.#closing.then(() => resolve?.(outcome))
  }

  #cleanUp(fns: Cleanup[]): Promise<void> | undefined {
    return cleanUp(fns, this.#limit('cleanup'), this.#host, (event) => this.#log(event))
  }

  #inert(what: string): void {
    if (this.#saidInert) return
    this.#saidInert = true
    this.#log({
      level: 'debug',
      code: 'CONTEXT_ENDED',
      message: `The context was used after its attempt had ended (${what}); from then on it does nothing.`,
    })
  }

  #log(event: ReplayLog): void {
    try {
      this.#options.log?.(event)
    } catch {
      // A log that fails must not change how a call ends.
    }
  }
}

function lateOutcome(found: Outcome<unknown>): ReplayLog {
  const message = `The handler's attempt had ended; that it was ${found.kind} later changes nothing.`
  return { level: 'debug', code: 'LATE_OUTCOME', message, ...(found.kind === 'failed' ? { cause: found.error } : {}) }
}
