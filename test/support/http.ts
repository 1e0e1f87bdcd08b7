import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Exchange, Reply } from 'rondo'
import type { Clock } from '../../src/transport/http/waiting-calls.ts'

/** Headers of a modern `tools/list` as the specification wants them. */
export const MODERN = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
} as const

/** A whole reply. */
export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Sending {
  readonly method?: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Sends one HTTP request over a connection of its own, and reads the reply to its end. */
export async function send(url: string, sending: Sending = {}): Promise<Received> {
  const response = await begin(url, sending).response
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }
}

/** The same, stopping at the head of the reply: `response` rejects when there is none. */
export function begin(url: string, sending: Sending = {}): { sent: ClientRequest; response: Promise<IncomingMessage> } {
  const { method = 'POST', body, headers = {} } = sending
  const all = { ...(method === 'POST' ? MODERN : {}), ...headers }
  const kept = Object.entries(all).filter(([, value]) => value !== undefined) as [string, string][]
  const sent = request(url, { method, headers: Object.fromEntries(kept), agent: false })
  const response = once(sent, 'response').then(([message]) => message as IncomingMessage)
  // Whoever does not wait for it need not hear that it failed.
  response.catch(() => undefined)
  sent.on('error', () => undefined)
  if (body !== undefined || announcesNone(headers)) sent.end(body)
  else sent.flushHeaders()
  return { sent, response }
}

/** A body that was announced is the test's to write. */
function announcesNone(headers: NonNullable<Sending['headers']>): boolean {
  return headers['content-length'] === undefined
}

/** Reads an event stream piece by piece: data of events, and `:` for comments. */
export class Events {
  readonly #iterator: AsyncIterator<Uint8Array>
  #text = ''

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]()
  }

  /** The next event's data, parsed; `':'` for a comment; `undefined` at the end. */
  async next(): Promise<unknown> {
    let end = this.#text.indexOf('\n\n')
    while (end === -1) {
      const { done, value } = await this.#iterator.next()
      if (done === true) return undefined
      this.#text += Buffer.from(value).toString()
      end = this.#text.indexOf('\n\n')
    }
    const event = this.#text.slice(0, end)
    this.#text = this.#text.slice(end + 2)
    return event.startsWith('data: ') ? (JSON.parse(event.slice(6)) as unknown) : event
  }
}

/** Writes bytes to a port as they are, and gives everything that comes back until the connection closes. */
export async function sendBytes(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port)
  for (const piece of pieces) socket.write(piece)
  return readToEnd(socket)
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

export async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve))
  return text
}

/** Counts seconds by hand. */
export class HandClock implements Clock {
  readonly #ticks = new Set<() => void>()

  everySecond(tick: () => void): () => void {
    this.#ticks.add(tick)
    return () => this.#ticks.delete(tick)
  }

  get running(): number {
    return this.#ticks.size
  }

  pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) for (const tick of [...this.#ticks]) tick()
  }
}

/** A call the fake server was handed, to be answered by the test. */
export class Held {
  readonly exchange: Exchange
  readonly message: unknown
  readonly reply: Promise<Reply>
  readonly cancelled: Promise<string | undefined>
  answer: (body: string | undefined, status?: number) => void = () => undefined
  fail: (error: unknown) => void = () => undefined

  constructor(message: unknown, exchange: Exchange) {
    this.message = message
    this.exchange = exchange
    this.reply = new Promise((resolve, reject) => {
      this.answer = (body, status = 200) => resolve({ status, body })
      this.fail = reject
    })
    this.cancelled = new Promise((resolve) => exchange.onCancel?.((reason) => resolve(reason)))
  }
}

/** A server whose calls wait for the test: `next()` gives them as they come. */
export class HeldServer {
  readonly #come: Held[] = []
  readonly #wanted: ((held: Held) => void)[] = []
  calls = 0

  handle(message: unknown, exchange: Exchange): Promise<Reply> {
    this.calls++
    const held = new Held(message, exchange)
    const wanted = this.#wanted.shift()
    if (wanted === undefined) this.#come.push(held)
    else wanted(held)
    return held.reply
  }

  next(): Promise<Held> {
    const come = this.#come.shift()
    return come === undefined ? new Promise((resolve) => this.#wanted.push(resolve)) : Promise.resolve(come)
  }
}
