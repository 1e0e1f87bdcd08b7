import { createParser, type EventSourceParser } from 'eventsource-parser'
import { type OutgoingRequest, type Received, type RequestOptions } from '../../client/transport.ts'
import { errorText } from '../../errors/error-text.ts'
import { RondoError } from '../../errors/rondo-error.ts'
import { type JsonRpcResponse } from '../../jsonrpc/messages.ts'
import { type Parsed, parseMessage } from '../../jsonrpc/parse.ts'
import { type HttpClient, type HttpLimits, type HttpSink } from './http-port.ts'

/** Characters of an unreadable body that an error quotes. */
const QUOTED = 300

/** Milliseconds that a stream may stay open behind its response. */
const LINGER = 1000

/** One POST and its reply, in whichever of the two forms it comes (basic/transports/streamable-http, "Sending Messages"). */
export class HttpExchange implements HttpSink {
  readonly #address: string
  readonly #request: OutgoingRequest
  readonly #options: RequestOptions
  readonly #limits: HttpLimits
  readonly #closed: () => boolean
  readonly #resolve: (received: Received) => void
  readonly #reject: (error: unknown) => void
  #status = 0
  #type = ''
  #location: string | undefined
  #body = ''
  #events: EventSourceParser | undefined
  #abort: ((error: unknown) => void) | undefined
  /** Whether the stream's last character so far is a carriage return. */
  #carriage = false
  #settled = false
  #linger: ReturnType<typeof setTimeout> | undefined

  constructor(
    address: string,
    request: OutgoingRequest,
    options: RequestOptions,
    limits: HttpLimits,
    closed: () => boolean,
    resolve: (received: Received) => void,
    reject: (error: unknown) => void,
  ) {
    this.#address = address
    this.#request = request
    this.#options = options
    this.#limits = limits
    this.#closed = closed
    this.#resolve = resolve
    this.#reject = reject
  }

