/**
 * An ask whose answer is turned into something else. Still lazy: the ask is awaited when this is (E1).
 */
export class MappedAsk<A, B> implements PromiseLike<B> {
  readonly #ask: PromiseLike<A>
  readonly #map: (answer: A) => B | PromiseLike<B>

  constructor(ask: PromiseLike<A>, map: (answer: A) => B | PromiseLike<B>) {
    this.#ask = ask
    this.#map = map
  }

  then<R1 = B, R2 = never>(
    fulfilled?: ((value: B) => R1 | PromiseLike<R1>) | null,
    rejected?: ((reason: unknown) => R2 | PromiseLike<R2>) | null,
  ): PromiseLike<R1 | R2> {
    return this.#ask.then(this.#map).then(fulfilled, rejected)
  }
}
