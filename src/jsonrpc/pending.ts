import { type JsonRpcResponse, type RequestId } from './messages.ts'

interface Waiter {
  readonly resolve: (response: JsonRpcResponse) => void
  readonly reject: (error: unknown) => void
}

/** Requests sent over a stream whose responses are still out, by id. */
export class PendingRequests {
  readonly #waiters = new Map<RequestId, Waiter>()

  /** How many are still out. */
  get size(): number {
    return this.#waiters.size
  }

  /**
   * Waits for the response to `id`.
   *
   * @throws RangeError when a request with that id is still out (basic/index, "Requests").
   */
  add(id: RequestId): Promise<JsonRpcResponse> {
    if (this.#waiters.has(id)) throw new RangeError(`A request with the id ${JSON.stringify(id)} is still out`)
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject })
    })
  }

  /** Hands a response to who waits for it; `false` when nobody does, or it names no request. */
  settle(response: JsonRpcResponse): boolean {
    const waiter = this.#take(response.id)
    waiter?.resolve(response)
    return waiter !== undefined
  }

  /** Ends the wait for one request, such as a cancelled one; a late response then settles nothing. */
  fail(id: RequestId, error: unknown): boolean {
    const waiter = this.#take(id)
    waiter?.reject(error)
    return waiter !== undefined
  }

  /** Ends every wait with `error`: the stream is gone. */
  failAll(error: unknown): void {
    const waiters = [...this.#waiters.values()]
    this.#waiters.clear()
    for (const waiter of waiters) waiter.reject(error)
  }

  #take(id: RequestId | undefined): Waiter | undefined {
    if (id === undefined) return undefined
    const waiter = this.#waiters.get(id)
    this.#waiters.delete(id)
    return waiter
  }
}
