import type { HttpRequest } from './http-message.ts'

/** Which web pages may call: origins by name, all (`'*'`), or a function that decides. */
export type Origins = readonly string[] | '*' | ((origin: string) => boolean)

export interface OriginOptions {
  /** Origins that may call beside the server's own, such as `https://app.example.com`. */
  readonly origins?: Origins | undefined
  /** Names this server is reached by, with or without a port: `mcp.example.com`. Set: no other `Host` is served. */
  readonly hosts?: readonly string[] | undefined
}

/**
 * Decides about `Host` and `Origin`, against DNS rebinding (rule H3; basic/transports/streamable-http,
 * "Security & Endpoint").
 */
export class OriginPolicy {
  readonly #origins: Origins
  readonly #listed: ReadonlySet<string>
  readonly #hosts: ReadonlySet<string> | undefined
  /** The last `Host` that passed as a loopback name: nearly always the next one too. */
  #known: string | undefined

  constructor(options: OriginOptions) {
    this.#origins = options.origins ?? []
    this.#listed = new Set(Array.isArray(this.#origins) ? this.#origins.map(normalOrigin) : [])
    this.#hosts = options.hosts === undefined ? undefined : new Set(options.hosts.map((host) => host.toLowerCase()))
  }

  /** Why the request's `Host` is not served, or `undefined`. Checked when bound to loopback, or when `hosts` is set. */
  refuseHost(request: HttpRequest): string | undefined {
    if (!request.loopback && this.#hosts === undefined) return undefined
    const host = request.header('host')
    if (host === undefined || !this.#isServed(host, request.loopback)) return UNSERVED
    // A target in absolute form outranks `Host` (RFC 9112, 3.2.2).
    const target = authorityOf(request.url)
    return target === undefined || this.#isServed(target, request.loopback) ? undefined : UNSERVED
  }

  /** The same for the health route, which load balancers ask by address: an address cannot be rebound. */
  refuseHealth(request: HttpRequest): string | undefined {
    const host = request.header('host')
    return host !== undefined && isAddress(host) ? undefined : this.refuseHost(request)
  }

  #isServed(host: string, loopback: boolean): boolean {
    return this.#isListed(host) || (loopback && this.#isLoopback(host))
  }

  /** Why the request's `Origin`, when there is one, may not call, or `undefined`. */
  refuseOrigin(request: HttpRequest, origin: string): string | undefined {
    if (this.#isAllowed(origin) || this.#isOwn(request, origin)) return undefined
    if (isLoopbackOrigin(origin) && (request.loopback || this.#isLoopback(request.header('host') ?? '')))
      return undefined
    return 'That Origin may not call this server. Add it to the origins option if it should.'
  }

  #isAllowed(origin: string): boolean {
    if (this.#origins === '*') return true
    return typeof this.#origins === 'function' ? this.#origins(origin) : this.#listed.has(origin.toLowerCase())
  }

  /**
   * The page comes from this very server. A rebound name also makes `Origin` and `Host` equal, so `Host` must be one that
   * cannot be rebound: listed, an address, a loopback name, or proven by TLS.
   */
  #isOwn(request: HttpRequest, origin: string): boolean {
    const host = request.header('host')
    if (host === undefined || hostOf(origin) !== host.toLowerCase()) return false
    return request.secure || this.#isListed(host) || isAddress(host) || this.#isLoopback(host)
  }

  #isListed(host: string): boolean {
    if (this.#hosts === undefined) return false
    const name = host.toLowerCase()
    return this.#hosts.has(name) || this.#hosts.has(withoutPort(name)) || this.#hosts.has(nameOf(name))
  }

  #isLoopback(host: string): boolean {
    if (host === this.#known) return true
    if (!isLoopbackName(nameOf(host.toLowerCase()))) return false
    this.#known = host
    return true
  }
}

const UNSERVED = 'This server is not reached by that Host. Add it to the hosts option if it should be.'

/** Whether a host name or address, without port, means this machine itself. */
export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || LOOPBACK_V4.test(name)) return true
  return name.includes(':') && LOOPBACK_V6.test(shortest(name.replace(/^\[(.*)\]$/, '$1')))
}

const OCTET = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const LOOPBACK_V4 = new RegExp(`^127(\\.${OCTET}){3}$`)
/** In the form URLs have it: IPv4 within IPv6 is written in hexadecimal. */
const LOOPBACK_V6 = /^(::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/
const ADDRESS = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`)

/** An IPv6 address in its shortest form; what is none as it is. */
function shortest(address: string): string {
  const url = `http://[${address}]/`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address
}

function isLoopbackOrigin(origin: string): boolean {
  const host = hostOf(origin)
  return host !== undefined && isLoopbackName(nameOf(host))
}

/** Host and port of a web origin, in lower case. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1]?.toLowerCase()
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** Without its port, and without the dot that ends a full name. */
function nameOf(host: string): string {
  const name = withoutPort(host)
  return name.endsWith('.') ? name.slice(0, -1) : name
}

function isAddress(host: string): boolean {
  const name = withoutPort(host)
  return ADDRESS.test(name) || (/^\[[\da-f:.]+\]$/i.test(name) && URL.canParse(`http://${name}/`))
}

/** Host and port of a request target in absolute form. */
function authorityOf(url: string): string | undefined {
  return url.startsWith('/') ? undefined : /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]
}

/** Lower case, no default port, no trailing slash; `null` and other schemes as they are. */
function normalOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin).origin : 'null'
  return (url === 'null' ? origin : url).toLowerCase()
}
