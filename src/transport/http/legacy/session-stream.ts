import { EventStream } from '../event-stream.ts'
import { oneLine } from '../../one-line.ts'
import type { EventLog } from './event-log.ts'

/** What the streams of a session have in common. */
export interface StreamSettings {
  readonly log: EventLog
  /** Whether the client knows an event without data, by which it can come back before the first message (2025-11-25). */
  readonly primes: boolean
  /** Text held for a slow reader, in UTF-16 code units. */
  readonly heldLimit: number | undefined
}

/** Milliseconds after which a client is to come back when its connection ended before the stream did. */
const RETRY = 1000

/**
 * One stream of a session, over as many connections as its client needs for it: each message is an event with an id, and
 * who comes back with the last id it saw is sent what came after it (basic/transports, "Resumability and Redelivery").
 */
export class SessionStream {
  readonly number: number
  readonly #settings: StreamSettings
  #place = 0
  #out: EventStream | undefined
  #ended = false
  /** Seconds of the connection at hand. */
  #age = 0

  constructor(number: number, settings: StreamSettings) {
    this.number = number
    this.#settings = settings
  }

  /** Whether somebody reads it at the moment. */
  get connected(): boolean {
    return this.#out !== undefined
  }

  /** What goes out on the stream's first connection. */
  connect(): EventStream {
    const out = this.#open()
    if (this.#settings.primes) out.notify(`id: ${this.number}.0\nretry: ${RETRY}\ndata: \n\n`)
    return out
  }

  /** What goes out on a later one, from behind an event on; the connection before ends. */
  resume(place: number): EventStream {
    this.leave()
    const out = this.#open()
    const missed = this.#settings.log.after(this.number, place)
    if (missed !== '') out.notify(missed)
    return out
  }

  send(message: string): void {
    if (this.#ended) return
    const event = this.#event(message)
    // Who does not keep up may come back for it.
    if (this.#out?.notify(event) === 'overflow') this.breakOff()
  }

  /** Sends the last message, if there is one, and ends. */
  finish(message: string | undefined): void {
    if (this.#ended) return
    // Made also when nobody reads it: its client may come back for it.
    const event = message === undefined ? undefined : this.#event(message)
    if (event === undefined) this.#out?.close()
    else this.#out?.finish(event)
    this.#ended = true
    this.#out = undefined
  }

  /** Ends the connection, not the stream: the client is to come back. */
  leave(): void {
    this.#out?.close()
    this.#out = undefined
  }

  /** A connection is gone. */
  lost(out: EventStream): void {
    if (this.#out === out) this.#out = undefined
  }

  breakOff(): void {
    this.#out?.finish(undefined)
    this.#out = undefined
  }

  keepAlive(): void {
    if (this.#out?.keepAlive() === false) this.breakOff()
  }

  /** A second went by; a connection that has lasted longer than `pollAfter` ends, for its client to come back. */
  tick(pollAfter: number): void {
    if (this.#out !== undefined && ++this.#age > pollAfter) this.leave()
  }

  #open(): EventStream {
    this.#age = 0
    return (this.#out = new EventStream(this, this.#settings.heldLimit, asItIs))
  }

  #event(message: string): string {
    const place = ++this.#place
    const event = `id: ${this.number}.${place}\ndata: ${oneLine(message)}\n\n`
    this.#settings.log.add(this.number, place, event)
    return event
  }
}

function asItIs(event: string): string {
  return event
}
