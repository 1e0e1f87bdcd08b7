import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import { ERRORS } from '../errors/codes.ts'
import { TEXT_BY_NAME } from '../errors/option-check.ts'
import { type JsonObject, type JsonRpcErrorObject } from '../jsonrpc/messages.ts'
import { METHODS } from '../protocol/methods.ts'
import { encodeHeaderValue } from '../protocol/param-headers.ts'
import { MODERN_REVISION, MODERN_REVISIONS } from '../protocol/revisions.ts'
import { type ListToolsResult, type Tool } from '../protocol/tool.ts'
import { abandoned } from '../replay/thenable.ts'
import { type ClientHost } from './client-host.ts'
import { type ClientLog, type HeaderSource, type RequestCallOptions } from './client-options.ts'
import { type Era, type EraRequest, type EraSign } from './era.ts'
import { CursorTrail } from './pages.ts'
import { notAnEndpoint } from './not-an-endpoint.ts'
import { notificationSink } from './notifications.ts'
import { missingCapability } from './missing-capability.ts'
import { cancelled, RequestScope } from './request-scope.ts'
import { extraMeta, requestText } from './request-text.ts'
import { ResponseError } from './response-error.ts'
import { completeResult } from './result-reading.ts'
import { checkResult } from './result-shapes.ts'
import { ToolHeaders } from './tool-headers.ts'
import { type Received, type Transport } from './transport.ts'

/** What the modern era needs of its client. */
export interface ModernEraOptions {
  readonly transport: Transport
  readonly host: ClientHost
  readonly headers: HeaderSource | undefined
  readonly log: ((entry: ClientLog) => void) | undefined
}

/** Pages of tools that are read while looking for one tool's schema. */
const MAX_PAGES = 1000

/** Requests of revisions that carry their own metadata (2026-07-28). */
export class ModernEra implements Era {
  readonly name = 'modern'
  readonly #transport: Transport
  readonly #host: ClientHost
  readonly #log: ((entry: ClientLog) => void) | undefined
  readonly #constant: Readonly<Record<string, string>>
  readonly #source: (() => Readonly<Record<string, string>>) | undefined
  readonly #tools = new ToolHeaders()
  readonly #http: boolean
  #version: string = MODERN_REVISION
  /** Whether the server has answered anything that only a modern one does. */
  #proven = false
  #lastId = 0

  constructor({ transport, host, headers, log }: ModernEraOptions) {
    this.#transport = transport
    this.#host = host
    this.#log = log
    this.#http = transport.kind === 'http'
    this.#constant = typeof headers === 'function' ? {} : lowerCased(headers)
    this.#source = typeof headers === 'function' ? headers : undefined
  }

  get version(): string {
    return this.#version
  }

  async request(request: EraRequest): Promise<JsonObject> {
    const received = await this.#send(request)
    const { message } = received
    if ('result' in message) {
      this.#proven = true
      return message.result
    }
    return this.#recover(request, received, message.error)
  }

