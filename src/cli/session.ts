import { type Client } from '../client/client.ts'
import { type Handlers } from '../client/handlers.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { connect } from '../open/connect.ts'
import { beside } from './asks/asker.ts'
import { CliError } from './cli-error.ts'
import { type Target } from './command-line.ts'
import { EXIT } from './exit-codes.ts'
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
  const note = (who: string, line: string): void => {
    if (options.verbose) host.stderr.write(`${beside(`${who}:`, oneLine(line, 500), paint, host.stderr.columns)}\n`)
  }
  try {
    const { timeout, headers } = options
    const words: string[] = []
    const heard = (line: string): void => {
      words.push(line)
      if (words.length > LAST_LINES) words.shift()
      note('server', line)
    }
    const client = await connect(host.reach(options.target, heard), {
      ...handlers,
      headers,
      serial: true,
      clientInfo: { name: 'rondo', version: host.version },
      log: (entry) => note(entry.level, entry.message),
      ...(timeout !== undefined && { timeout, maxTimeout: Math.max(timeout, 600_000), connectTimeout: timeout }),
    }).catch((error: unknown) => {
      throw 'command' in options.target ? silent(error, options.target.command, words) : error
    })
    try {
      return await work(client, interrupt.signal)
    } finally {
      await client.close()
    }
  } finally {
    stop()
  }
}

/** Lines of a program's stderr that are quoted when it does not answer. */
const LAST_LINES = 10

/** A program that runs and never answers most often speaks on another transport, or on none. */
function silent(error: unknown, command: readonly string[], words: readonly string[]): unknown {
  const said = isRondoError(error, 'ERA_UNSUPPORTED') ? (error.data as { said?: unknown } | undefined)?.said : undefined
  if (said !== 'nothing' && !isRondoError(error, 'REQUEST_TIMEOUT')) return error
  const told = words.length === 0 ? '' : ' Its last words on stderr:'
  return new CliError(
    EXIT.transport,
    `"${oneLine(command.join(' '), 200)}" runs, but wrote no MCP message to stdout.${told}`,
    {
      said: words.map((line) => oneLine(line, 300)).join('\n'),
      hint: 'Does it call serve(server)? One that listens on a port is named by its URL; one that starts slowly needs --timeout.',
    },
  )
}
