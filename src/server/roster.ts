/** What stands on a {@link Roster}. */
export interface Listed {
  /** Its place there; -1 while it stands on none. Written by the roster alone. */
  place: number
}

/**
 * Who is at work at the moment. Not a `Set`: one that lives long and changes often keeps garbage alive, from table to
 * table, until a full collection.
 */
export class Roster<T extends Listed> {
  readonly #listed: T[] = []

  get size(): number {
    return this.#listed.length
  }

  add(one: T): void {
    one.place = this.#listed.push(one) - 1
  }

  /** Nothing happens to what is not there. */
  delete(one: T): void {
    const { place } = one
    if (place < 0) return
    one.place = -1
    const last = this.#listed.pop()
    if (last === undefined || last === one) return
    this.#listed[place] = last
    last.place = place
  }

  /** Who stands on it now. */
  all(): T[] {
    return [...this.#listed]
  }

  /** Empties it. @returns who stood on it. */
  take(): T[] {
    const all = this.#listed.splice(0)
    for (const one of all) one.place = -1
    return all
  }
}
