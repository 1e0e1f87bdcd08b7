import { encodeNotification } from '../jsonrpc/encode.ts'
import { METHODS } from '../protocol/methods.ts'

/** How a text gets out. `false`: taken, but the reader is behind; nothing more until {@link Outbox.drained}. */
export type Write = (text: string) => boolean

/** What became of a message. */
export type Sent = 'written' | 'held' | 'dropped' | 'overflow'

/** Held text per outbox, in UTF-16 code units, before log messages are dropped and events overflow. */
export const HELD_LIMIT = 1024 * 1024

/** Texts start so: `encodeNotification` writes the method first. */
const PROGRESS = encodeNotification(METHODS.progress).slice(0, -1)
const MESSAGE = encodeNotification(METHODS.message).slice(0, -1)

interface Held {
  readonly owner: object
  readonly progress: boolean
  text: string
}

/**
 * Messages on their way to one reader who may be slower than we are. While the reader is behind,
 *
 * - progress is merged: of each owner's progress that is held only the newest is kept;
 * - log messages (`notifications/message`) are held up to a limit, then dropped and counted;
 * - any other notification is held up to the same limit, then reported as `overflow`: the caller must end the stream,
 *   since a reader who missed an event could not know;
 * - replies are always held: there is one per request.
 */
export class Outbox {
  readonly #frame: (message: string) => string
  readonly #write: Write
  readonly #limit: number
  #held: Held[] = []
  #size = 0
  #behind: boolean
  #opened: boolean
  #dropped = 0

  /** @param open `false`: hold everything until the first {@link drained}. */
  constructor(
    frame: (message: string) => string,
    write: Write,
    options: { limit?: number | undefined; open?: boolean } = {},
  ) {
    this.#frame = frame
    this.#write = write
    this.#limit = options.limit ?? HELD_LIMIT
    this.#opened = options.open !== false
    this.#behind = !this.#opened
  }

  /** Whether the reader has yet to catch up. */
  get behind(): boolean {
    return this.#behind
  }

  /** Whether what is held has reached the limit: time to take nothing more in. */
  get full(): boolean {
    return this.#size >= this.#limit
  }

  /** Log messages dropped since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }

  /** Sends one notification. `owner` is the request it belongs to. */
  notify(message: string, owner: object): Sent {
    if (!this.#behind) return this.#now(message)
    const progress = message.startsWith(PROGRESS)
    if (progress && this.#opened && this.#replaced(message, owner)) return 'held'
    if (this.#size + message.length > this.#limit) {
      if (!progress && !message.startsWith(MESSAGE)) return 'overflow'
      this.#dropped++
      return 'dropped'
    }
    return this.#hold(message, owner, progress)
  }

  /** Sends a reply. */
  reply(message: string, owner: object): Sent {
    return this.#behind ? this.#hold(message, owner, false) : this.#now(message)
  }

  /** Takes back what is held for `owner`, who was cancelled. */
  drop(owner: object): void {
    this.#held = this.#held.filter((held) => {
      if (held.owner !== owner) return true
      this.#size -= held.text.length
      return false
    })
  }

  /** The reader caught up: writes what is held, until it falls behind again. */
  drained(): void {
    this.#opened = true
    this.#behind = false
    let written = 0
    while (written < this.#held.length && !this.#behind) {
      const { text } = this.#held[written++] as Held
      this.#size -= text.length
      this.#now(text)
    }
    this.#held.splice(0, written)
  }

  /** What is held and then `message`, if there is one, framed, as one text: for the write that ends a stream. */
  last(message: string | undefined): string {
    const text = this.#held.map((held) => this.#frame(held.text)).join('')
    this.#held = []
    this.#size = 0
    return message === undefined ? text : text + this.#frame(message)
  }

  /** Writes a text that is no message, unframed. Only while the reader is not behind. */
  raw(text: string): void {
    if (!this.#write(text)) this.#behind = true
  }

  #now(message: string): Sent {
    if (!this.#write(this.#frame(message))) this.#behind = true
    return 'written'
  }

  #hold(text: string, owner: object, progress: boolean): Sent {
    this.#held.push({ owner, progress, text })
    this.#size += text.length
    return 'held'
  }

  #replaced(message: string, owner: object): boolean {
    const before = this.#held.find((held) => held.progress && held.owner === owner)
    if (before === undefined) return false
    this.#size += message.length - before.text.length
    before.text = message
    return true
  }
}
