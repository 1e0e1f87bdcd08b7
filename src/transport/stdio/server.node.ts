import type { Readable, Writable } from 'node:stream'
import { WireError } from '../../errors/wire-error.ts'
import { host, type Timer } from '../../replay/host.ts'
import { encodeError } from '../../jsonrpc/encode.ts'
import type { AuthInfo } from '../../server/exchange.ts'
import type { Logger } from '../../server/log.ts'
import { Connection } from '../connection.ts'
import { oneLine } from '../one-line.ts'
import { Outbox } from '../outbox.ts'
import { logOf, type Receiver, type TransportLog } from '../receiver.ts'
import { ByteLines } from './byte-lines.node.ts'

/** How a byte stream is served. */
export interface LineServerOptions {
  /** Longest line in bytes; 4 MiB by default. */
  readonly maxLineBytes?: number | undefined
  /** Milliseconds that running calls may go on once the input has ended; 1500 by default. */
  readonly grace?: number | undefined
  /** Text held for a client that reads too slowly, in UTF-16 code units; 1 Mi by default. */
  readonly heldLimit?: number | undefined
  /** Who is calling; `''` by default. */
  readonly principal?: string | undefined
  readonly auth?: AuthInfo | undefined
  /** Receives what an operator should know; the server's own log by default. */
  readonly log?: TransportLog | undefined
}

/** The way out: a stream, or standard output behind its guard. */
export interface LineOutput {
  write(text: string, done?: (error?: Error | null) => void): boolean
}

const MAX_LINE_BYTES = 4 * 1024 * 1024
const GRACE = 1500

/**
 * Serves one client over a pair of byte streams, one message a line (rule HS1): standard streams, a socket, a pipe.
 */
export class LineServer {
  readonly #input: Readable
  readonly #stream: Writable
  readonly #output: LineOutput
  readonly #grace: number
  readonly #log: Logger
  readonly #outbox: Outbox
  readonly #connection: Connection
  readonly #lines: ByteLines
  #ending: Promise<void> | undefined
  #wake: (() => void) | undefined
  #broken = false
  readonly #finished: Promise<void>
  #finish: () => void = () => undefined

  /** @param output where messages are written, when not to `stream` itself. */
  constructor(receiver: Receiver, input: Readable, stream: Writable, options: LineServerOptions, output?: LineOutput) {
    const maxLine = options.maxLineBytes ?? MAX_LINE_BYTES
    this.#input = input
    this.#stream = stream
    this.#output = output ?? stream
    this.#grace = options.grace ?? GRACE
    this.#log = logOf(receiver, options.log)
    this.#outbox = new Outbox(toLine, (text) => this.#output.write(text), { limit: options.heldLimit })
    this.#connection = new Connection(receiver, this.#outbox, { ...options, log: this.#log })
    this.#lines = new ByteLines(maxLine, {
      line: (text) => this.#connection.receive(text),
      tooLong: () => this.#refuse('INVALID_REQUEST', `Invalid request: the line is longer than ${maxLine} bytes`),
      notUtf8: () => this.#refuse('PARSE_ERROR', 'Parse error: the line is not UTF-8'),
    })
    this.#finished = new Promise((resolve) => (this.#finish = resolve))
    input.on('data', this.#onData)
    input.on('end', this.#onEnd)
    input.on('close', this.#onEnd)
    input.on('error', this.#onEnd)
    stream.on('drain', this.#onDrain)
    stream.on('error', this.#onBroken)
    stream.on('close', this.#onBroken)
    // Streams that were over before say so no more.
    if (stream.destroyed) queueMicrotask(this.#onBroken)
    else if (input.destroyed || input.readableEnded) queueMicrotask(this.#onEnd)
  }

  /** Resolves when the last call has ended, its reply is written, and no listener is left. */
  get closed(): Promise<void> {
    return this.#finished
  }

  /** Reads no further, lets running calls finish within the grace period, and cancels the rest. */
  close(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#lines.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    if (this.#outbox.full) this.#input.pause()
  }

  readonly #onDrain = (): void => {
    this.#outbox.drained()
    this.#wake?.()
    if (!this.#outbox.full && this.#ending === undefined) this.#input.resume()
  }

  readonly #onEnd = (): void => {
    if (this.#ending === undefined) this.#lines.end()
    void this.close()
  }

  /** The client is gone: nobody will read what running calls come to. */
  readonly #onBroken = (): void => {
    this.#broken = true
    this.#connection.cancelAll('The client went away')
    this.#wake?.()
    void this.close()
  }

  async #end(): Promise<void> {
    this.#input.off('data', this.#onData)
    this.#input.pause()
    this.#connection.endListening('The server is closing')
    let timer: Timer
    const late = new Promise<void>((resolve) => (timer = host.setTimer(resolve, this.#grace)))
    await Promise.race([this.#drained(), late])
    host.clearTimer(timer)
    this.#connection.cancelAll('The client closed its input')
    // Errors are still listened to: one that comes late must not end the process.
    this.#input.off('end', this.#onEnd).off('close', this.#onEnd)
    this.#stream.off('drain', this.#onDrain).off('close', this.#onBroken)
    this.#finish()
  }

  /** Every call answered, and every answer taken by the operating system. */
  async #drained(): Promise<void> {
    await this.#connection.idle()
    while (this.#outbox.behind && !this.#broken) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (!this.#broken) await new Promise<void>((resolve) => this.#output.write('', () => resolve()))
  }

  #refuse(code: 'INVALID_REQUEST' | 'PARSE_ERROR', message: string): void {
    this.#log.write({ level: 'warn', code: 'stdio-refused', message })
    this.#outbox.reply(encodeError(undefined, new WireError(code, message).toJSON()), this)
  }
}

function toLine(message: string): string {
  return `${oneLine(message)}\n`
}
