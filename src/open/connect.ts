import { Client } from '../client/client.ts'
import { type ClientOptions } from '../client/client-options.ts'
import { CLIENT_OPTIONS } from '../client/known-options.ts'
import { isTransport, type Transport } from '../client/transport.ts'
import { BOOLEAN, checkOptions, type OptionKinds } from '../errors/option-check.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { HTTP_TRANSPORT_OPTIONS, httpTransport, type HttpTransportOptions } from '../transport/http/client.ts'
import {
  type InProcessServer,
  MEMORY_TRANSPORT_OPTIONS,
  memoryTransport,
  type MemoryTransportOptions,
} from '../transport/memory/client.ts'

/** What can be connected to: a URL, a server object, or a transport such as `command('node', ['server.js'])` gives. */
export type ConnectTarget = string | URL | InProcessServer | Transport

/** Options of {@link connect}. Those of a transport count for that transport only. */
export interface ConnectOptions extends ClientOptions, HttpTransportOptions, Omit<MemoryTransportOptions, 'address'> {
  /** Send nothing yet: whether the server can be reached is then found out by the first request. */
  readonly lazy?: boolean | undefined
}

const KINDS: OptionKinds<ConnectOptions> = {
  ...CLIENT_OPTIONS,
  ...HTTP_TRANSPORT_OPTIONS,
  principal: MEMORY_TRANSPORT_OPTIONS.principal,
  auth: MEMORY_TRANSPORT_OPTIONS.auth,
  lazy: BOOLEAN,
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
  checkOptions(options, KINDS, 'connect()')
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

function transportTo(target: ConnectTarget, { maxResponseBytes, principal, auth }: ConnectOptions): Transport {
  if (typeof target === 'string' || target instanceof URL) return httpTransport(target, { maxResponseBytes })
  if (isTransport(target)) return target
  if (typeof target === 'object' && target !== null && typeof target.handle === 'function') {
    return memoryTransport(target, { principal, auth })
  }
  throw new RondoError('CONFIG_INVALID', 'A client connects to a URL, a server object, or a transport')
}
