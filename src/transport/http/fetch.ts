import { checkOptions } from '../../errors/option-check.ts'
import { checkReceiver, type Receiver } from '../receiver.ts'
import type { EventStream } from './event-stream.ts'
import { HttpHandler, type HttpOptions } from './handler.ts'
import { HTTP_OPTIONS } from './http-options.ts'
import { HttpReply, type HttpRequest, JSON_HEADERS } from './http-message.ts'
import { isPerRequestHost } from './per-request-host.ts'
import { readBody } from './read-body.ts'

/** A `fetch` handler, as Workers, Deno, Bun and frameworks on them take it. */
export type FetchHandler = (request: Request, env?: unknown, context?: unknown) => Promise<Response>

/**
 * Serves MCP where requests and responses are the web's: `export default { fetch: fetchHandler(server) }`.
 *
 * @throws RondoError `CONFIG_INVALID` for an option there is none of, or that cannot be used.
 */
export function fetchHandler(receiver: Receiver, options: HttpOptions<Request> = {}): FetchHandler {
  checkReceiver(receiver, 'fetchHandler()')
  checkOptions(options, HTTP_OPTIONS, 'fetchHandler()')
  const handler = new HttpHandler(receiver, { perRequestHost: isPerRequestHost(), ...options })
  return async (request, env) => {
    const web = new WebRequest(request, env)
    const admitted = await handler.admit(web)
    if (admitted instanceof HttpReply) return toResponse(admitted, web)
    const body = await readBody(request, handler.maxBodyBytes)
    if (body === 'taken') return toResponse(handler.bodyTaken(web), web)
    if (body === 'too-large') return toResponse(handler.tooLarge(web), web)
    if (body === 'not-utf8') return toResponse(handler.notUtf8(web), web)
    if (body === 'broken-off') return nobodyReads()
    const { text } = body
    const reply = await new Promise<HttpReply>((later) => {
      const now = handler.answer(web, admitted, text, { later })
      if (now !== undefined) later(now)
    })
    return toResponse(reply, web)
  }
}

class WebRequest implements HttpRequest<Request> {
  readonly raw: Request
  readonly method: string
  readonly url: string
  readonly env: Readonly<Record<string, unknown>> | undefined
  #listener: (() => void) | undefined

  constructor(request: Request, env: unknown) {
    this.raw = request
    this.method = request.method
    this.url = request.url.slice(request.url.indexOf('/', request.url.indexOf(':') + 3))
    this.env = typeof env === 'object' && env !== null ? (env as Record<string, unknown>) : undefined
  }

  get peer(): undefined {
    return undefined
  }

  /** A rebound name has no certificate. */
  get secure(): boolean {
    return this.raw.url.startsWith('https:')
  }

  /** What address it came in on is not known here. */
  get loopback(): boolean {
    return false
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? (name === 'host' ? new URL(this.raw.url).host : undefined)
  }

  onClose(listener: () => void): void {
    const { signal } = this.raw
    this.#listener = listener
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener)
  }

  /** The reply is out: nothing is listened for any more. */
  done(): void {
    if (this.#listener !== undefined) this.raw.signal.removeEventListener('abort', this.#listener)
  }

  /** The reader of the response gave up. */
  closed(): void {
    this.done()
    this.#listener?.()
  }
}

const JSON_INIT = { status: 200, headers: { 'content-type': 'application/json' } }
/** Bytes of a stream that may wait for its reader before we hold back. */
const AHEAD = 64 * 1024
const encoder = new TextEncoder()

function toResponse(reply: HttpReply, request: WebRequest): Response {
  if (reply.stream !== undefined) return new Response(toBody(reply.stream, request), init(reply))
  request.done()
  if (reply.status === 0) return nobodyReads()
  const usual = reply.headers === JSON_HEADERS && reply.status === 200
  return new Response(reply.body ?? null, usual ? JSON_INIT : init(reply))
}

/** Something has to be returned although the client is gone. */
function nobodyReads(): Response {
  return new Response(null, { status: 499 })
}

function init(reply: HttpReply): ResponseInit {
  const headers: [string, string][] = []
  for (let at = 0; at < reply.headers.length; at += 2) {
    headers.push([reply.headers[at] as string, reply.headers[at + 1] as string])
  }
  return { status: reply.status, headers }
}

function toBody(stream: EventStream, request: WebRequest): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if (text !== '') controller.enqueue(encoder.encode(text))
          return (controller.desiredSize ?? 0) > 0
        }
        stream.attach({
          write,
          end(text) {
            write(text)
            request.done()
            controller.close()
          },
          destroy() {
            request.done()
            controller.error(new Error('The request was cancelled'))
          },
        })
      },
      pull() {
        stream.drained()
      },
      cancel() {
        request.closed()
      },
    },
    { highWaterMark: AHEAD, size: (chunk) => chunk.byteLength },
  )
}
