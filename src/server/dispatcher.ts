import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { encodeError, encodeResult } from '../jsonrpc/encode.ts'
import type { JsonObject, RequestId } from '../jsonrpc/messages.ts'
import { parseMessage, parseValue, type Parsed } from '../jsonrpc/parse.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { checkEnvelope, isModern, legacyRefusal, metaOf } from './envelope.ts'
import { isModernOnly } from './legacy-operations.ts'
import { quoted } from './quoted.ts'
import type { Exchange, Reply } from './exchange.ts'
import { wireFailure } from './failure.ts'
import type { Maybe } from './maybe.ts'
import { checkNameHeader } from './mirrored-headers.ts'
import { CANCELLED, type Answer, type Operation } from './operation.ts'
import type { ServerRequest } from './request.ts'
import { serverClosed } from './server-closed.ts'
import type { Services } from './services.ts'

const MAX_RESULT_LENGTH = 16 * 1024 * 1024
const ACCEPTED: Reply = { status: 202, body: undefined }
const NO_REPLY: Reply = { status: 0, body: undefined }
const EMPTY: JsonObject = Object.freeze({})

/**
 * Takes one message through the checks, in the order of the rules, to its operation, and what comes of it to a reply.
 * Never throws and never rejects.
 */
export class Dispatcher {
  readonly #services: Services
  readonly #operations: ReadonlyMap<string, Operation>
  readonly #maxResult: number
  readonly #legacyOperations: ReadonlyMap<string, Operation>

  /** @param legacyOperations what only the legacy era has */
  constructor(
    services: Services,
    operations: ReadonlyMap<string, Operation>,
    legacyOperations: ReadonlyMap<string, Operation>,
  ) {
    this.#services = services
    this.#operations = operations
    this.#maxResult = services.options.maxResultLength ?? MAX_RESULT_LENGTH
    this.#legacyOperations = legacyOperations
  }

  /** @param message JSON text, or what a framework made of it */
  dispatch(message: unknown, exchange: Exchange): Maybe<Reply> {
    try {
      return this.#dispatch(message, exchange)
    } catch {
      // What a framework handed over cannot even be read.
      return refusal(undefined, new WireError('INVALID_REQUEST', 'Invalid request: the message cannot be read'))
    }
  }

  #dispatch(message: unknown, exchange: Exchange): Maybe<Reply> {
    const parsed = typeof message === 'string' ? parseMessage(message) : parseValue(message)
    switch (parsed.kind) {
      case 'request':
        return this.#request(parsed, exchange)
      case 'notification':
        return this.#notification(parsed, exchange)
      case 'response':
        return refusal(undefined, new WireError('INVALID_REQUEST', 'Invalid request: a server takes no responses'))
      case 'invalid':
        return refusal(parsed.id, new WireError(parsed.code, parsed.message))
    }
  }

  #notification({ method, params }: Extract<Parsed, { kind: 'notification' }>, exchange: Exchange): Reply {
    const id = params?.['requestId']
    if (method === METHODS.cancelled && (typeof id === 'string' || typeof id === 'number')) {
      const reason = params?.['reason']
      exchange.cancel?.(id, typeof reason === 'string' ? reason : undefined)
    }
    return ACCEPTED
  }

  #request({ id, method, params }: Extract<Parsed, { kind: 'request' }>, exchange: Exchange): Maybe<Reply> {
    const meta = metaOf(params)
    let request: ServerRequest | undefined
    try {
      if (this.#services.closed()) throw serverClosed()
      if (exchange.legacy === undefined) {
        const served = this.#services.revisions
        if (!isModern(meta, exchange.http)) throw legacyRefusal(method, params, exchange.http, served)
        checkEnvelope(method, meta, exchange.http, served)
      }
      const operation = exchange.legacy === undefined ? this.#operations.get(method) : this.#legacy(method)
      if (operation === undefined) throw new WireError('METHOD_NOT_FOUND', `Method not found: ${quoted(method)}`)
      request = makeRequest(id, method, params ?? EMPTY, meta ?? EMPTY, exchange)
      operation.checkParams?.(request.params)
      if (exchange.http !== undefined && operation.nameOf !== undefined && exchange.legacy === undefined) {
        checkNameHeader(exchange.http, operation.nameOf(request.params))
      }
      const answer = operation.run(request)
      if (!(answer instanceof Promise)) return this.#reply(request, answer)
      const waiting = request
      return answer.then(
        (text) => this.#reply(waiting, text),
        (error: unknown) => this.#failed(waiting, error),
      )
    } catch (error) {
      return this.#failed(request ?? makeRequest(id, method, EMPTY, EMPTY, exchange), error)
    }
  }

  #legacy(method: string): Operation | undefined {
    return this.#legacyOperations.get(method) ?? (isModernOnly(method) ? undefined : this.#operations.get(method))
  }

  #reply(request: ServerRequest, answer: Answer): Reply {
    if (answer === CANCELLED) return NO_REPLY
    if (answer.length > this.#maxResult) return this.#failed(request, tooLarge(answer.length, this.#maxResult))
    const { legacy } = request.exchange
    if (legacy?.render === undefined) return { status: 200, body: encodeResult(request.id, answer) }
    try {
      return { status: 200, body: encodeResult(request.id, legacy.render(request.method, answer)) }
    } catch (error) {
      return this.#failed(request, error)
    }
  }

  #failed(request: ServerRequest, error: unknown): Reply {
    const failure = wireFailure(error, request, this.#services.log)
    const { legacy } = request.exchange
    if (legacy?.renderError === undefined) return refusal(request.id, failure)
    return {
      status: failure.status,
      body: encodeError(request.id, legacy.renderError(request.method, failure.toJSON())),
    }
  }
}

function makeRequest(
  id: RequestId,
  method: string,
  params: JsonObject,
  meta: JsonObject,
  exchange: Exchange,
): ServerRequest {
  const declared = exchange.legacy?.capabilities ?? (meta[META.clientCapabilities] as ClientCapabilities)
  return { id, method, params, meta, capabilities: declared, principal: exchange.principal ?? '', exchange }
}

/** One that does not read holds every reply in memory. */
function tooLarge(length: number, limit: number): RondoError {
  return new RondoError(
    'RESULT_TOO_LARGE',
    `The result is ${length} characters of JSON, over the limit (maxResultLength) of ${limit}. Give a part, or a link to ` +
      'a resource, or raise the limit.',
  )
}

function refusal(id: RequestId | undefined, error: WireError): Reply {
  try {
    return { status: error.status, body: encodeError(id, error.toJSON()) }
  } catch {
    // Members that somebody put on it.
    return { status: 200, body: encodeError(id, { code: -32603, message: 'Internal error' }) }
  }
}
