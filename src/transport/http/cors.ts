import { HttpReply, type HttpRequest } from './http-message.ts'

/** What cross-origin pages are told beside that they may call. */
export interface CorsOptions {
  /** Request headers a page may send beside those of the protocol, such as `x-api-key`. */
  readonly allowHeaders?: readonly string[]
  /** Response headers a page may read beside those of the protocol. */
  readonly exposeHeaders?: readonly string[]
  /** Whether the page's cookies come along; then each origin must be listed by name. `false` by default. */
  readonly credentials?: boolean
  /** How long a browser may remember the preflight, in seconds; 600 by default. */
  readonly maxAge?: number
}

const REQUEST_HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
]
const RESPONSE_HEADERS = ['mcp-protocol-version', 'mcp-session-id', 'retry-after', 'www-authenticate']
const PARAM_PREFIX = 'mcp-param-'

/** Headers for pages of other origins. Whether an origin may call at all is decided before. */
export class Cors {
  readonly #allowed: ReadonlySet<string>
  readonly #exposed: string
  readonly #credentials: boolean
  readonly #maxAge: string
  readonly #methods: string

  /** @param others methods that are served beside POST */
  constructor(options: CorsOptions, others: readonly string[] = []) {
    this.#methods = ['POST', ...others, 'OPTIONS'].join(', ')
    this.#allowed = new Set([...REQUEST_HEADERS, ...(options.allowHeaders ?? []).map((name) => name.toLowerCase())])
    this.#exposed = [...RESPONSE_HEADERS, ...(options.exposeHeaders ?? [])].join(', ')
    this.#credentials = options.credentials === true
    this.#maxAge = String(options.maxAge ?? 600)
  }

  /** The reply to an `OPTIONS` request that comes before the real one; to be marked like every other. */
  preflight(request: HttpRequest): HttpReply {
    // A prefix such as mcp-param-* cannot be said, so what was asked for is echoed, as far as it is known.
    const asked = request.header('access-control-request-headers') ?? ''
    const names = asked.split(',').map((name) => name.trim().toLowerCase())
    const headers = [
      'access-control-allow-methods',
      this.#methods,
      'access-control-allow-headers',
      names.filter((name) => this.#isAllowed(name)).join(', '),
      'access-control-max-age',
      this.#maxAge,
    ]
    if (request.header('access-control-request-private-network') === 'true') {
      headers.push('access-control-allow-private-network', 'true')
    }
    return new HttpReply(204, headers)
  }

  /** The same reply with the headers a page needs to read it. */
  mark(reply: HttpReply, origin: string): HttpReply {
    const headers = [
      ...reply.headers,
      'access-control-allow-origin',
      origin,
      'vary',
      'Origin',
      'access-control-expose-headers',
      this.#exposed,
    ]
    if (this.#credentials) headers.push('access-control-allow-credentials', 'true')
    return new HttpReply(reply.status, headers, reply.body, reply.stream)
  }

  #isAllowed(name: string): boolean {
    return this.#allowed.has(name) || (name.startsWith(PARAM_PREFIX) && /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  }
}