  /** Leaves out tools whose definition a client over HTTP has to refuse, and remembers the mirrored parameters of the rest. */
  usableTools(tools: readonly Tool[]): readonly Tool[] {
    if (!this.#http) return tools
    return this.#tools.learn(tools, (name, reason) => {
      const message = `The tool "${name}" is left out: ${reason}`
      this.#log?.({ level: 'warn', code: 'TOOL_EXCLUDED', message, data: { name, reason } })
    })
  }

  async #send(request: EraRequest): Promise<Received> {
    const { options, declaration, roundMembers } = request
    if (options?.signal?.aborted) throw cancelled(options.signal.reason)
    const id = ++this.#lastId
    const members = roundMembers === '' ? request.members : joined(request.members, roundMembers)
    const meta = declaration.members(this.#version) + extraMeta(id, options)
    const text = requestText(id, request.method, members, meta)
    const headers = this.#http ? this.#headers(request) : NO_HEADERS
    const scope = new RequestScope(headers, request.times, this.#host, options?.signal)
    const sink = notificationSink(id, options, scope)
    if (sink) scope.onNotification = sink
    if (request.onSlow) scope.whenSlow(request.onSlow)
    try {
      return await this.#transport.request({ id, method: request.method, text }, scope)
    } catch (error) {
      throw this.#unreadable(request, error)
    } finally {
      scope.done()
    }
  }

  /** Lower-case names throughout, so that no header is sent twice. */
  #headers(request: EraRequest): Record<string, string> {
    const { method, name, options } = request
    const headers: Record<string, string> = { ...this.#constant }
    if (this.#source) Object.assign(headers, lowerCased(given(this.#source())))
    if (options?.headers) Object.assign(headers, lowerCased(options.headers))
    headers['mcp-protocol-version'] = this.#version
    headers['mcp-method'] = method
    if (name !== undefined) {
      headers['mcp-name'] = encodeHeaderValue(name)
      if (method === METHODS.toolsCall) this.#tools.mirror(name, request.members, headers)
    }
    return headers
  }

  /** An error reply: corrected and sent again where the specification says so, once each; else raised. */
  async #recover(request: EraRequest, first: Received, error: JsonRpcErrorObject): Promise<JsonObject> {
    this.#judge(request, first.status, error)
    if (error.code === ERRORS.VERSION_UNSUPPORTED.wire) {
      this.#version = this.#commonVersion(error)
      this.#log?.({ level: 'debug', code: 'VERSION_RETRIED', message: `Sending again at ${this.#version}` })
    } else if (error.code === ERRORS.HEADER_MISMATCH.wire && this.#http && request.method === METHODS.toolsCall) {
      await this.#learnTool(request)
      this.#log?.({ level: 'debug', code: 'HEADERS_RETRIED', message: `Listed the tools to call ${request.name}` })
    } else {
      throw responseError(request.method, error, first.status)
    }
    const second = await this.#send(request)
    if ('result' in second.message) return second.message.result
    const again = second.message.error
    // A refused version and a header learnt late may meet in one call.
    if (again.code !== error.code && again.code === ERRORS.HEADER_MISMATCH.wire) {
      return this.#recover(request, second, again)
    }
    throw responseError(request.method, again, second.status)
  }

  #commonVersion(error: JsonRpcErrorObject): string {
    const supported = (error.data as { supported?: unknown } | undefined)?.supported
    const offered: readonly unknown[] = Array.isArray(supported) ? supported : []
    // "Even the one just sent": a server behind a half-done roll-out refuses a version and supports it at once.
    const common = MODERN_REVISIONS.find((version) => offered.includes(version))
    if (common !== undefined) return common
    throw new RondoError(
      'ERA_UNSUPPORTED',
      `The server at ${this.#transport.address} supports ${offered.map(String).join(', ') || 'no version it names'}; ` +
        `this client speaks ${MODERN_REVISIONS.join(', ')}. Servers of older revisions need a release with legacy support.`,
      { data: { supported: offered, spoken: MODERN_REVISIONS } },
    )
  }

  async #learnTool(request: EraRequest): Promise<void> {
    const { name, declaration, times, options } = request
    const cursors = new CursorTrail()
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const members = cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)}`
      const listing: EraRequest = {
        method: METHODS.toolsList,
        members,
        roundMembers: '',
        declaration,
        times,
        options: options && quiet(options),
      }
      const result = checkResult(METHODS.toolsList, completeResult(await this.request(listing), METHODS.toolsList))
      const { tools, nextCursor } = result as unknown as ListToolsResult
      this.usableTools(tools)
      if (tools.some((tool) => tool.name === name)) return
      cursor = cursors.next(nextCursor)
      if (cursor === undefined) return
    }
  }

  /** Looks at the first sign of life: raises `ERA_UNSUPPORTED` when only a legacy server answers so. */
  #judge(request: EraRequest, status: number | undefined, error: JsonRpcErrorObject): void {
    if (this.#proven) return
    if (isModernError(this.#transport.kind, status, error.code)) {
      this.#proven = true
    } else if (status === 404) {
      // Servers of older revisions have this status for sessions only, and a first contact has none.
      throw notAnEndpoint(this.#transport.address, error.message)
    } else if (status === undefined ? request.method === METHODS.serverDiscover : status >= 400 && status < 500) {
      throw this.#legacy(request, { status, said: `${error.code} ${error.message}` })
    }
  }

  #unreadable(request: EraRequest, error: unknown): unknown {
    if (this.#proven || !isRondoError(error, 'HTTP_STATUS')) return error
    const { status, body, location } = error.data as { status: number; body?: string; location?: string }
    if (status === 404 && location === undefined) {
      return notAnEndpoint(this.#transport.address, body ?? '', error)
    }
    return status === 400 ? this.#legacy(request, { status, said: `HTTP ${status}` }) : error
  }

  #legacy(request: EraRequest, sign: Omit<EraSign, 'tried'>): RondoError<'ERA_UNSUPPORTED'> {
    const tried = `${request.method} at ${this.#version}`
    return new RondoError(
      'ERA_UNSUPPORTED',
      `The server at ${this.#transport.address} does not speak MCP ${MODERN_REVISIONS.join(' or ')}: ${tried} was ` +
        `answered with ${sign.said.replace(/\.$/, '')}. It may be a server of an older revision, which needs a release with legacy support.`,
      { data: { ...sign, tried } },
    )
  }
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})

/** Codes that only a modern server gives. */
const MODERN_CODES: ReadonlySet<number | undefined> = new Set([
  ERRORS.HEADER_MISMATCH.wire,
  ERRORS.CAPABILITY_MISSING.wire,
  ERRORS.VERSION_UNSUPPORTED.wire,
])

/** Whether an error reply shows a modern server (basic/versioning, "Backward Compatibility"). */
function isModernError(kind: Transport['kind'], status: number | undefined, code: number): boolean {
  if (MODERN_CODES.has(code)) return true
  // Over HTTP an unknown method has a status of its own, which older servers never paired with this code.
  if (kind === 'http') return status === 404 && code === ERRORS.METHOD_NOT_FOUND.wire
  return kind === 'memory'
}

function responseError(method: string, error: JsonRpcErrorObject, status: number | undefined): ResponseError {
  return new ResponseError(method, error, { status, hint: missingCapability(error) })
}

function joined(members: string, more: string): string {
  return members === '' ? more : `${members},${more}`
}

/** Headers that a function gave, which nobody has looked at. */
function given(headers: unknown): Readonly<Record<string, string>> {
  if (!abandoned(headers) && TEXT_BY_NAME.fits(headers)) return headers as Readonly<Record<string, string>>
  throw new RondoError('CONFIG_INVALID', `What the function "headers" gives must be ${TEXT_BY_NAME.is}.`)
}

function lowerCased(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const lower: Record<string, string> = {}
  for (const name of Object.keys(headers ?? {})) lower[name.toLowerCase()] = headers?.[name] ?? ''
  return lower
}

/** Options of a request made on another's behalf: same limits and headers, none of its listeners. */
function quiet({ signal, headers, meta }: RequestCallOptions): RequestCallOptions {
  return { signal, headers, meta }
}
