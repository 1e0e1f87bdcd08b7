import type { InputRequest, InputRequestMap } from '../protocol/input-requests.ts'
import type { LiveCaller } from '../replay/options.ts'
import type { PutAsk } from '../replay/outcome.ts'
import type { AskClient } from './exchange.ts'

/** The call whose asks are sent. */
export interface Bridged {
  answer(key: string, answer: unknown): void
  end(outcome: { readonly error: unknown }): unknown
}

/**
 * Puts the asks of a running handler to a client of the legacy era, each as a request of the server's own. An error in
 * place of an answer ends the call: none of the handler runs on (E4).
 */
export class Bridge implements LiveCaller {
  readonly #request: AskClient
  readonly #call: Bridged
  readonly #sent = new Map<string, AbortController>()

  constructor(request: AskClient, call: Bridged) {
    this.#request = request
    this.#call = call
  }

  put(asks: readonly PutAsk[]): void {
    for (const { key, payload } of asks) if (!this.#sent.has(key)) this.#send(key, payload as InputRequest)
  }

  withdraw(key: string): void {
    this.#sent.get(key)?.abort()
    this.#sent.delete(key)
  }

  #send(key: string, request: InputRequest): void {
    const controller = new AbortController()
    this.#sent.set(key, controller)
    this.#request(request, controller.signal).then(
      (answer) => {
        if (this.#sent.get(key) !== controller) return
        this.#sent.delete(key)
        this.#call.answer(key, answer)
      },
      (error: unknown) => {
        if (this.#sent.get(key) === controller) this.#call.end({ error })
      },
    )
  }
}

/**
 * Answers of the client to everything an input-required result of the return form asks, together; the first that fails
 * withdraws the others.
 */
export async function gather(
  asks: InputRequestMap,
  request: AskClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const failed = new AbortController()
  const withdrawn = AbortSignal.any([signal, failed.signal])
  const answered = Object.entries(asks).map(
    async ([key, ask]) => [key, await request(ask as InputRequest, withdrawn)] as const,
  )
  try {
    return new Map(await Promise.all(answered))
  } catch (error) {
    failed.abort()
    throw error
  }
}
