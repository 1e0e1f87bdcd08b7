import { RondoError } from '../errors/rondo-error.ts'

/** What a list method gives per page. */
export interface Page {
  readonly nextCursor?: string
}

/** The cursors of one list, as they come: a list whose pages go round has no end. */
export class CursorTrail {
  readonly #seen = new Set<string>()

  /**
   * The cursor of the page after, or `undefined` when there is none. Only presence counts: an empty string is a cursor
   * (server/utilities/pagination, "Implementation Guidelines").
   *
   * @throws RondoError `RESPONSE_INVALID` for a cursor that is no text, or that came before
   */
  next(given: unknown): string | undefined {
    if (given === undefined || given === null) return undefined
    if (typeof given !== 'string') throw unreadable('has a nextCursor that is no text')
    if (this.#seen.has(given)) throw unreadable('has a nextCursor that came before: its pages go round without end')
    this.#seen.add(given)
    return given
  }
}

function unreadable(what: string): RondoError<'RESPONSE_INVALID'> {
  return new RondoError('RESPONSE_INVALID', `The server's list cannot be read further. A page ${what}.`)
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
    const cursors = new CursorTrail()
    let cursor: string | undefined
    do {
      const page = await this.#load(cursor)
      yield page
      cursor = cursors.next(page.nextCursor)
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
