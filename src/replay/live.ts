import { type Deadline, type Deadlines, deadlinesOn } from './deadlines.ts'
import { type OpenAsk } from './journal.ts'
import { settledAs } from './load.ts'
import { type LiveCaller } from './options.ts'
import { type Outcome, type PutAsk } from './outcome.ts'
import { type AwaitedAsk, type LiveSide, type Replay } from './replay.ts'
import { asksExceeded, waitExceeded } from './suspend.ts'

interface Out {
  readonly ask: AwaitedAsk
  readonly open: OpenAsk
  readonly put: PutAsk
  readonly deadline: Deadline | undefined
}

/**
 * Asks in place: what goes out, when, and how an answer reaches the handler are the same as over rounds, so that a
 * handler cannot tell the two apart (E2, E17, E19). Only its own time counts against the time of the attempt (E18).
 */
export class Live implements LiveSide {
  readonly #replay: Replay
  readonly #caller: LiveCaller
  readonly #deadlines: Deadlines
  /** By wire key. */
  readonly #out = new Map<string, Out>()
  #rounds = 0
  #waitingSince: number | undefined

  constructor(replay: Replay, caller: LiveCaller) {
    this.#replay = replay
    this.#caller = caller
    this.#deadlines = deadlinesOn(replay.owner.host)
  }

  suspend(): void {
    const { asks, owner } = this.#replay
    const known = new Set([...this.#out.values()].map(({ ask }) => ask))
    const fresh = [...asks].filter((ask) => !known.has(ask)).sort((a, b) => a.order - b.order)
    this.#waitingSince = undefined
    owner.pause()
    const failed = fresh.length === 0 ? undefined : this.#putAll(fresh)
    if (failed) owner.finish(failed)
    else this.#caller.put(this.#inOrder())
  }

  answer(key: string, answer: unknown): void {
    const out = this.#out.get(key)
    if (out) this.#settle(key, out, answer)
  }

  waits(): void {
    const { owner } = this.#replay
    const now = owner.host.now()
    this.#waitingSince ??= now
    owner.pause()
    const error = waitExceeded(this.#replay, now - this.#waitingSince)
    if (error) owner.finish({ kind: 'failed', error })
  }

  progressed(): void {
    this.#waitingSince = undefined
  }

  drop(): void {
    const keys = [...this.#out.keys()]
    for (const key of keys) this.#forget(key)
    for (const key of keys) this.#caller.withdraw(key)
  }

  #inOrder(): PutAsk[] {
    return [...this.#out.values()].sort((a, b) => a.ask.order - b.ask.order).map(({ put }) => put)
  }

  #putAll(fresh: readonly AwaitedAsk[]): Outcome<never> | undefined {
    const { asks, owner } = this.#replay
    try {
      const now = owner.host.now()
      const puts = fresh.map((ask) => this.#put(ask, now))
      const error = asksExceeded(this.#replay, asks.size, puts, this.#rounds++) ?? owner.options.admit?.(puts)
      return error === undefined ? undefined : { kind: 'failed', error }
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  #put(ask: AwaitedAsk, now: number): PutAsk {
    const { open, ask: put } = ask.put(now)
    const deadline = open.d === undefined ? undefined : this.#watch(put.key, open.d, now)
    this.#out.set(put.key, { ask, open, put, deadline })
    return put
  }

  #watch(key: string, at: number, now: number): Deadline {
    const expire = (): void => {
      const out = this.#out.get(key)
      if (!out) return
      this.#settle(key, out, undefined)
      this.#caller.withdraw(key)
    }
    const deadline = { at, index: -1, expire }
    this.#deadlines.add(deadline, now)
    return deadline
  }

  #settle(key: string, { ask, open }: Out, answer: unknown): void {
    const replay = this.#replay
    this.#forget(key)
    replay.asks.delete(ask)
    replay.owner.resume()
    ask.settle(
      settledAs(open, answer, () => replay.owner.host.now()),
      open,
    )
  }

  #forget(key: string): void {
    const deadline = this.#out.get(key)?.deadline
    if (deadline) this.#deadlines.delete(deadline)
    this.#out.delete(key)
  }
}
