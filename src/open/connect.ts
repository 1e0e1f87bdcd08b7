import { Client } from '../client/client.ts'
import { type ClientOptions } from '../client/client-options.ts'
import { checkKnown, CLIENT_OPTIONS } from '../client/known-options.ts'
import { isTransport, type Transport } from '../client/transport.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { httpTransport, type HttpTransportOptions } from '../transport/http/client.ts'
import { type InProcessServer, memoryTransport, type MemoryTransportOptions } from '../transport/memory/client.ts'

/** What can be connected to: a URL, a server object, or a transport such as `command('node', ['server.js'])` gives. */
export type ConnectTarget = string | URL | InProcessServer | Transport

/** Options of {@link connect}. Those of a transport count for that transport only. */
export interface ConnectOptions extends ClientOptions, HttpTransportOptions, Omit<MemoryTransportOptions, 'address'> {
  /** Send nothing yet: whether the server can be reached is then found out by the first request. */
  readonly lazy?: boolean | undefined
}

const KNOWN: Readonly<Record<keyof ConnectOptions, true>> = {
  ...CLIENT_OPTIONS,
  maxResponseBytes: true,
  principal: true,
  auth: true,
  lazy: true,
}

/**
 * Connects to a server and asks it what it is (`server/discover`), so that a wrong address fails here and not later.
 *
 * ```ts
 * const client = await connect('http://127.0.0.1:3920/mcp', { onElicit: async ({ request }) => … })
 * ```
 *
 * @throws RondoError `TRANSPORT_FAILED` when it cannot be reached, `HTTP_STATUS` when something else answers there,
 * `ERA_UNSUPPORTED` when it speaks no revision we know, `CONFIG_INVALID` for a target or option that is none
 */
export async function connect(target: ConnectTarget, options: ConnectOptions = {}): Promise<Client> {
  checkKnown(options, KNOWN, 'connect()')
  const transport = transportTo(target, options)
  const client = new Client(transport, options)
  if (options.lazy === true) return client
  try {
    await client.ready()
  } catch (error) {
    await client.close()
    throw error
  }
  return client
}

function transportTo(target: ConnectTarget, options: ConnectOptions): Transport {
  if (typeof target === 'string' || target instanceof URL) return httpTransport(target, options)
  if (isTransport(target)) return target
  if (typeof target === 'object' && target !== null && typeof target.handle === 'function') {
    return memoryTransport(target, options)
  }
  throw new RondoError('CONFIG_INVALID', 'A client connects to a URL, a server object, or a transport')
}
