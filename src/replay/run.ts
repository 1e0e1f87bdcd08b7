import { runInContext } from '#context'
import { type Failure, toFailure } from './failure.ts'
import { type Timer } from './host.ts'
import { type Replay, type Running } from './replay.ts'
import { isThenable } from './thenable.ts'
import { type StepTools } from './tools.ts'

/** How a function of the author's ended. */
export type Ended = { readonly value: unknown } | { readonly failure: Failure }

/** What is run, and who wants to know. */
export interface RunSpec {
  /** For people: `step "build"`. */
  readonly label: string
  readonly key: string
  readonly timeout: number | undefined
  fn(tools: StepTools): unknown
  done(ended: Ended): void
}

/** One run of a step's or a poll's function. While it lasts, the round does not end (E2). */
export class Run implements Running {
  readonly label: string
  readonly #replay: Replay
  #spec: RunSpec | undefined
  #timer: Timer
  #timeout: AbortController | undefined

  constructor(replay: Replay, spec: RunSpec) {
    this.#replay = replay
    this.#spec = spec
    this.label = spec.label
    replay.begins(this)
    this.#start(spec)
  }

  /** Lets go of who wants to know (E7). */
  drop(): void {
    this.#spec = undefined
    if (this.#timer !== undefined) this.#replay.owner.host.clearTimer(this.#timer)
  }

  #start(spec: RunSpec): void {
    const { owner } = this.#replay
    try {
      const key = owner.options.idempotencyKey?.(spec.key) ?? `${owner.callId}/${spec.key}`
      if (typeof key === 'string') this.#call(spec, key)
      else this.#awaitKey(key)
    } catch (error) {
      owner.finish({ kind: 'failed', error })
    }
  }

  #awaitKey(key: Promise<string>): void {
    key.then(
      (key) => this.#spec && this.#call(this.#spec, key),
      (error: unknown) => this.#replay.owner.finish({ kind: 'failed', error }),
    )
  }

  #call(spec: RunSpec, idempotencyKey: string): void {
    if (spec.timeout !== undefined) this.#limit(spec.label, spec.timeout)
    const tools = new Tools(
      this.#replay,
      spec.key,
      idempotencyKey,
      spec.timeout === undefined ? undefined : this.#own(),
    )
    let result: unknown
    try {
      result = this.#replay.detects ? runInContext(this, () => spec.fn(tools)) : spec.fn(tools)
      if (isThenable(result)) return this.#follow(result)
    } catch (error) {
      return this.#fail(error)
    }
    this.#end({ value: result })
  }

  /** A method of its own, so that what the author's promise holds on to leads to nothing but `this` (E7). */
  #follow(result: PromiseLike<unknown>): void {
    Promise.resolve(result).then(
      (value) => this.#end({ value }),
      (error: unknown) => this.#fail(error),
    )
  }

  #limit(label: string, timeout: number): void {
    const { host } = this.#replay.owner
    this.#timer = host.setTimer(() => {
      this.#timer = undefined
      const failure = { name: 'TimeoutError', message: `The ${label} took longer than ${timeout} ms` }
      this.#end({ failure })
      this.#timeout?.abort(new DOMException(failure.message, failure.name))
    }, timeout)
  }

  /** The signal that its own time limit aborts, made when it is looked at. */
  #own(): () => AbortSignal {
    return () => (this.#timeout ??= new AbortController()).signal
  }

  #fail(error: unknown): void {
    const failure = toFailure(error)
    if (this.#spec) {
      const message = `The ${this.label} failed: ${failure.message}`
      this.#replay.owner.log({ level: 'debug', code: 'STEP_FAILED', message, cause: error })
    }
    this.#end({ failure })
  }

  #end(ended: Ended): void {
    const spec = this.#spec
    if (!spec) return
    this.drop()
    this.#replay.ends(this)
    spec.done(ended)
    this.#replay.stir()
  }
}

class Tools implements StepTools {
  readonly idempotencyKey: string
  readonly log: (message: string, data?: unknown) => void
  readonly #replay: Replay
  readonly #own: (() => AbortSignal) | undefined
  #signal: AbortSignal | undefined

  constructor(replay: Replay, key: string, idempotencyKey: string, own: (() => AbortSignal) | undefined) {
    this.#replay = replay
    this.#own = own
    this.idempotencyKey = idempotencyKey
    this.log = (message, data) => replay.stepLog(message, data, key)
  }

  get signal(): AbortSignal {
    const { signal } = this.#replay.owner
    return this.#own ? (this.#signal ??= AbortSignal.any([signal, this.#own()])) : signal
  }
}
