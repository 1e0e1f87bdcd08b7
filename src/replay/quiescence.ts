/**
 * Macrotask turns, one at a time, on demand. The engine acts in a turn and only there, so that everything the handler
 * does on its own between two acts has been done (E2, E19).
 */
export class Turns {
  readonly #defer: (fn: () => void) => void
  #act: ((quiet: boolean) => void) | undefined
  #scheduled = false
  #stirred = false

  /** `act(quiet)` is called in each turn; `quiet` tells whether a whole turn has passed since the last activity. */
  constructor(defer: (fn: () => void) => void, act: (quiet: boolean) => void) {
    this.#defer = defer
    this.#act = act
  }

  /** Something happened: a turn is due. */
  stir(): void {
    if (this.#scheduled) this.#stirred = true
    else this.again()
  }

  /** Asks for another turn, though nothing happened. */
  again(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#stirred = false
    this.#defer(this.#turn)
  }

  /** No more turns; lets go of everything (E7). */
  stop(): void {
    this.#act = undefined
  }

  readonly #turn = (): void => {
    this.#scheduled = false
    this.#act?.(!this.#stirred)
  }
}
