import { isThenable } from '../../replay/thenable.ts'
import type { Logger } from '../../server/log.ts'
import type { TransportLog } from '../receiver.ts'
import { Cors, type CorsOptions } from './cors.ts'
import { Caller, HttpReply, type HttpRequest } from './http-message.ts'
import { isModernRequest } from './era.ts'
import { isJsonType, readAccept } from './media-types.ts'
import { OriginPolicy, type OriginOptions } from './origin.ts'
import { HttpRefusal, type PrincipalOption, readVerdict, refuse, type Verdict } from './principal.ts'
import { crashed, notAcceptable, refusal, tooLarge } from './refusals.ts'

/** Which requests are let in. */
export interface AdmissionOptions<Raw = unknown> extends OriginOptions {
  /** Path of the endpoint. Absent: whatever reaches the handler is for it, as when a framework routes. */
  readonly path?: string | undefined
  /** Path that answers GET with 200, for load balancers; `false`: none. */
  readonly health?: string | false | undefined
  /** Says who is calling; absent: everybody, as `''`. */
  readonly principal?: PrincipalOption<Raw> | undefined
  /** `WWW-Authenticate` of a 401; `Bearer` by default. */
  readonly challenge?: string | undefined
  /** Lets pages of the allowed origins read replies; off by default. */
  readonly cors?: boolean | CorsOptions | undefined
  /** Longest request body in bytes; 4 MiB by default. */
  readonly maxBodyBytes?: number | undefined
  /** Receives what an operator should know; the server's own log by default. */
  readonly log?: TransportLog | undefined
}

/** Bodies are refused from here on unless told otherwise. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

const ANYONE = new Caller('')
const HEALTH_HEADERS = ['content-type', 'application/json', 'cache-control', 'no-store']

type Admitted = Caller | HttpReply

/**
 * What is decided before the body of a request is read (rules H2, H3): where it comes from, where it goes, who is
 * calling, and whether its body can be taken.
 */
export class Admission<Raw = unknown> {
  readonly maxBodyBytes: number
  readonly #path: string | undefined
  readonly #health: string | undefined
  readonly #policy: OriginPolicy
  readonly #cors: Cors | undefined
  readonly #principal: PrincipalOption<Raw> | undefined
  readonly #challenge: string
  readonly #log: Logger
  readonly #healthy: () => boolean
  /** Methods that are served beside POST. */
  readonly #others: readonly string[]
  #closing = false

  /** @param others methods that are served beside POST, in the legacy era */
  constructor(options: AdmissionOptions<Raw>, log: Logger, healthy: () => boolean, others: readonly string[] = []) {
    const { cors, health } = options
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
    this.#path = options.path
    this.#health = health === false ? undefined : health
    this.#policy = new OriginPolicy(options)
    this.#cors = cors === undefined || cors === false ? undefined : new Cors(cors === true ? {} : cors, others)
    this.#principal = options.principal
    this.#challenge = options.challenge ?? 'Bearer'
    this.#log = log
    this.#healthy = healthy
    this.#others = others
  }

  get closing(): boolean {
    return this.#closing
  }

  /** From here on nothing new is let in. */
  close(): void {
    this.#closing = true
  }

  /** Whether a request's path is the endpoint's or the health route's. */
  serves(url: string): boolean {
    if (this.#path === undefined || url === this.#path) return true
    const path = pathOf(url)
    return path === this.#path || path === this.#health
  }

  /** The caller of a request that may go on, or the reply that refuses it. */
  admit(request: HttpRequest<Raw>): Admitted | Promise<Admitted> {
    try {
      return this.#admit(request)
    } catch (error) {
      return this.#unknown(error, request)
    }
  }

  #admit(request: HttpRequest<Raw>): Admitted | Promise<Admitted> {
    const origin = request.header('origin')
    const foreign = origin === undefined ? undefined : this.#policy.refuseOrigin(request, origin)
    // A refused origin gets no CORS headers: its page cannot read why.
    if (foreign !== undefined) return this.#forbidden(foreign, request)
    const refused = this.#refuseHead(request, origin)
    if (refused !== undefined) return this.mark(refused, request)
    return this.#principal === undefined ? this.#checkBody(ANYONE, request) : this.#identify(this.#principal, request)
  }

