import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
  type ServerOptions,
} from 'node:http'
import type { Socket } from 'node:net'
import {
  checkOptions,
  FROM_ZERO,
  FUNCTION,
  type OptionKind,
  type OptionKinds,
  optionsOf,
  TEXT,
} from '../errors/option-check.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { host } from '../replay/host.ts'
import { HttpHandler, type HttpOptions } from '../transport/http/handler.ts'
import { HTTP_OPTIONS } from '../transport/http/http-options.ts'
import { serveNode } from '../transport/http/node.node.ts'
import { checkReceiver, logOf, type Receiver } from '../transport/receiver.ts'

/** How {@link listen} listens. */
export interface ListenOptions extends HttpOptions<IncomingMessage> {
  /** 3920 by default; 0 takes a free one. */
  readonly port?: number
  /** Address to listen on; 127.0.0.1, this machine only, by default. */
  readonly host?: string
  /** Path of the endpoint; `/mcp` by default. */
  readonly path?: string
  /** Path of the health route; `/health` by default. */
  readonly health?: string | false
  /** Serves every other path: the old pair (`sseHandler`), pages of your own. Closed with the server where it can be. */
  readonly beside?: Beside
  /** How long a client may take, in milliseconds. */
  readonly timeouts?: ListenTimeouts
}

/** What serves paths that are not the server's. */
export interface Beside {
  (request: IncomingMessage, response: ServerResponse, next: () => void): void
  close?(options: { readonly deadline: number }): unknown
}

/** How long a client may take over HTTP. */
export interface ListenTimeouts {
  /** To send the headers of a request; 10 s by default. */
  readonly headers?: number
  /** To send a whole request; 60 s by default. */
  readonly request?: number
  /** Without a request, before the connection is closed; 65 s by default, more than the 60 s of usual proxies. */
  readonly keepAlive?: number
}

/** A server that listens. */
export interface Listening {
  /** Where clients find it, such as `http://127.0.0.1:3920/mcp`. */
  readonly url: string
  readonly port: number
  readonly server: HttpServer
  /**
   * Stops listening, lets running calls finish, and cuts off what still runs after `deadline` milliseconds (10 s by
   * default). Resolves when every connection is closed.
   */
  close(options?: { readonly deadline?: number }): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const PORT: OptionKind = {
  is: 'a whole number from 0 to 65535',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
}
const TIMEOUTS: OptionKinds<ListenTimeouts> = { headers: FROM_ZERO, request: FROM_ZERO, keepAlive: FROM_ZERO }
const OPTIONS: OptionKinds<ListenOptions> = {
  ...(HTTP_OPTIONS as OptionKinds<HttpOptions<IncomingMessage>>),
  port: PORT,
  beside: FUNCTION,
  host: TEXT,
  timeouts: optionsOf(TIMEOUTS),
}
const CLOSING: OptionKinds<{ readonly deadline?: number }> = { deadline: FROM_ZERO }

const DEADLINE = 10_000
const EPHEMERAL =
  'No state keys are set, so this process made one of its own. That is all right on your own machine: a call that waits for an ' +
  'answer ends with the process. For a server that restarts, or runs more than once, set RONDO_STATE_KEYS to what ' +
  '`npx rondo keygen` prints, or the option state.keys.'

/** Milliseconds between looks for idle connections while closing. */
const SWEEP = 20

/**
 * Serves MCP over HTTP.
 *
 * @throws RondoError `CONFIG_INVALID` for an option there is none of, or that cannot be used; `LISTEN_FAILED` when it cannot listen there,
 * with `data: { host, port, code }`, the last being Node's, and Node's error as `cause`.
 */
export async function listen(receiver: Receiver, options: ListenOptions = {}): Promise<Listening> {
  checkReceiver(receiver, 'listen()')
  checkOptions(options, OPTIONS, 'listen()')
  const { port = 3920, host = '127.0.0.1', path = '/mcp', health = '/health' } = options
  const handler = new HttpHandler(receiver, { ...options, path, health })
  // Looked at before anything is opened: unusable keys are refused here.
  const ephemeral = receiver.ephemeral === true
  const server = createServer(serverOptions(options.timeouts ?? {}))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const { beside } = options
  server.on('request', (request, response) => {
    if (beside === undefined || handler.serves(request.url ?? '')) serveNode(handler, request, response)
    else beside(request, response, () => serveNode(handler, request, response))
  })
  server.on('checkContinue', (request, response) => serveNode(handler, request, response, { expects: true }))
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })
  if (ephemeral) {
    logOf(receiver, options.log).once('state-keys-ephemeral', {
      level: 'warn',
      code: 'state-keys-ephemeral',
      message: EPHEMERAL,
    })
  }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  let closed: Promise<void> | undefined
  const close = async (closing: { readonly deadline?: number } = {}): Promise<void> => {
    checkOptions(closing, CLOSING, 'close()')
    await (closed ??= closeAll(server, handler, sockets, { deadline: closing.deadline ?? DEADLINE, beside }))
  }
  return {
    url: `http://${nameOf(host)}:${bound}${path}`,
    port: bound,
    server,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Why a server does not listen, and what to do about it, by Node's code. */
const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program, or this one a second time, listens there already. Take another with the option "port"; 0 takes a free one.',
  EACCES: 'this process may not. Ports below 1024 may need rights of their own; the option "port" takes another.',
  EADDRNOTAVAIL: 'this machine does not have that address. The option "host" takes another.',
  ENOTFOUND: 'there is no such host. The option "host" takes another.',
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): RondoError<'LISTEN_FAILED'> {
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const why = WHY[cause.code ?? ''] ?? `${cause.message}.`
  return new RondoError('LISTEN_FAILED', `The server cannot listen on ${at}: ${why}`, {
    cause,
    data: { host, port, code: cause.code },
  })
}

/** Rule H5. */
async function closeAll(
  server: HttpServer,
  handler: HttpHandler<IncomingMessage>,
  sockets: ReadonlySet<Socket>,
  { deadline, beside }: { readonly deadline: number; readonly beside: Beside | undefined },
): Promise<void> {
  handler.close()
  const besides = beside?.close?.({ deadline })
  const late = host.setTimer(() => {
    handler.cancelAll('The server is closing')
    server.closeAllConnections()
  }, deadline)
  // A connection whose reply was under way when closing began says keep-alive and stays open, idle, after it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
  // One that has never sent anything does not count as idle.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  try {
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await handler.idle()
    await besides
  } finally {
    host.clearTimer(late)
    clearInterval(sweep)
  }
}

function serverOptions(timeouts: ListenTimeouts): ServerOptions {
  const { headers = 10_000, request = 60_000, keepAlive = 65_000 } = timeouts
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: keepAlive,
    // How often the two are looked at.
    connectionsCheckingInterval: Math.max(50, Math.min(headers, request, 10_000) / 2),
    requireHostHeader: true,
    insecureHTTPParser: false,
    noDelay: true,
  }
}

/** A name that a client on this machine can use. */
function nameOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
