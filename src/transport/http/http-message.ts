import type { AuthInfo, HttpInfo } from '../../server/exchange.ts'
import type { EventStream } from './event-stream.ts'

/** What an adapter gives of a request, the body apart. `Raw` is the host's own object. */
export interface HttpRequest<Raw = unknown> extends HttpInfo {
  readonly raw: Raw
  /** Address of the other end of the connection, where the host tells. */
  readonly peer: string | undefined
  /** Whether the connection came in on a loopback address that is all the server is bound to. */
  readonly loopback: boolean
  /** Whether the host knows that the request came by TLS. */
  readonly secure: boolean
  /** The host's environment, where it comes with each request. */
  readonly env: Readonly<Record<string, unknown>> | undefined
  /** Registers what to call, once, when the client goes away before it has the whole reply. */
  onClose(listener: () => void): void
}

/** Who is calling, as the `principal` option said. */
export class Caller {
  readonly principal: string
  readonly auth: AuthInfo | undefined

  constructor(principal: string, auth?: AuthInfo) {
    this.principal = principal
    this.auth = auth
  }
}

/** What goes back. `content-length` is the adapter's to add. */
export class HttpReply {
  /** 0: send nothing and close the connection. */
  readonly status: number
  /** Names and values by turns, names in lower case. */
  readonly headers: readonly string[]
  readonly body: string | undefined
  /** Given instead of a body: the adapter attaches a sink to it once it has sent the head. */
  readonly stream: EventStream | undefined

  constructor(status: number, headers: readonly string[], body?: string, stream?: EventStream) {
    this.status = status
    this.headers = headers
    this.body = body
    this.stream = stream
  }
}

/** Takes a reply that was not there at once. */
export interface ReplyTaker {
  later(reply: HttpReply): void
}

export const NO_HEADERS: readonly string[] = []
export const JSON_HEADERS: readonly string[] = ['content-type', 'application/json']
/** Proxies must neither hold back nor compress an event stream, nor keep it. */
export const STREAM_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
]

/** For a client that is gone, and for a call that may not be answered. */
export const SILENCE = new HttpReply(0, NO_HEADERS)
