import { isUtf8 } from 'node:buffer'
import { type Dispatcher, Pool } from 'undici'
import { errorText } from '../../errors/error-text.ts'
import { type HttpClient, type HttpLimits, type HttpSink, NOT_UTF8 } from './http-port.ts'

/**
 * HTTP for Node: undici's connection pool, driven by its raw handler. Half the processor time of `node:http`, and a fifth
 * of the global `fetch`, which wraps the same pool in web streams.
 */
export function httpClient(origin: string, limits: HttpLimits): HttpClient {
  // Time-outs are the client's, per request: a call may well wait longer than the pool's own.
  const pool = new Pool(origin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
  return {
    post(path, headers, body, sink) {
      const handler = new Handler(sink, limits)
      pool.dispatch({ path, method: 'POST', headers: headers as Record<string, string>, body }, handler)
      return handler.abort
    },
    close: () => pool.destroy(),
  }
}

class Handler implements Dispatcher.DispatchHandler {
  readonly #sink: HttpSink
  readonly #maxBytes: number
  #controller: Dispatcher.DispatchController | undefined
  #given: { readonly error: unknown } | undefined
  #over = false
  #first: Buffer | undefined
  #rest: Buffer[] | undefined
  #bytes = 0
  #decoder: TextDecoder | undefined

  constructor(sink: HttpSink, limits: HttpLimits) {
    this.#sink = sink
    this.#maxBytes = limits.maxBytes
  }

  readonly abort = (error: unknown): void => {
    if (this.#over) return
    this.#given = { error }
    this.#controller?.abort(error instanceof Error ? error : new Error(errorText(error)))
    this.#fail(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#given) controller.abort(new Error('The request was given up before it was sent'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    const mode = this.#sink.head(status, (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    })
    if (mode === 'pieces') this.#decoder = new TextDecoder('utf-8', { fatal: true })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return
    if (this.#decoder) {
      this.#piece(controller, this.#decoder, chunk)
      return
    }
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) {
      const error = new RangeError(`The reply is larger than ${this.#maxBytes} bytes`)
      controller.abort(error)
      this.#fail(error)
    } else if (this.#first === undefined) {
      this.#first = chunk
    } else {
      ;(this.#rest ??= [this.#first]).push(chunk)
    }
  }

  onResponseEnd(): void {
    if (this.#over) return
    if (this.#decoder === undefined) {
      const bytes = this.#rest ? Buffer.concat(this.#rest) : this.#first
      if (bytes !== undefined && !isUtf8(bytes)) return this.#fail(new RangeError(NOT_UTF8))
      this.#sink.text(bytes?.toString() ?? '')
    }
    this.#over = true
    this.#sink.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { readonly code?: string }): void {
    this.#fail(error, error.code === 'UND_ERR_INVALID_ARG')
  }

  #piece(controller: Dispatcher.DispatchController, decoder: TextDecoder, chunk: Buffer): void {
    let text: string
    try {
      text = decoder.decode(chunk, { stream: true })
    } catch {
      const error = new RangeError(NOT_UTF8)
      controller.abort(error)
      return this.#fail(error)
    }
    if (text !== '') this.#sink.text(text)
  }

  #fail(error: unknown, unsent = false): void {
    if (this.#over) return
    this.#over = true
    this.#sink.fail(error, unsent)
  }
}
