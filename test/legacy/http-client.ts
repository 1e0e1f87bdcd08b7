import { send, type Received } from '../support/http.ts'
import { initialize, type Message } from './line-client.ts'

/** An event of a stream, as it came. */
export interface ServerEvent {
  readonly id: string | undefined
  readonly retry: string | undefined
  readonly data: Message | undefined
}

const OWN = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** The bare wire of an old client over HTTP. */
export class HttpClient {
  readonly url: string
  readonly session: string
  readonly revision: string

  constructor(url: string, session: string, revision: string) {
    this.url = url
    this.session = session
    this.revision = revision
  }

  /** A client that has been let in. */
  static async connect(
    url: string,
    revision = '2025-11-25',
    capabilities: object = {},
    headers: Record<string, string> = {},
  ): Promise<HttpClient> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...OWN, ...headers },
      body: JSON.stringify(initialize(revision, capabilities)),
    })
    const id = response.headers.get('mcp-session-id')
    if (id === null) throw new Error(`no session: ${response.status} ${await response.text()}`)
    await response.text()
    const client = new HttpClient(url, id, revision)
    await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
    return client
  }

  headers(more: Record<string, string> = {}): Record<string, string> {
    return { ...OWN, 'mcp-session-id': this.session, 'mcp-protocol-version': this.revision, ...more }
  }

  /** Sends and reads the whole reply. */
  post(message: unknown, more: Record<string, string> = {}): Promise<Received> {
    return send(this.url, { body: JSON.stringify(message), headers: this.headers(more) })
  }

  /** Sends a request, and gives its reply as a stream of events. */
  async stream(message: unknown, more: Record<string, string> = {}): Promise<EventReader> {
    const gone = new AbortController()
    const response = await fetch(this.url, {
      method: 'POST',
      headers: this.headers(more),
      body: JSON.stringify(message),
      signal: gone.signal,
    })
    return new EventReader(response, gone)
  }

  async get(more: Record<string, string> = {}): Promise<EventReader> {
    const gone = new AbortController()
    const { 'content-type': _none, ...headers } = this.headers({ accept: 'text/event-stream', ...more })
    const response = await fetch(this.url, { headers, signal: gone.signal })
    return new EventReader(response, gone)
  }

  delete(more: Record<string, string> = {}): Promise<Received> {
    return send(this.url, { method: 'DELETE', headers: this.headers(more) })
  }
}

/** Events of one connection. */
export class EventReader {
  readonly status: number
  readonly type: string | null
  readonly #reader: ReadableStreamDefaultReader<string> | undefined
  readonly #gone: AbortController
  #text = ''

  constructor(response: Response, gone: AbortController) {
    this.status = response.status
    this.type = response.headers.get('content-type')
    this.#gone = gone
    this.#reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next event; `undefined` at the end. */
  async next(): Promise<ServerEvent | undefined> {
    let end = this.#text.indexOf('\n\n')
    while (end === -1) {
      const read = await this.#reader?.read()
      if (read === undefined || read.done) return undefined
      this.#text += read.value
      end = this.#text.indexOf('\n\n')
    }
    const fields = this.#text.slice(0, end).split('\n')
    this.#text = this.#text.slice(end + 2)
    const of = (name: string) => fields.find((field) => field.startsWith(`${name}: `))?.slice(name.length + 2)
    const data = of('data')
    const message = data === undefined || data === '' ? undefined : (JSON.parse(data) as Message)
    return fields[0] === ':' ? this.next() : { id: of('id'), retry: of('retry'), data: message }
  }

  /** The next event that has a message. */
  async message(): Promise<ServerEvent & { readonly data: Message }> {
    const event = await this.next()
    if (event === undefined) throw new Error('the stream ended')
    return event.data === undefined ? this.message() : (event as ServerEvent & { data: Message })
  }

  /** The connection breaks. */
  drop(): void {
    this.#gone.abort()
  }
}
