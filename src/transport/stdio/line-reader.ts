/**
 * Cuts a byte stream into lines of UTF-8, however the chunks fall: a character or a `\r\n` may be split over two, and one
 * chunk may hold many lines. Empty lines are passed over.
 */
export class LineReader {
  readonly #maxLine: number
  readonly #onLine: (line: string) => void
  readonly #decoder = new TextDecoder()
  /** Pieces of the line that has not ended yet, joined once it does. */
  #pieces: string[] = []
  #length = 0

  constructor(maxLine: number, onLine: (line: string) => void) {
    this.#maxLine = maxLine
    this.#onLine = onLine
  }

  /** @returns `false` when the line under way is longer than the limit; what was read of it is dropped. */
  feed(chunk: Uint8Array): boolean {
    const text = this.#decoder.decode(chunk, { stream: true })
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (!this.#add(text.slice(start, end))) return false
      this.#give()
      start = end + 1
    }
    return this.#add(text.slice(start))
  }

  /** The stream ended: a last line without a line feed counts. */
  end(): void {
    if (this.#add(this.#decoder.decode())) this.#give()
  }

  #add(piece: string): boolean {
    this.#length += piece.length
    if (this.#length > this.#maxLine) {
      this.#pieces = []
      this.#length = 0
      return false
    }
    if (piece !== '') this.#pieces.push(piece)
    return true
  }

  #give(): void {
    const line = this.#pieces.length === 1 ? (this.#pieces[0] as string) : this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    const trimmed = line.endsWith('\r') ? line.slice(0, -1) : line
    if (trimmed !== '') this.#onLine(trimmed)
  }
}
