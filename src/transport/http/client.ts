import { type OutgoingRequest, type Received, type RequestOptions, type Transport } from '../../client/transport.ts'
import { ABOVE_ZERO, checkOptions, type OptionKinds } from '../../errors/option-check.ts'
import { RondoError } from '../../errors/rondo-error.ts'
import { HttpExchange } from './client-exchange.ts'
import { isLoopbackName } from './origin.ts'
import { type HttpClient, type HttpLimits } from './http-port.ts'

/** Options of {@link httpTransport}. */
export interface HttpTransportOptions {
  /** Bytes that a reply in one piece, or one event of a stream, may have; 64 MiB. */
  readonly maxResponseBytes?: number | undefined
}

/** What each of {@link HttpTransportOptions} may be. */
export const HTTP_TRANSPORT_OPTIONS: OptionKinds<HttpTransportOptions> = { maxResponseBytes: ABOVE_ZERO }

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** Sent with every request. The two media types are required (basic/transports/streamable-http, "Sending Messages"). */
const CONSTANT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } as const

/**
 * Reaches a server over Streamable HTTP: each request is a POST of its own.
 *
 * @throws RondoError `CONFIG_INVALID` when `url` is not an http or https URL, or an option is none
 */
export function httpTransport(url: string | URL, options: HttpTransportOptions = {}): Transport {
  checkOptions(options, HTTP_TRANSPORT_OPTIONS, 'httpTransport()')
  return new HttpTransport(url, { maxBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES })
}

class HttpTransport implements Transport {
  readonly kind = 'http'
  readonly address: string
  readonly #origin: string
  readonly #path: string
  readonly #constant: Readonly<Record<string, string>>
  readonly #limits: HttpLimits
  #client: HttpClient | Promise<HttpClient> | undefined
  #closed = false

  constructor(url: string | URL, limits: HttpLimits) {
    const parsed = readUrl(url)
    this.#origin = parsed.origin
    this.#path = parsed.pathname + parsed.search
    // What people may see: neither credentials nor a query, which may hold some.
    this.address = parsed.origin + parsed.pathname
    this.#constant = parsed.username === '' ? CONSTANT : { ...CONSTANT, authorization: basic(parsed) }
    this.#limits = limits
  }

  async request(request: OutgoingRequest, options: RequestOptions): Promise<Received> {
    if (this.#closed) throw new RondoError('TRANSPORT_CLOSED', `The client of ${this.address} was closed`)
    let client = this.#client
    if (client === undefined || client instanceof Promise) client = await this.#open()
    const headers = { ...this.#constant, ...options.headers }
    const path = this.#path
    return new Promise((resolve, reject) => {
      const exchange = new HttpExchange(
        this.address,
        request,
        options,
        this.#limits,
        () => this.#closed,
        resolve,
        reject,
      )
      exchange.send(client, path, headers)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const client = await this.#client
    await client?.close()
  }

  /** Connections are made on first use: a client that is only made costs nothing. */
  async #open(): Promise<HttpClient> {
    this.#client ??= import('#http').then(({ httpClient }) => httpClient(this.#origin, this.#limits))
    return (this.#client = await this.#client)
  }
}

function readUrl(url: string | URL): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed
  throw new RondoError(
    'CONFIG_INVALID',
    `${JSON.stringify(String(url))} is not an http or https URL of an MCP server.${meant(String(url))}`,
  )
}

/** What somebody most likely meant who left the scheme out. */
function meant(given: string): string {
  if (/^[^:]*\.([cm]?[jt]s|py)$/.test(given)) return ' A program is reached by command(), of rondo/stdio.'
  if (!/^(\[[\da-f:.]+\]|[a-z\d.-]+)(:\d+)?(\/\S*)?$/i.test(given) || !URL.canParse(`http://${given}`)) return ''
  const { hostname, port } = new URL(`http://${given}`)
  if (!hostname.includes('.') && hostname !== 'localhost' && port === '') return ''
  const scheme = port !== '' || isLoopbackName(hostname) ? 'http' : 'https'
  return ` Did you mean ${scheme}://${given}?`
}

function basic(url: URL): string {
  const bytes = new TextEncoder().encode(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}
