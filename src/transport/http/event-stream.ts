import { oneLine } from '../one-line.ts'
import { Outbox, type Sent } from '../outbox.ts'

/** Where an adapter lets a stream out: the response of one request. */
export interface StreamSink {
  /** `false`: taken, but the reader is behind; the adapter calls {@link EventStream.drained} when it caught up. */
  write(text: string): boolean
  /** The last text, and the end. */
  end(text: string): void
  /** Breaks off: nothing more may be sent. */
  destroy(): void
}

/** A comment: keeps proxies and clients from taking silence for death. */
const KEEP_ALIVE = ':\n\n'
/** Keep-alives that a reader may leave unread before it counts as gone. */
const STALLED_AFTER = 4

/**
 * Server-sent events of one request: notifications, then the response (rule H6). What is sent before an adapter has
 * attached its sink is held.
 */
export class EventStream {
  readonly #owner: object
  readonly #outbox: Outbox
  #sink: StreamSink | undefined
  /** What is left to do once there is a sink. */
  #ending: { readonly text: string | undefined } | undefined
  #stalled = 0

  /**
   * @param owner the request
   * @param limit held text before log messages are dropped, in UTF-16 code units
   * @param frame makes an event of a message
   */
  constructor(owner: object, limit?: number, frame: (message: string) => string = toEvent) {
    this.#owner = owner
    this.#outbox = new Outbox(frame, (text) => this.#sink?.write(text) ?? false, { open: false, limit })
  }

  /** Where its messages go. */
  get outbox(): Outbox {
    return this.#outbox
  }

  /** The head is out: from here on `sink` takes the texts. */
  attach(sink: StreamSink): void {
    this.#sink = sink
    if (this.#ending === undefined) this.#outbox.drained()
    else this.#end(this.#ending.text)
  }

  notify(message: string): Sent {
    return this.#ending === undefined ? this.#outbox.notify(message, this.#owner) : 'dropped'
  }

  /** Sends the response, and ends. `undefined`: there may be none, the stream breaks off. */
  finish(message: string | undefined): void {
    if (this.#ending !== undefined) return
    const text = message === undefined ? undefined : this.#outbox.last(message)
    this.#ending = { text }
    if (this.#sink !== undefined) this.#end(text)
  }

  /** Ends as it should, with nothing more. */
  close(): void {
    if (this.#ending !== undefined) return
    const text = this.#outbox.last(undefined)
    this.#ending = { text }
    if (this.#sink !== undefined) this.#end(text)
  }

  /** The reader caught up. */
  drained(): void {
    this.#stalled = 0
    if (this.#ending === undefined) this.#outbox.drained()
  }

  /** Sends a comment. `false`: the reader has not read for so long that it counts as gone. */
  keepAlive(): boolean {
    if (this.#ending !== undefined || this.#sink === undefined) return true
    if (this.#outbox.behind) return ++this.#stalled < STALLED_AFTER
    this.#outbox.raw(KEEP_ALIVE)
    return true
  }

  /** Log messages dropped for a reader who was behind, since this was last asked. */
  takeDropped(): number {
    return this.#outbox.takeDropped()
  }

  #end(text: string | undefined): void {
    if (text === undefined) this.#sink?.destroy()
    else this.#sink?.end(text)
  }
}

function toEvent(message: string): string {
  return `data: ${oneLine(message)}\n\n`
}
