import { type Entry, type OpenAsk, type ReopenedEntry } from './journal.ts'
import { type Space } from './names.ts'
import { copyJson } from './record.ts'

/** What takes a record when its turn has come: may take time over it. */
export type Consumer = (item: Item) => void | PromiseLike<void>

/** One record on its way to the handler. */
export interface Item {
  readonly space: Space
  readonly entry: Entry
  /** The ask it answers, when the answer came with this request or in place. */
  readonly open: OpenAsk | undefined
  /** Whether it holds a place of the recorded order, which it keeps when it must be asked again. */
  readonly placed: boolean
  /** Set once the handler has come to the ask, step or wait that it belongs to. */
  consumer: Consumer | undefined
  /**
   * `queued`: it holds up what comes after it until it is delivered; `aside`: it does not, and is delivered whenever the
   * handler comes to it; `excused`: the same, because an ask before it had to be put again.
   */
  state: 'queued' | 'aside' | 'excused' | 'delivered' | 'gone'
}

const SPACES: Record<Entry[0], Space> = { a: 'ask', l: 'ask', o: 'ask', s: 'step', f: 'step', w: 'wait', x: 'wait' }

/**
 * The one queue in which everything settled reaches the handler, in the order it was settled, recorded and live results
 * alike (E19). It knows the order; when a turn has come is for its owner to say.
 */
export class Delivery {
  readonly #items: Item[] = []
  #index: Map<string, Item> | undefined
  readonly #delivered: Entry[] = []
  #head = 0
  #left = 0

  /** Recorded entries that have not reached the handler. */
  get left(): number {
    return this.#left
  }

  /** Adds a record that the handler will come to again. */
  expect(entry: Entry, placed: boolean, open: OpenAsk | undefined, excused: boolean): void {
    const space = SPACES[entry[0]]
    const item: Item = { space, entry, open, placed, consumer: undefined, state: excused ? 'excused' : 'queued' }
    this.#items.push(item)
    this.#left++
    ;(this.#index ??= new Map()).set(`${space}:${entry[1]}`, item)
  }

  /** Keeps the place of an answered ask that is out again. */
  keepPlace(entry: ReopenedEntry): void {
    this.#items.push({ space: 'ask', entry, open: undefined, placed: true, consumer: undefined, state: 'excused' })
  }

  /** Adds what was just settled in this attempt. */
  push(entry: Entry, consumer: Consumer, open?: OpenAsk): void {
    this.#items.push({ space: SPACES[entry[0]], entry, open, placed: false, consumer, state: 'queued' })
  }

  /** The record of this key, if there is one. */
  find(space: Space, key: string): Item | undefined {
    return this.#index?.get(`${space}:${key}`)
  }

  /** The handler has come to this record. */
  meet(item: Item, consumer: Consumer): void {
    item.consumer = consumer
    if (item.state === 'queued') return
    // It has lost its place: it comes after everything that waits now.
    this.#items.splice(this.#items.indexOf(item), 1)
    this.#head = 0
    item.state = 'queued'
    this.#items.push(item)
  }

  /** The record whose turn it is, if the handler has come to it. */
  next(): Item | undefined {
    let head = this.#items[this.#head]
    while (head && head.state !== 'queued') head = this.#items[++this.#head]
    return head?.consumer && head
  }

  /** The record has reached the handler. */
  delivered(item: Item): void {
    if (this.#index?.has(`${item.space}:${item.entry[1]}`)) this.#left--
    item.state = 'delivered'
    item.consumer = undefined
    this.#delivered.push(item.entry)
  }

  /** Raw answers that have reached the handler, by the key of their ask. */
  given(): ReadonlyMap<string, unknown> | undefined {
    const answers = this.#delivered.filter((entry) => entry[0] === 'a')
    return answers.length === 0 ? undefined : new Map(answers.map(([, key, , , , answer]) => [key, copyJson(answer)]))
  }

  /**
   * The answer cannot be used and its ask is put again. If it had a place in the recorded order, it keeps it, and what
   * comes after is no longer expected: the handler may not get there before it is answered.
   */
  reopen(item: Item): void {
    if (this.#index?.delete(`${item.space}:${item.entry[1]}`)) this.#left--
    item.consumer = undefined
    item.state = 'gone'
    if (!item.placed) return
    const at = this.#items.indexOf(item)
    this.#items[at] = { ...item, entry: ['o', item.entry[1]], state: 'excused' }
    for (const later of this.#items.slice(at + 1)) {
      if (later.state === 'queued' && !later.consumer) later.state = 'excused'
    }
  }

  /**
   * Whether a record that the handler has not come to holds something up: a record behind it, or, when `ending`, the end
   * of the round, for which only answers count.
   */
  isHeldUp(ending: boolean): boolean {
    const rest = this.#queued()
    return rest.some((item) => item.consumer || (ending && item.space === 'ask'))
  }

  /** Stops waiting for the records at the head that the handler has not come to. */
  setAside(): void {
    for (const item of this.#queued()) {
      if (item.consumer) return
      item.state = 'aside'
    }
  }

  /** Records of this space that the handler has not come to, though nothing kept it from them. */
  leftOut(space: Space): string[] {
    return this.#items
      .filter((item) => item.space === space && !item.consumer && (item.state === 'queued' || item.state === 'aside'))
      .map(({ entry }) => entry[1])
  }

  /** What the next journal lists: everything delivered, in that order, then the rest in its old order. */
  entries(): Entry[] {
    const rest = this.#items.filter(({ state }) => state !== 'delivered' && state !== 'gone')
    return [...this.#delivered, ...rest.map(({ entry }) => entry)]
  }

  /** Forgets who waits for what (E7). */
  drop(): void {
    for (const item of this.#items) item.consumer = undefined
  }

  #queued(): Item[] {
    return this.#items.slice(this.#head).filter(({ state }) => state === 'queued')
  }
}
