/** What a list method gives per page. */
export interface Page {
  readonly nextCursor?: string
}

/**
 * A list as the server pages it. Iterating gives its items, page after page, asking for a page when it is reached.
 */
export class Pages<T, P extends Page = Page> implements AsyncIterable<T> {
  readonly #load: (cursor: string | undefined) => Promise<P>
  readonly #items: (page: P) => readonly T[]

  constructor(load: (cursor: string | undefined) => Promise<P>, items: (page: P) => readonly T[]) {
    this.#load = load
    this.#items = items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* this.#items(page)
  }

  /** The pages themselves, as received. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#load(cursor)
      yield page
      // Only presence counts: an empty string is a cursor (server/utilities/pagination, "Implementation Guidelines").
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** Every item, in order. */
  async all(): Promise<T[]> {
    const items: T[] = []
    for await (const page of this.pages()) {
      // Not as arguments of one call: a server says how many there are.
      for (const item of this.#items(page)) items.push(item)
    }
    return items
  }
}
