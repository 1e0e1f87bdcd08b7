import { type OutgoingRequest, type Received, type RequestOptions, type Transport } from '../../client/transport.ts'
import { errorText } from '../../errors/error-text.ts'
import { checkOptions, OBJECT, type OptionKinds, TEXT } from '../../errors/option-check.ts'
import { RondoError } from '../../errors/rondo-error.ts'
import { parseMessage } from '../../jsonrpc/parse.ts'
import { type AuthInfo, type Exchange, type Reply } from '../../server/exchange.ts'
import { checkedReply, isPromise } from '../receiver.ts'

/** A server in this process: anything with `handle`. */
export interface InProcessServer {
  handle(message: string, exchange: Exchange): Reply | Promise<Reply>
}

/** Who the caller is to a server in this process. */
export interface MemoryTransportOptions {
  readonly principal?: string | undefined
  readonly auth?: AuthInfo | undefined
  /** What the server is called in messages to people; `memory`. */
  readonly address?: string | undefined
}

/** What each of {@link MemoryTransportOptions} may be. */
export const MEMORY_TRANSPORT_OPTIONS: OptionKinds<MemoryTransportOptions> = {
  principal: TEXT,
  auth: OBJECT,
  address: TEXT,
}

/** Reaches a server object in the same process. Messages are JSON text both ways, as on any other transport. */
export function memoryTransport(server: InProcessServer, options: MemoryTransportOptions = {}): Transport {
  checkOptions(options, MEMORY_TRANSPORT_OPTIONS, 'memoryTransport()')
  return new MemoryTransport(server, options)
}

class MemoryTransport implements Transport {
  readonly kind = 'memory'
  readonly address: string
  readonly #server: InProcessServer
  readonly #caller: Pick<Exchange, 'principal' | 'auth'>
  readonly #open = new Set<(error: unknown, reason: string) => void>()
  #closed = false

  constructor(server: InProcessServer, { principal, auth, address = 'memory' }: MemoryTransportOptions) {
    this.#server = server
    this.address = address
    this.#caller = { ...(principal !== undefined && { principal }), ...(auth !== undefined && { auth }) }
  }

  request(request: OutgoingRequest, options: RequestOptions): Promise<Received> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(closed())
        return
      }
      let cancel: ((reason?: string) => void) | undefined
      let stopped: string | undefined
      let over = false
      const settle = (act: () => void): void => {
        if (over) return
        over = true
        this.#open.delete(giveUp)
        act()
      }
      const giveUp = (error: unknown, reason: string): void => {
        if (over) return
        settle(() => reject(error))
        stopped = reason
        cancel?.(reason)
      }
      this.#open.add(giveUp)
      options.onCancel((error) => giveUp(error, errorText(error)))
      const exchange: Exchange = {
        ...this.#caller,
        notify: (message) => {
          const parsed = over ? undefined : parseMessage(message)
          if (parsed?.kind !== 'notification') return
          const { method, params } = parsed
          options.onNotification?.(params ? { jsonrpc: '2.0', method, params } : { jsonrpc: '2.0', method })
        },
        onCancel: (listener) => {
          // A handler may start late, of a request that was given up before.
          if (stopped === undefined) cancel = listener
          else listener(stopped)
        },
      }
      const take = (reply: Reply): void =>
        settle(() => {
          const received = responseOf(request, reply)
          if (received !== undefined) return resolve(received)
          reject(new RondoError('RESPONSE_INVALID', `The server's reply to ${request.method} is not a response to it`))
        })
      // A server that throws is a bug of its own; `handle` answers every message.
      const fail = (cause: unknown): void => settle(() => reject(failed(cause)))
      try {
        const reply = this.#server.handle(request.text, exchange)
        if (isPromise(reply)) reply.then(take, fail)
        else take(reply)
      } catch (cause) {
        fail(cause)
      }
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const giveUp of [...this.#open]) giveUp(closed(), 'The client was closed')
  }
}

function responseOf(request: OutgoingRequest, given: Reply): Received | undefined {
  let reply: Reply
  try {
    reply = checkedReply(given)
  } catch {
    return undefined
  }
  const parsed = reply.body === undefined ? undefined : parseMessage(reply.body)
  const response = parsed?.kind === 'response' ? parsed.response : undefined
  const answers = response !== undefined && (response.id === request.id || response.id === undefined)
  return answers ? { message: response, status: reply.status } : undefined
}

function closed(): RondoError<'TRANSPORT_CLOSED'> {
  return new RondoError('TRANSPORT_CLOSED', 'The client was closed')
}

function failed(cause: unknown): RondoError<'TRANSPORT_FAILED'> {
  return new RondoError('TRANSPORT_FAILED', `The server object failed: ${errorText(cause)}`, { cause })
}