  /** The reply with what a page of an allowed origin needs to read it, when CORS is on. */
  mark(reply: HttpReply, request: HttpRequest): HttpReply {
    if (this.#cors === undefined) return reply
    const origin = request.header('origin')
    return origin === undefined || reply.status === 0 ? reply : this.#cors.mark(reply, origin)
  }

  #refuseHead(request: HttpRequest, origin: string | undefined): HttpReply | undefined {
    const { method, url } = request
    const healthy = this.#health !== undefined && url !== this.#path && pathOf(url) === this.#health
    const unserved = healthy ? this.#policy.refuseHealth(request) : this.#policy.refuseHost(request)
    if (unserved !== undefined) return this.#forbidden(unserved, request)
    if (healthy) return this.#healthReply(method)
    if (!this.serves(url)) return refusal(404, `There is nothing here. The endpoint is ${this.#path}.`)
    if (method === 'POST') return this.#closing ? closing() : undefined
    // The modern era has neither streams of sessions nor an end of them.
    const others = isModernRequest(request) ? [] : this.#others
    if (others.includes(method)) return this.#closing ? closing() : undefined
    if (method === 'OPTIONS' && origin !== undefined && this.#cors !== undefined) return this.#cors.preflight(request)
    const allowed = ['POST', ...others, ...(this.#cors === undefined ? [] : ['OPTIONS'])]
    return refusal(405, 'Messages are sent by POST.', ['allow', allowed.join(', ')])
  }

  #healthReply(method: string): HttpReply {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Health is asked by GET.', ['allow', 'GET, HEAD'])
    return this.#closing || !this.#healthy()
      ? new HttpReply(503, HEALTH_HEADERS, '{"status":"closing"}')
      : new HttpReply(200, HEALTH_HEADERS, '{"status":"ok"}')
  }

  #identify(principal: PrincipalOption<Raw>, request: HttpRequest<Raw>): Admitted | Promise<Admitted> {
    const verdict = principal(request)
    if (!isThenable(verdict)) return this.#identified(verdict, request)
    return Promise.resolve(verdict)
      .then((value) => this.#identified(value, request))
      .catch((error: unknown) => this.#unknown(error, request))
  }

  #identified(verdict: Verdict, request: HttpRequest): Admitted {
    const caller = readVerdict(verdict, this.#challenge)
    return caller instanceof Caller ? this.#checkBody(caller, request) : this.mark(caller, request)
  }

  /** A stranger thrown is a fault of ours, not of the caller's: 401 would send clients to log in again. */
  #unknown(error: unknown, request: HttpRequest): HttpReply {
    if (error instanceof HttpRefusal) return this.mark(refuse(error, this.#challenge), request)
    this.#log.write({
      level: 'error',
      code: 'http-failed',
      message: 'An option that decides about requests failed',
      error,
    })
    return this.mark(crashed(), request)
  }

  #checkBody(caller: Caller, request: HttpRequest): Admitted {
    const wrong = this.#refuseBody(request)
    return wrong === undefined ? caller : this.mark(wrong, request)
  }

  #refuseBody(request: HttpRequest): HttpReply | undefined {
    if (request.method !== 'POST') return undefined
    if (!isJsonType(request.header('content-type'))) {
      return refusal(415, 'Content-Type must be application/json, in UTF-8.', ['accept', 'application/json'])
    }
    const encoding = request.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      return refusal(415, 'Send the body without Content-Encoding.', ['accept-encoding', 'identity'])
    }
    const length = request.header('content-length')
    if (length !== undefined && Number(length) > this.maxBodyBytes) return tooLarge(this.maxBodyBytes)
    const { json, events } = readAccept(request.header('accept'))
    return json || events ? undefined : notAcceptable()
  }

  #forbidden(why: string, request: HttpRequest): HttpReply {
    const data = { origin: request.header('origin'), host: request.header('host'), peer: request.peer }
    this.#log.write({ level: 'warn', code: 'http-forbidden', message: why, data })
    return refusal(403, why)
  }
}

function closing(): HttpReply {
  return refusal(503, 'The server is closing.', ['retry-after', '1'])
}

/** Path of a request target, which is a path with a query or, from proxies, a whole URL. */
function pathOf(url: string): string {
  const query = url.indexOf('?')
  const target = query === -1 ? url : url.slice(0, query)
  return target.startsWith('/') ? target : (/^https?:\/\/[^/]*(\/.*)?$/i.exec(target)?.[1] ?? target)
}
