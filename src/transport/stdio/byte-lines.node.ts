import { isUtf8 } from 'node:buffer'

/** Told what the lines of a stream are. */
export interface LineTaker {
  line(text: string): void
  /** A line was longer than the limit; the rest of it is passed over. */
  tooLong(): void
  /** A line was not UTF-8. */
  notUtf8(): void
}

const LF = 0x0a
const CR = 0x0d

/**
 * Cuts a stream of bytes into lines, wherever its chunks break. Empty lines are passed over. A line that cannot be taken
 * does not harm the next one.
 */
export class ByteLines {
  readonly #maxBytes: number
  readonly #taker: LineTaker
  #pieces: Buffer[] = []
  #size = 0
  #skipping = false
  #first = true

  constructor(maxBytes: number, taker: LineTaker) {
    this.#maxBytes = maxBytes
    this.#taker = taker
  }

  feed(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#add(chunk.subarray(start, end))
      this.#give()
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
  }

  /** The stream ended: a last line without its line feed counts. */
  end(): void {
    this.#give()
  }

  #add(piece: Buffer): void {
    if (this.#skipping) return
    this.#size += piece.length
    if (this.#size <= this.#maxBytes) {
      this.#pieces.push(piece)
      return
    }
    this.#skipping = true
    this.#pieces = []
    this.#taker.tooLong()
  }

  #give(): void {
    const skipped = this.#skipping
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    this.#skipping = false
    const first = this.#first
    this.#first = false
    const line = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes
    if (skipped || line.length === 0) return
    if (!isUtf8(line)) return this.#taker.notUtf8()
    const text = line.toString()
    // Some shells and runtimes begin a stream of UTF-8 with a byte order mark.
    const whole = first && text.startsWith('\ufeff') ? text.slice(1) : text
    if (whole !== '') this.#taker.line(whole)
  }
}
