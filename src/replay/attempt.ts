import { type AskSpec } from './ask.ts'
import { type Host } from './host.ts'
import { type Journal } from './journal.ts'
import { type ReplayLimits } from './limits.ts'
import { type Outcome, type PutAsk, type ReplayLog } from './outcome.ts'
import { park } from './park.ts'
import { type StepOptions, type StepTools, type WaitOptions } from './step.ts'

export interface AttemptOptions {
  /** What the caller brought back; `undefined` in the first round. Never changed. */
  readonly journal?: Journal | undefined
  /** Makes the id of a new call; called once, when it is first needed. */
  callId?(): string
  /** Raw answers of this request, own keys. */
  readonly answers?: ReadonlyMap<string, unknown> | undefined
  readonly limits?: Partial<ReplayLimits> | undefined
  /** Whether these asks may go out to this caller: an error to end the call with, or `undefined` (E11). */
  admit?(asks: readonly PutAsk[]): unknown
  /** Key of a step for {@link StepTools.idempotencyKey} (E14). */
  idempotencyKey?(stepKey: string): string | Promise<string>
  /** What an answered ask that the handler left out means; `warn` by default (E16). */
  readonly onDivergence?: 'warn' | 'fail' | undefined
  /** Whether an ask or step inside a step is looked for; by default where the host does it for nothing (E10). */
  readonly detectNesting?: boolean | undefined
  log?(event: ReplayLog): void
  /** `tools.log` of a step; by default an event of {@link log}. */
  stepLog?(message: string, data: unknown, stepKey: string): void
  readonly host?: Host | undefined
}

/** One run of a handler, from the top, within a round. */
export class Attempt {
  readonly #options: AttemptOptions

  constructor(options: AttemptOptions) {
    this.#options = options
  }

  run<R>(handler: () => R | PromiseLike<R>): Outcome<R> | Promise<Outcome<R>> {
    const value = handler()
    return Promise.resolve(value).then((value) => ({ kind: 'completed', value }))
  }

  ask<A>(_spec: AskSpec<A>): PromiseLike<A> {
    return park()
  }

  step<T>(_name: string, _fn: (tools: StepTools) => T | PromiseLike<T>, _options?: StepOptions): Promise<T> {
    return park()
  }

  waitFor<T>(
    _name: string,
    _poll: (tools: StepTools) => T | undefined | PromiseLike<T | undefined>,
    _options?: WaitOptions,
  ): PromiseLike<T> {
    return park()
  }

  fact<T>(_name: string, compute: () => T): T {
    return compute()
  }

  onEnd(_fn: () => void | PromiseLike<void>): void {}

  end(_outcome: { readonly value: unknown } | { readonly error: unknown }): Promise<never> {
    return park()
  }

  cancel(_reason?: string): void {}

  get ended(): boolean {
    return false
  }

  get quiet(): boolean {
    return this.#options.journal !== undefined
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  /** Id of the call, the same in all its rounds (E15). */
  get callId(): string {
    return this.#options.journal?.id ?? this.#options.callId?.() ?? ''
  }
}