  send(client: HttpClient, path: string, headers: Readonly<Record<string, string>>): void {
    this.#abort = client.post(path, headers, this.#request.text, this)
    this.#options.onCancel((error) => {
      this.#settled = true
      this.#reject(error)
      // Closing the connection is the cancellation (basic/transports/streamable-http, "Cancellation").
      this.#abort?.(error)
    })
  }

  head(status: number, header: (name: string) => string | undefined): 'whole' | 'pieces' {
    this.#status = status
    this.#type = mediaType(header('content-type'))
    this.#location = header('location')
    if (this.#type !== 'text/event-stream' || status >= 300) return 'whole'
    this.#events = createParser({
      maxBufferSize: this.#limits.maxBytes,
      // Neither events of other names nor empty ones are messages; servers keep connections open with them.
      onEvent: ({ data, event = 'message' }) => {
        if (data !== '' && event === 'message') this.#event(data)
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#give(this.#unusable('an event of its stream is too large'))
      },
    })
    return 'pieces'
  }

  text(piece: string): void {
    if (this.#settled) return
    if (this.#events) {
      this.#carriage = piece.endsWith('\r')
      this.#events.feed(piece)
    } else this.#body = piece
  }

  end(): void {
    // A carriage return may be half of a line end, or a whole one: now it is known.
    if (!this.#settled && this.#carriage) this.#events?.feed('\n')
    if (this.#linger !== undefined) clearTimeout(this.#linger)
    if (this.#settled) return
    if (this.#events) {
      this.#fail(
        new RondoError(
          'TRANSPORT_FAILED',
          `${this.#address} ended the stream of ${this.#request.method} before its response. The request is lost; it was ` +
            'not sent again, since it may have been carried out.',
        ),
      )
      return
    }
    this.#whole()
  }

  fail(cause: unknown, unsent = false): void {
    if (this.#linger !== undefined) clearTimeout(this.#linger)
    if (this.#closed()) {
      this.#fail(new RondoError('TRANSPORT_CLOSED', `The client of ${this.#address} was closed`, { cause }))
      return
    }
    if (cause instanceof RangeError) {
      this.#fail(this.#unusable(cause.message))
      return
    }
    const told = errorText(cause) || codesOf(cause).find(Boolean) || 'the connection ended'
    if (unsent) {
      this.#fail(new RondoError('CONFIG_INVALID', `The request to ${this.#address} cannot be sent: ${told}`, { cause }))
      return
    }
    const reached = this.#status > 0 ? 'broke off its reply' : whatBroke(cause)
    this.#fail(new RondoError('TRANSPORT_FAILED', `${this.#address} ${reached}: ${told}`, { cause }))
  }

  #whole(): void {
    const parsed = this.#type === 'application/json' ? parseMessage(withoutMark(this.#body)) : undefined
    const response = parsed?.kind === 'response' ? parsed.response : undefined
    const ok = this.#status >= 200 && this.#status < 300
    // An error body without an id is how a request that could not be read is refused.
    if (response && (response.id === this.#request.id || (response.id === undefined && 'error' in response))) {
      if (ok || 'error' in response) {
        this.#finish(response)
        return
      }
    }
    if (!ok) this.#fail(this.#badStatus())
    else this.#fail(this.#unusable(whyNot(parsed, this.#type)))
  }

  #event(data: string): void {
    if (this.#settled) return
    const parsed = parseMessage(data)
    if (parsed.kind === 'notification') {
      const { method, params } = parsed
      this.#options.onNotification?.(params ? { jsonrpc: '2.0', method, params } : { jsonrpc: '2.0', method })
    } else if (parsed.kind === 'response' && parsed.response.id === this.#request.id) {
      this.#finish(parsed.response)
    } else if (parsed.kind === 'response' && parsed.response.id === undefined) {
      this.#finish(parsed.response)
    } else {
      this.#give(
        this.#unusable(`its stream carries a message that does not belong there: ${whyNot(parsed, this.#type)}`),
      )
    }
  }

  #finish(message: JsonRpcResponse): void {
    this.#settled = true
    this.#resolve({ message, status: this.#status })
    // The response should end the stream. A server that leaves it open must not keep a connection for good.
    if (this.#events) this.#linger = setTimeout(() => this.#abort?.(new Error('The response was there')), LINGER)
  }

  /** Fails, and lets go of a stream that is still open. */
  #give(error: RondoError): void {
    this.#fail(error)
    this.#abort?.(error)
  }

  #fail(error: RondoError): void {
    if (this.#settled) return
    this.#settled = true
    this.#reject(error)
  }

  #badStatus(): RondoError {
    const status = this.#status
    const advice = this.#location === undefined ? ADVICE[status] : `It redirects to ${this.#location}: connect there`
    return new RondoError(
      'HTTP_STATUS',
      `${this.#address} answered ${this.#request.method} with HTTP ${status}.${advice ? ` ${advice}.` : ''}`,
      { data: { status, body: this.#body.slice(0, QUOTED), ...(this.#location && { location: this.#location }) } },
    )
  }

  #unusable(why: string): RondoError {
    return new RondoError('RESPONSE_INVALID', `The reply of ${this.#address} cannot be used: ${why}`, {
      data: { status: this.#status, body: this.#body.slice(0, QUOTED) },
    })
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'It wants the caller to authenticate: see the "headers" option',
  403: 'It refuses this caller, or this origin',
  404: 'Is the path right? Nothing there speaks MCP',
  405: 'Is the path right? It takes no POST, or only the HTTP+SSE transport of 2024-11-05',
  413: 'The request is larger than it takes',
  429: 'It takes no more requests for now',
  503: 'It is not available for now',
}

/** Codes of a connection that never came about, and of one that broke. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/
const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/

/** Browsers do not tell the two apart. */
function whatBroke(cause: unknown): string {
  const codes = codesOf(cause)
  if (codes.some((code) => UNREACHED.test(code))) return 'could not be reached'
  return codes.some((code) => BROKEN.test(code)) ? 'broke off before it replied' : 'could not be reached, or broke off'
}

/** The text without the byte order mark that some servers put first, which JSON does not have. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Codes of an error and of its own cause; an attempt at several addresses has no text but these. */
function codesOf(cause: unknown): string[] {
  return [cause, (cause as { cause?: unknown } | null | undefined)?.cause].map((error) =>
    String((error as { code?: unknown } | null | undefined)?.code ?? ''),
  )
}

function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

function whyNot(parsed: Parsed | undefined, type: string): string {
  if (parsed === undefined) return `it is ${type || 'of no stated type'}, neither JSON nor an event stream`
  if (parsed.kind === 'invalid') return parsed.message
  return parsed.kind === 'response' ? 'it answers another request' : `it is a ${parsed.kind}, not a response`
}
