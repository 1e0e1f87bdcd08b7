import { type Host, host as thisHost, type Timer } from './host.ts'

/** Something that may take until `at`, milliseconds since the epoch. */
export interface Deadline {
  readonly at: number
  /** Where it is kept while it is watched; otherwise -1. */
  index: number
  expire(): void
}

/**
 * Watches the time limits of every running attempt with one timer, set for the earliest; there is none while no attempt
 * runs, and it never keeps the process alive.
 */
export class Deadlines {
  readonly #host: Host
  // Not a Set: one that lives long and changes often keeps garbage alive, from table to table, until a full collection.
  readonly #active: Deadline[] = []
  #timer: Timer
  #due = Infinity

  constructor(host: Host) {
    this.#host = host
  }

  add(deadline: Deadline, now: number): void {
    deadline.index = this.#active.push(deadline) - 1
    if (deadline.at < this.#due) this.#arm(deadline.at, now)
  }

  delete(deadline: Deadline): void {
    this.#forget(deadline)
    if (this.#active.length === 0) this.#disarm()
  }

  #forget(deadline: Deadline): void {
    const { index } = deadline
    if (index < 0) return
    deadline.index = -1
    const last = this.#active.pop()
    if (!last || last === deadline) return
    this.#active[index] = last
    last.index = index
  }

  #arm(due: number, now: number): void {
    this.#disarm()
    this.#due = due
    this.#timer = this.#host.setTimer(() => this.#fire(), Math.max(due - now, 1), true)
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#host.clearTimer(this.#timer)
    this.#timer = undefined
    this.#due = Infinity
  }

  #fire(): void {
    this.#timer = undefined
    this.#due = Infinity
    const now = this.#host.now()
    for (const deadline of [...this.#active]) {
      if (deadline.at > now) continue
      this.#forget(deadline)
      deadline.expire()
    }
    let next = Infinity
    for (const { at } of this.#active) next = Math.min(next, at)
    if (next < this.#due) this.#arm(next, now)
  }
}

const ofThisHost = new Deadlines(thisHost)
const ofOthers = new WeakMap<Host, Deadlines>()

/** Who watches time limits on this host: everyone's, or, where a timer belongs to its request, each its own. */
export function deadlinesOn(host: Host): Deadlines {
  if (!host.sharedTimers) return new Deadlines(host)
  if (host === thisHost) return ofThisHost
  let deadlines = ofOthers.get(host)
  if (!deadlines) ofOthers.set(host, (deadlines = new Deadlines(host)))
  return deadlines
}
