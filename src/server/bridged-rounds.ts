import { RondoError } from '../errors/rondo-error.ts'
import type { InputRequiredResult } from '../protocol/input-required-result.ts'
import { host } from '../replay/host.ts'
import { gather } from './bridge.ts'
import type { AskClient } from './exchange.ts'

/** Times a handler of the return form is run again for one request of the legacy era. */
const ROUNDS = 8
/** Milliseconds between two runs of a handler that gave a state alone, at first and at most. */
const PACE = { first: 500, most: 10_000 } as const

/**
 * What an input-required result of the return form comes to in the legacy era: its asks are sent to the client as
 * requests, and the handler is run again with the answers, within the one request that is open.
 */
export class BridgedRounds {
  readonly #request: AskClient
  readonly #waitTime: number
  #asked = 0
  #pause: number = PACE.first
  #waited = 0

  /** @param waitTime milliseconds that the handler may go on giving a state alone (E18) */
  constructor(request: AskClient, waitTime: number) {
    this.#request = request
    this.#waitTime = waitTime
  }

  /**
   * The answers to run the handler again with; `undefined` when the result asks nothing, once some time has passed.
   *
   * @throws RondoError `ROUNDS_EXCEEDED`, `WAIT_TIME`, and what {@link AskClient} rejects with
   */
  async answers(
    { inputRequests }: InputRequiredResult,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, unknown> | undefined> {
    if (inputRequests === undefined) return this.#paced(signal)
    if (this.#asked++ >= ROUNDS) {
      throw new RondoError(
        'ROUNDS_EXCEEDED',
        `The handler asked in ${ROUNDS} rounds, the limit for a client of the legacy era, and asks ${Object.keys(inputRequests).join(', ')} again. Does it read its answers from ctx.inputResponses?`,
      )
    }
    this.#waited = 0
    this.#pause = PACE.first
    return gather(inputRequests, this.#request, signal)
  }

  async #paced(signal: AbortSignal): Promise<undefined> {
    if (this.#waited >= this.#waitTime) {
      throw new RondoError(
        'WAIT_TIME',
        `The handler gave a state alone for ${this.#waited / 60_000} min, the limit (waitTime).`,
      )
    }
    const pause = this.#pause
    this.#waited += pause
    this.#pause = Math.min(pause * 2, PACE.most)
    await new Promise<void>((resolve) => {
      const timer = host.setTimer(resolve, pause)
      signal.addEventListener('abort', () => {
        host.clearTimer(timer)
        resolve()
      })
    })
  }
}
