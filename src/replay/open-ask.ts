import { type AskSpec, type Checked } from './ask.ts'
import { type Item } from './delivery.ts'
import { fingerprint } from './fingerprint.ts'
import { type AskEntry, type LateEntry, type OpenAsk, type SettledAsk } from './journal.ts'
import { wireKey } from './names.ts'
import { type PutAsk } from './outcome.ts'
import { copyJson } from './record.ts'
import { type AwaitedAsk, type Idle, type Replay } from './replay.ts'

/** Characters kept of a reason or of a question that the journal carries for people. */
const CLIP = 300

/** An ask as the handler holds it: nothing happens until it is awaited (E1). */
export class Ask<A> implements PromiseLike<A>, AwaitedAsk, Idle {
  readonly space = 'ask'
  readonly key: string
  order = 0
  readonly #replay: Replay
  readonly #spec: AskSpec<A>
  #promise: Promise<A> | undefined
  #resolve: ((value: A) => void) | undefined
  #open: OpenAsk | undefined
  #print: string | undefined

  constructor(replay: Replay, spec: AskSpec<A>) {
    this.#replay = replay
    this.#spec = spec
    this.key = replay.names.next('ask', spec.name)
    replay.made(this)
  }

  get name(): string {
    return this.#spec.name
  }

  then<B = A, C = never>(
    fulfilled?: ((value: A) => B | PromiseLike<B>) | null,
    rejected?: ((reason: unknown) => C | PromiseLike<C>) | null,
  ): Promise<B | C> {
    this.#promise ??= this.#await()
    return this.#promise.then(fulfilled, rejected)
  }

  /** What goes out for this ask, and what the journal keeps of it. */
  put(now: number): { readonly open: OpenAsk; readonly ask: PutAsk } {
    const spec = this.#spec
    const { n, u, x, r, d } = this.#open ?? { n: 1 }
    const print = this.#printed()
    // A question that changed while it was open is another question to the client.
    const changed = this.#open !== undefined && this.#open.p !== print
    const reason = changed ? undefined : x
    const deadline = d ?? (spec.within === undefined ? undefined : now + spec.within)
    const open: OpenAsk = {
      k: this.key,
      y: spec.kind,
      p: print,
      n: changed ? n + 1 : n,
      u,
      x: reason,
      r,
      m: r === undefined ? undefined : spec.text.slice(0, CLIP),
      d: deadline,
    }
    const payload = reason !== undefined && spec.withReason ? spec.withReason(spec.payload, reason) : spec.payload
    return { open, ask: { key: wireKey(this.key, open.n), kind: spec.kind, payload } }
  }

  settle(entry: SettledAsk, open: OpenAsk): void {
    this.#replay.settle(entry, (item) => this.#deliver(item), open)
  }

  /** Lets go of the handler's frame (E7). */
  drop(): void {
    this.#promise = undefined
    this.#resolve = undefined
  }

  #await(): Promise<A> {
    const replay = this.#replay
    const { name, kind } = this.#spec
    replay.awaited(this)
    const refused = replay.refuse('ask', name) ?? replay.claim('ask', name)
    if (refused) return refused

    const item = replay.delivery.find('ask', this.key)
    this.#open = replay.open.get(this.key)
    const recorded = item ? (item.entry as AskEntry | LateEntry)[2] : this.#open?.y
    if (recorded !== undefined && recorded !== kind) return this.#otherKind(recorded)

    this.order = replay.nextOrder()
    const promise = new Promise<A>((resolve) => {
      this.#resolve = resolve
    })
    if (item) replay.meet(item, (item) => this.#deliver(item))
    else {
      if (!this.#open) replay.found('ask', this.key)
      replay.open.delete(this.key)
      replay.awaitAnswer(this)
    }
    return promise
  }

  #deliver(item: Item): void | PromiseLike<void> {
    const entry = item.entry as AskEntry | LateEntry
    const late = entry[0] === 'l'
    if (!late && entry[3] !== this.#printed()) return this.#reworded(item)
    try {
      const checked = this.#spec.check(late ? this.#spec.late : copyJson(entry[5]))
      if (!('then' in checked)) return this.#checked(item, checked)
      this.#replay.checking = this
      return checked.then(
        (checked) => this.#checked(item, checked),
        (error: unknown) => this.#replay.owner.finish({ kind: 'failed', error }),
      )
    } catch (error) {
      return this.#replay.owner.finish({ kind: 'failed', error })
    }
  }

  #checked(item: Item, checked: Checked<A>): void {
    const replay = this.#replay
    replay.checking = undefined
    if (replay.owner.ended) return
    if (checked.ok === true) {
      replay.delivered(item)
      replay.names.close('ask', this.name)
      this.#resolve?.(checked.value)
      this.#resolve = undefined
    } else if (checked.ok === 'missing') {
      this.#putAgain(item, this.#lastPut(item))
    } else {
      this.#unfit(item, checked.reason)
    }
  }

  #unfit(item: Item, reason: string): void {
    const last = this.#lastPut(item)
    const times = (last.u ?? 0) + 1
    if (times <= this.#replay.limits.unfit && item.entry[0] !== 'l') {
      return this.#putAgain(item, { ...last, n: last.n + 1, u: times, x: reason.slice(0, CLIP) })
    }
    this.#replay.stop(
      'ASK_UNFIT',
      `The answer to the ask ${JSON.stringify(this.key)} did not fit what was asked, ${times} times: ${reason}`,
    )
  }

  #reworded(item: Item): void {
    const last = this.#lastPut(item)
    const times = (last.r ?? 0) + 1
    if (times <= this.#replay.limits.reworded) {
      const { x: _, ...rest } = last
      return this.#putAgain(item, { ...rest, p: this.#printed(), n: last.n + 1, r: times })
    }
    this.#replay.stop(
      'ASK_UNSTABLE',
      `The ask ${JSON.stringify(this.key)} is worded otherwise each time the handler runs, so no answer can be taken as ` +
        `an answer to it. It was put as ${JSON.stringify(last.m ?? '')} and now reads ` +
        `${JSON.stringify(this.#spec.text)}. Take what changes from a step, or pin the answer to less: pin: 'schema' or 'key'.`,
    )
  }

  #putAgain(item: Item, open: OpenAsk): void {
    this.#open = open
    this.#replay.delivery.reopen(item)
    this.#replay.awaitAnswer(this)
  }

  /** The ask as it was put when this answer came. */
  #lastPut(item: Item): OpenAsk {
    if (item.open) return item.open
    const [, k, y, p, n] = item.entry as AskEntry | LateEntry
    return { k, y, p, n }
  }

  #printed(): string {
    return (this.#print ??= fingerprint(this.#spec))
  }

  #otherKind(recorded: string): Promise<never> {
    return this.#replay.fail(
      'REPLAY_DIVERGED',
      `The handler asks ${JSON.stringify(this.key)} as ${JSON.stringify(this.#spec.kind)}, but an earlier round asked it ` +
        `as ${JSON.stringify(recorded)}. Up to a recorded answer a handler must do the same in every round: is there a ` +
        `branch on the time, a random value or outside data that is not in a step? Or was the code changed under a running call?`,
    )
  }
}
