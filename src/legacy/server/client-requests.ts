import { RondoError } from '../../errors/rondo-error.ts'
import { encodeNotification, encodeRequest } from '../../jsonrpc/encode.ts'
import type { JsonObject, JsonRpcResponse } from '../../jsonrpc/messages.ts'
import { PendingRequests } from '../../jsonrpc/pending.ts'
import { METHODS } from '../../protocol/methods.ts'

/** A request to the client. */
export interface ClientRequest {
  readonly method: string
  readonly params: JsonObject | undefined
}

/** Sends the text of a message. `false`: there is no way to the client. Never throws. */
export type Send = (text: string) => boolean

/** The server's own requests to one client, each sent the way of the call it belongs to. */
export class ClientRequests {
  readonly #pending = new PendingRequests()
  #count = 0

  /** How many wait for their response. */
  get size(): number {
    return this.#pending.size
  }

  /**
   * The client's result.
   *
   * @param send takes the texts of messages, and says whether they can get out
   * @param signal takes the request back: the client is told (basic/utilities/cancellation)
   * @throws RondoError `ASK_FAILED` when the client answers with an error, is gone, or cannot be reached
   */
  async ask({ method, params }: ClientRequest, signal: AbortSignal, send: Send): Promise<JsonObject> {
    signal.throwIfAborted()
    const id = ++this.#count
    const response = this.#pending.add(id)
    const withdraw = (): void => {
      if (!this.#pending.fail(id, new RondoError('ASK_FAILED', `The ${method} request was withdrawn.`))) return
      send(encodeNotification(METHODS.cancelled, { requestId: id, reason: 'No longer needed' }))
    }
    signal.addEventListener('abort', withdraw, { once: true })
    try {
      if (!send(encodeRequest(id, method, params))) {
        this.#pending.fail(
          id,
          new RondoError('ASK_FAILED', `The client could not be asked (${method}): it is not connected.`),
        )
      }
      return resultOf(method, await response)
    } finally {
      signal.removeEventListener('abort', withdraw)
    }
  }

  /** Takes a response of the client's; one that nobody waits for is passed by. */
  settle(response: JsonRpcResponse): void {
    this.#pending.settle(response)
  }

  /** The client is gone. */
  failAll(reason: string): void {
    this.#pending.failAll(new RondoError('ASK_FAILED', `The client did not answer: ${reason}.`))
  }
}

function resultOf(method: string, response: JsonRpcResponse): JsonObject {
  if ('result' in response) return response.result
  const { code, message } = response.error
  throw new RondoError('ASK_FAILED', `The client answered ${method} with the error ${code}: ${message}`, {
    data: { code },
  })
}
