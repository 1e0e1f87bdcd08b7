import { type Item } from './delivery.ts'
import { fromFailure } from './failure.ts'
import { type Timer } from './host.ts'
import { type WaitEntry, type WaitFailedEntry } from './journal.ts'
import { copyJson, toRecord } from './record.ts'
import { type AwaitedWait, type Idle, type Replay } from './replay.ts'
import { type Ended, Run } from './run.ts'
import { unrecordable } from './step.ts'
import { type StepTools } from './tools.ts'

export interface WaitOptions {
  /** Milliseconds from the start of the attempt until which it polls inside the round. */
  readonly hold?: number | undefined
  /** Milliseconds between polls. */
  readonly every?: number | undefined
}

/** A wait for something outside, as the handler holds it: nothing is polled until it is awaited (E1). */
export class Wait<T> implements PromiseLike<T>, AwaitedWait, Idle {
  readonly space = 'wait'
  readonly name: string
  readonly key: string
  readonly #replay: Replay
  readonly #poll: (tools: StepTools) => unknown
  readonly #options: WaitOptions
  #promise: Promise<T> | undefined
  #settle: { resolve(value: T): void; reject(error: Error): void } | undefined
  #timer: Timer

  constructor(replay: Replay, name: string, poll: (tools: StepTools) => unknown, options: WaitOptions) {
    this.#replay = replay
    this.name = name
    this.#poll = poll
    this.#options = options
    this.key = replay.names.next('wait', name)
    replay.made(this)
  }

  get holding(): boolean {
    return this.#timer !== undefined
  }

  then<B = T, C = never>(
    fulfilled?: ((value: T) => B | PromiseLike<B>) | null,
    rejected?: ((reason: unknown) => C | PromiseLike<C>) | null,
  ): Promise<B | C> {
    this.#promise ??= this.#await()
    return this.#promise.then(fulfilled, rejected)
  }

  release(): void {
    if (this.#timer === undefined) return
    this.#replay.owner.host.clearTimer(this.#timer)
    this.#timer = undefined
  }

  drop(): void {
    this.release()
    this.#settle = undefined
  }

  #await(): Promise<T> {
    const replay = this.#replay
    replay.awaited(this)
    const refused = replay.refuse('wait', this.name) ?? replay.claim('wait', this.name)
    if (refused) return refused
    const promise = new Promise<T>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    const item = replay.delivery.find('wait', this.key)
    if (item) replay.meet(item, this.#deliver)
    else {
      replay.found('wait', this.key)
      replay.awaitOutside(this)
      this.#pollOnce()
    }
    return promise
  }

  #pollOnce(): void {
    const label = `poll of the wait ${JSON.stringify(this.key)}`
    const done = (ended: Ended): void => this.#polled(ended)
    new Run(this.#replay, { label, key: `${this.key}~wait`, timeout: undefined, fn: this.#poll, done })
  }

  #polled(ended: Ended): void {
    if ('failure' in ended) return this.#over(['x', this.key, ended.failure])
    const recorded = toRecord(ended.value)
    if (!recorded.ok) return unrecordable(this.#replay, `wait ${JSON.stringify(this.key)}`, recorded)
    if (recorded.value === undefined) this.#hold()
    else this.#over(['w', this.key, recorded.value])
  }

  /**
   * Polls again later in this round, unless its time is up or an ask is out: people are not kept waiting for it. In place
   * nobody is.
   */
  #hold(): void {
    const { limits, live, owner, asks } = this.#replay
    const rest = live ? Infinity : owner.startedAt + (this.#options.hold ?? limits.hold) - owner.host.now()
    if (rest <= 0 || (asks.size > 0 && !live)) return
    this.#timer = owner.host.setTimer(
      () => {
        this.#timer = undefined
        this.#pollOnce()
      },
      Math.min(this.#options.every ?? limits.every, rest),
    )
  }

  #over(entry: WaitEntry | WaitFailedEntry): void {
    this.#replay.isOver(this)
    this.#replay.settle(entry, this.#deliver)
  }

  readonly #deliver = (item: Item): void => {
    const entry = item.entry as WaitEntry | WaitFailedEntry
    this.#replay.delivered(item)
    this.#replay.names.close('wait', this.name)
    if (entry[0] === 'x') this.#settle?.reject(fromFailure(entry[2]))
    else this.#settle?.resolve(copyJson(entry[2]) as T)
    this.#settle = undefined
  }
}
