import { type Deadline, type Deadlines, deadlinesOn } from './deadlines.ts'
import { type Host } from './host.ts'

/** The time one attempt may take (E18): runs from when it is made, and can be stopped while the handler only waits. */
export class HandlerTime {
  readonly #host: Host
  readonly #expire: () => void
  readonly #deadlines: Deadlines
  #deadline: Deadline | undefined
  #left: number

  /**
   * @param limit milliseconds
   * @param since when the attempt began, milliseconds since the epoch
   */
  constructor(host: Host, limit: number, since: number, expire: () => void) {
    this.#host = host
    this.#expire = expire
    this.#deadlines = deadlinesOn(host)
    this.#left = limit
    this.#watch(since)
  }

  /** What passes now is not the handler's, until {@link resume}. */
  pause(): void {
    if (!this.#deadline) return
    this.#left = this.#deadline.at - this.#host.now()
    this.stop()
  }

  resume(): void {
    if (!this.#deadline) this.#watch(this.#host.now())
  }

  stop(): void {
    if (this.#deadline) this.#deadlines.delete(this.#deadline)
    this.#deadline = undefined
  }

  #watch(now: number): void {
    this.#deadline = { at: now + this.#left, index: -1, expire: this.#expire }
    this.#deadlines.add(this.#deadline, now)
  }
}
