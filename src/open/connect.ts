import { Client } from '../client/client.ts'
import { type ClientOptions } from '../client/client-options.ts'
import { isTransport, type Transport } from '../client/transport.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type Exchange, type Reply } from '../server/exchange.ts'

/** A server in this process: anything with `handle`. */
export interface InProcessServer {
  handle(message: string, exchange: Exchange): Reply | Promise<Reply>
}

/** What can be connected to: a URL, a server object, or a transport such as `command('node', ['server.js'])` gives. */
export type ConnectTarget = string | URL | InProcessServer | Transport

/**
 * Connects to a server.
 *
 * @throws RondoError `TRANSPORT_FAILED` when it cannot be reached, `ERA_UNSUPPORTED` when it does not speak a revision we know
 */
export async function connect(target: ConnectTarget, options: ClientOptions = {}): Promise<Client> {
  if (isTransport(target)) return new Client(target, options)
  throw new RondoError('CONFIG_INVALID', 'Not built yet')
}
