import { WireError } from '../../errors/wire-error.ts'
import { encodeError, encodeResult } from '../../jsonrpc/encode.ts'
import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/messages.ts'
import { type Parsed, isRequestId } from '../../jsonrpc/parse.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { isLoggingLevel, LOGGING_LEVELS, type LoggingLevel } from '../../protocol/logging.ts'
import type { Implementation } from '../../protocol/meta.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'
import type { Exchange, Reply } from '../../server/exchange.ts'
import { after, type Maybe } from '../../server/maybe.ts'
import type { ChangeListener } from '../../server/changes.ts'
import type { Caller } from '../../server/visible.ts'
import { changeText } from './change-text.ts'
import { ClientRequests } from './client-requests.ts'
import { declaredIn } from './declared.ts'
import { type CallSession, SessionCall, type SessionRoute } from './session-call.ts'

/** What sessions hand requests to, and hear of changes from. */
export interface LegacyServer {
  handle(message: unknown, exchange: Exchange): Maybe<Reply>
  watch?(caller: Caller, tell: ChangeListener): () => void
}

/** Resources that one session may be subscribed to. */
export const MAX_SUBSCRIPTIONS = 1000

const ACCEPTED: Reply = { status: 202, body: undefined }
const NO_REPLY: Reply = { status: 0, body: undefined }

type Request = Extract<Parsed, { kind: 'request' }>

/**
 * What `initialize` established between the server and one client, and the calls that are under way in it
 * (basic/lifecycle of the revisions from 2024-11-05 to 2025-11-25). It knows of no transport: each message comes with its
 * way back.
 */
export class LegacySession implements CallSession {
  readonly revision: LegacyRevision
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation | undefined
  readonly requests = new ClientRequests()
  readonly #server: LegacyServer
  readonly #calls = new Map<RequestId, SessionCall>()
  readonly #subscriptions = new Set<string>()
  #logLevel: LoggingLevel = 'info'
  #established = false
  #ready = false
  #unwatch: (() => void) | undefined

  /** @param params of `initialize`, as received */
  constructor(server: LegacyServer, revision: LegacyRevision, params: JsonObject | undefined) {
    this.#server = server
    this.revision = revision
    this.capabilities = declaredIn(revision, params?.['capabilities'])
    const info = params?.['clientInfo']
    this.clientInfo = isJsonObject(info) ? (info as unknown as Implementation) : undefined
  }

  /** What `logging/setLevel` said last. */
  get logLevel(): LoggingLevel {
    return this.#logLevel
  }

  /** Whether `initialize` came to a result. */
  get established(): boolean {
    return this.#established
  }

  /** Takes one message. The reply's status is 202 when there is nothing to answer, 0 for a call that was cancelled. */
  take(message: Parsed, route: SessionRoute): Maybe<Reply> {
    switch (message.kind) {
      case 'request':
        return this.#request(message, route)
      case 'notification':
        if (message.method === METHODS.cancelled) this.#cancel(message.params)
        else if (message.method === METHODS.initialized) this.#ready = true
        return ACCEPTED
      case 'response':
        this.requests.settle(message.response)
        return ACCEPTED
      case 'invalid':
        return refusal(message.id, new WireError(message.code, message.message))
    }
  }

  /** Hands `initialize` to the server: its result is what opens the session. */
  open(message: Request, route: SessionRoute): Maybe<Reply> {
    const call = new SessionCall(message.id, this, route)
    return after(this.#run(call, message), (reply) => {
      this.#established = !call.failed && !call.cancelled
      return reply
    })
  }

  /** Has the client told of changes from here on: of lists, and of the resources it subscribed to. */
  watch(caller: Caller, send: (message: string) => void): void {
    this.#unwatch = this.#server.watch?.(caller, (changes) => {
      // basic/lifecycle, "Initialization": nothing of the server's own before the client says that it is ready.
      if (!this.#ready) return
      for (const change of changes) {
        if (change.kind !== 'resource' || this.#subscriptions.has(change.uri)) send(changeText(change))
      }
    })
  }

  /** @throws WireError `INVALID_PARAMS` beyond {@link MAX_SUBSCRIPTIONS} */
  subscribe(uri: string): void {
    if (!this.#subscriptions.has(uri) && this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      const message = `This session is subscribed to ${MAX_SUBSCRIPTIONS} resources, which is the limit. Unsubscribe from some first.`
      throw new WireError('INVALID_PARAMS', message)
    }
    this.#subscriptions.add(uri)
  }

  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri)
  }

  /** Ends it: the client is gone, and its calls with it. */
  close(reason: string): void {
    for (const call of [...this.#calls.values()]) call.stop(reason)
    this.requests.failAll(reason)
    this.#subscriptions.clear()
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #request(message: Request, route: SessionRoute): Maybe<Reply> {
    const { id, method, params } = message
    if (this.#calls.has(id)) {
      // basic/index, "Requests": an id may not be used twice; the first call goes on.
      return refusal(id, new WireError('INVALID_REQUEST', 'Invalid request: a request with this id is under way'))
    }
    switch (method) {
      case METHODS.ping:
        return { status: 200, body: encodeResult(id, '{}') }
      case METHODS.loggingSetLevel:
        return this.#setLevel(id, params?.['level'])
      case METHODS.initialize:
        return refusal(id, new WireError('INVALID_REQUEST', 'Invalid request: the session is initialized already'))
      default:
        return this.#run(new SessionCall(id, this, route), message)
    }
  }

  #run(call: SessionCall, { id, method, params }: Request): Maybe<Reply> {
    this.#calls.set(id, call)
    const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
    return after(this.#server.handle(message, call), (reply) => this.#ended(call, reply))
  }

  #ended(call: SessionCall, reply: Reply): Reply {
    this.#calls.delete(call.id)
    call.end()
    if (call.cancelled) return NO_REPLY
    // Over HTTP a status says something of the session here: an error of a request stands in the body.
    return reply.body === undefined ? reply : { status: 200, body: reply.body }
  }

  #setLevel(id: RequestId, level: unknown): Reply {
    if (!isLoggingLevel(level)) {
      const message = `Invalid params: level must be one of ${LOGGING_LEVELS.join(', ')}`
      return refusal(id, new WireError('INVALID_PARAMS', message))
    }
    this.#logLevel = level
    return { status: 200, body: encodeResult(id, '{}') }
  }

  #cancel(params: JsonObject | undefined): void {
    const id = params?.['requestId']
    const reason = params?.['reason']
    if (isRequestId(id)) this.#calls.get(id)?.stop(typeof reason === 'string' ? reason : undefined)
  }
}

/** The reply to a request that gets no further. */
export function refusal(id: RequestId | undefined, error: WireError): Reply {
  return { status: error.status, body: encodeError(id, error.toJSON()) }
}
