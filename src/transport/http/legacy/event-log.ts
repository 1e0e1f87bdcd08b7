interface Logged {
  readonly stream: number
  readonly place: number
  readonly event: string
}

/** Events of one session that its client may ask for again, up to a limit; the oldest go first. */
export class EventLog {
  readonly #limit: number
  readonly #events: Logged[] = []
  #size = 0

  /** @param limit text kept, in UTF-16 code units */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param place of the event in its stream, counted up */
  add(stream: number, place: number, event: string): void {
    this.#events.push({ stream, place, event })
    this.#size += event.length
    let stale = 0
    while (this.#size > this.#limit && stale < this.#events.length)
      this.#size -= (this.#events[stale++] as Logged).event.length
    if (stale > 0) this.#events.splice(0, stale)
  }

  /** What came on a stream after a place, as far as it is still there. */
  after(stream: number, place: number): string {
    const later = this.#events.filter((logged) => logged.stream === stream && logged.place > place)
    return later.map(({ event }) => event).join('')
  }
}
