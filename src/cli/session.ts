import { type Client } from '../client/client.ts'
import { type Handlers } from '../client/handlers.ts'
import { connect } from '../open/connect.ts'
import { type Target } from './command-line.ts'
import { oneLine } from './terminal/harmless.ts'
import { type Host } from './terminal/host.ts'
import { type Paint } from './terminal/paint.ts'

/** Options of every command that talks to a server. */
export interface SessionOptions {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for one request. */
  readonly timeout: number | undefined
  readonly verbose: boolean
}

/**
 * Connects, does the work, and lets go of the server whatever happens. Ctrl-C aborts the signal the work is given.
 */
export async function withClient<T>(
  host: Host,
  paint: Paint,
  options: SessionOptions,
  handlers: Handlers,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = new AbortController()
  const stop = host.onInterrupt(() => interrupt.abort(new Error('Interrupted')))
  const note = (line: string): void => {
    if (options.verbose) host.stderr.write(`${paint('dim', oneLine(line, 500))}\n`)
  }
  try {
    const { timeout, headers } = options
    const client = await connect(
      host.reach(options.target, (line) => note(`server: ${line}`)),
      {
        ...handlers,
        headers,
        serial: true,
        clientInfo: { name: 'rondo', version: host.version },
        log: (entry) => note(`${entry.level}: ${entry.message}`),
        ...(timeout !== undefined && { timeout, maxTimeout: Math.max(timeout, 600_000), connectTimeout: timeout }),
      },
    )
    try {
      return await work(client, interrupt.signal)
    } finally {
      await client.close()
    }
  } finally {
    stop()
  }
}
