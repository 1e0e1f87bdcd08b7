import { type IncomingMessage, ServerResponse } from 'node:http'
import { checkOptions } from '../../errors/option-check.ts'
import { checkReceiver, type Receiver } from '../receiver.ts'
import { type BodyTaker, readBody, wasteBody } from './body.node.ts'
import type { EventStream, StreamSink } from './event-stream.ts'
import { HttpHandler, type HttpOptions } from './handler.ts'
import type { HttpDoor } from './http-door.ts'
import { HTTP_OPTIONS } from './http-options.ts'
import { type Caller, HttpReply, type ReplyTaker } from './http-message.ts'
import { NodeRequest } from './node-request.node.ts'
import { watchReader } from './unread-replies.node.ts'

/** Takes a request that `node:http`, or a framework on top of it, has received. */
export interface NodeHandler {
  /**
   * @param next called instead of answering 404, when `path` is set and the request is for another one.
   * @param body what a framework parsed already; `request.body` is found without it.
   */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void, body?: unknown): void
}

/**
 * Serves MCP inside an application that has a `node:http` server already: `app.use('/mcp', nodeHandler(server))`.
 *
 * @throws RondoError `CONFIG_INVALID` for an option there is none of, or that cannot be used.
 */
export function nodeHandler(receiver: Receiver, options: HttpOptions<IncomingMessage> = {}): NodeHandler {
  checkReceiver(receiver, 'nodeHandler()')
  checkOptions(options, HTTP_OPTIONS, 'nodeHandler()')
  return handlerOf(new HttpHandler(receiver, options))
}

/** What hands requests to a door. */
export function handlerOf(handler: HttpDoor<IncomingMessage>): NodeHandler {
  // Three parameters: Express and Connect take a function of four for an error handler, and give it no request.
  return (request, response, next, ...[body]: [body?: unknown]) => {
    if (next !== undefined && !handler.serves(request.url ?? '')) next()
    else serveNode(handler, request, response, body === undefined ? AS_USUAL : { body })
  }
}

/** What {@link serveNode} is told beside the request. */
export interface ServeOptions {
  readonly body?: unknown
  /** The client waits for leave to send its body (`Expect: 100-continue`). */
  readonly expects?: boolean
}

const AS_USUAL: ServeOptions = {}

/** Carries one request to the handler and its reply back (rule H1). */
export function serveNode(
  handler: HttpDoor<IncomingMessage>,
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions = AS_USUAL,
): void {
  const service = new Service(handler, request, response, options)
  const admitted = handler.admit(service.request)
  if (admitted instanceof Promise) void admitted.then((late) => service.admitted(late))
  else service.admitted(admitted)
}

class Service implements BodyTaker, ReplyTaker {
  readonly request: NodeRequest
  readonly maxBodyBytes: number
  readonly #handler: HttpDoor<IncomingMessage>
  readonly #response: ServerResponse
  readonly #options: ServeOptions
  #caller: Caller | undefined

  constructor(
    handler: HttpDoor<IncomingMessage>,
    request: IncomingMessage,
    response: ServerResponse,
    options: ServeOptions,
  ) {
    this.request = new NodeRequest(request, response)
    this.maxBodyBytes = handler.maxBodyBytes
    this.#handler = handler
    this.#response = response
    this.#options = options
  }

  admitted(admitted: Caller | HttpReply): void {
    const { raw } = this.request
    if (admitted instanceof HttpReply) {
      if (this.#options.expects !== true) wasteBody(raw, this.maxBodyBytes)
      return this.#send(admitted)
    }
    this.#caller = admitted
    const parsed = this.#options.body ?? (raw as { body?: unknown }).body
    if (parsed !== undefined && (raw.readableEnded || this.#options.body !== undefined))
      return this.#answer(textOf(parsed))
    if (raw.readableEnded) return this.#answer('')
    if (this.#options.expects === true) this.#response.writeContinue()
    readBody(raw, this)
  }

  body(text: string): void {
    // What was pipelined on a connection may be read after its end.
    if (!this.request.raw.socket.destroyed) this.#answer(text)
  }

  tooLarge(): void {
    this.#send(this.#handler.tooLarge(this.request))
  }

  notUtf8(): void {
    this.#send(this.#handler.notUtf8(this.request))
  }

  later(reply: HttpReply): void {
    this.#send(reply)
  }

  #answer(body: unknown): void {
    const reply = this.#handler.answer(this.request, this.#caller as Caller, body, this)
    if (reply !== undefined) this.#send(reply)
  }

  #send(reply: HttpReply): void {
    try {
      this.#write(reply)
    } catch (error) {
      this.#handler.failed(error)
      this.#response.destroy()
    }
  }

  #write(reply: HttpReply): void {
    const response = this.#response
    if (reply.status === 0 || response.destroyed || response.headersSent) {
      reply.stream?.finish(undefined)
      response.destroy()
      return
    }
    const { status, headers, body, stream } = reply
    const head = this.#handler.closing ? [...headers, 'connection', 'close'] : headers
    if (stream !== undefined) {
      writeHead(response, status, head)
      attach(stream, response, (text) => this.#watch(Buffer.byteLength(text)))
    } else if (body !== undefined) {
      const bytes = Buffer.byteLength(body)
      writeHead(response, status, head.concat('content-length', String(bytes)))
      // As many bytes as characters is ASCII, which Latin-1 writes the same and faster.
      endWith(response, body, bytes === body.length ? 'latin1' : 'utf8')
      this.#watch(bytes)
    } else {
      // 204 has no length; everything else without a body says so.
      writeHead(response, status, status === 204 ? head : head.concat('content-length', '0'))
      response.end()
      this.#watch(0)
    }
  }

  #watch(bytes: number): void {
    watchReader(this.#response, bytes, this.#handler.patience, () => {
      this.#handler.unread()
      // Not the response: one whose turn has not come would only be destroyed then.
      this.request.raw.socket.destroy()
    })
  }
}

/** Status and headers; one by one where something stands in front of `writeHead`: much middleware reads no flat list. */
function writeHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  if (response.writeHead === ServerResponse.prototype.writeHead) {
    response.writeHead(status, headers as string[])
    return
  }
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] as string, headers[at + 1] as string)
  response.writeHead(status)
}

/**
 * `response.end(body)`, in a single write: `end` alone hands the socket a second, empty one for its callback, and the two
 * then go by `writev`, which costs 4 % of a small request.
 */
function endWith(response: ServerResponse, body: string, encoding: BufferEncoding): void {
  const { socket } = response
  // None while an earlier reply of the same connection is still to be sent.
  if (socket === null) return void response.end(body, encoding)
  socket.cork()
  response.write(body, encoding)
  socket.uncork()
  response.end()
}

/** @param ended is told the last text, once it is written */
function attach(stream: EventStream, response: ServerResponse, ended: (text: string) => void): void {
  let silent = true
  const sink: StreamSink = {
    write(text) {
      silent = false
      return response.write(text)
    },
    end(text) {
      silent = false
      response.end(text)
      ended(text)
    },
    destroy: () => void response.destroy(),
  }
  response.on('drain', () => stream.drained())
  stream.attach(sink)
  // The head goes out with the first text, and must not wait for it.
  if (silent) response.flushHeaders()
}

/** Raw and text body parsers give bytes and text. */
function textOf(parsed: unknown): unknown {
  return parsed instanceof Uint8Array
    ? Buffer.from(parsed.buffer, parsed.byteOffset, parsed.byteLength).toString()
    : parsed
}
