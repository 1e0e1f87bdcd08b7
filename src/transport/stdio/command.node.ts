import { type OutgoingRequest, type Received, type RequestOptions, type Transport } from '../../client/transport.ts'
import { errorText } from '../../errors/error-text.ts'
import {
  ABOVE_ZERO,
  BOOLEAN,
  checkOptions,
  either,
  FROM_ZERO,
  FUNCTION,
  OBJECT,
  oneOf,
  type OptionKind,
  type OptionKinds,
  TEXT,
  TEXTS,
} from '../../errors/option-check.ts'
import { RondoError } from '../../errors/rondo-error.ts'
import { ChildServer, type CommandSpec } from './child-server.node.ts'

/** Options of {@link command}. */
export interface CommandOptions {
  /** Environment variables beside those of this process; `undefined` as a value takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly cwd?: string | URL | undefined
  /**
   * What becomes of the child's stderr: `inherit` (the default) shows it on this process's, `ignore` drops it, a function
   * is given each line. Whichever it is, except `inherit`, errors quote the last lines.
   */
  readonly stderr?: 'inherit' | 'ignore' | ((line: string) => void) | undefined
  /** Start the child again for the next request after it has exited by itself; `true`. */
  readonly restart?: boolean | undefined
  /** Milliseconds that the child has to exit after its stdin was closed, and again after SIGTERM; 2000. */
  readonly grace?: number | undefined
  /** Bytes of one line that are taken from the child; 64 MiB. */
  readonly maxLine?: number | undefined
}

const ENV: OptionKind = {
  is: 'an object of texts by name',
  fits: (value) =>
    OBJECT.fits(value) && Object.values(value as object).every((one) => one === undefined || TEXT.fits(one)),
}
const OPTIONS: OptionKinds<CommandOptions> = {
  env: ENV,
  cwd: either(TEXT, { is: 'a URL', fits: (value) => value instanceof URL }),
  stderr: either(oneOf('inherit', 'ignore'), FUNCTION),
  restart: BOOLEAN,
  grace: FROM_ZERO,
  maxLine: ABOVE_ZERO,
}

const GRACE = 2000
const MAX_LINE = 64 * 1024 * 1024

/**
 * A server that is a program of its own, spoken to over its standard streams (basic/transports/stdio). Started on the
 * first request, without a shell, and ended with the client.
 *
 * ```ts
 * const client = await connect(command('node', ['server.js'], { cwd: 'servers' }))
 * ```
 */
export function command(file: string, args: readonly string[] = [], options: CommandOptions = {}): Transport {
  if (typeof file !== 'string' || file === '') {
    throw new RondoError('CONFIG_INVALID', 'A command is the path or name of a program, and its arguments as an array')
  }
  if (!TEXTS.fits(args)) throw new RondoError('CONFIG_INVALID', `The arguments of "${file}" are ${TEXTS.is}.`)
  checkOptions(options, OPTIONS, 'command()')
  return new CommandTransport(file, args, options)
}

class CommandTransport implements Transport {
  readonly kind = 'stdio'
  readonly address: string
  readonly #spec: CommandSpec
  readonly #restart: boolean
  #child: ChildServer | undefined
  #closing: Promise<void> | undefined

  constructor(file: string, args: readonly string[], options: CommandOptions) {
    const { stderr = 'inherit' } = options
    this.address = [file, ...args].join(' ')
    this.#restart = options.restart ?? true
    this.#spec = {
      file,
      args,
      env: { ...process.env, ...options.env },
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', stderr === 'inherit' ? 'inherit' : 'pipe'],
      onStderr: typeof stderr === 'function' ? stderr : undefined,
      grace: options.grace ?? GRACE,
      maxLine: options.maxLine ?? MAX_LINE,
    }
  }

  async request(request: OutgoingRequest, options: RequestOptions): Promise<Received> {
    if (this.#closing) throw new RondoError('TRANSPORT_CLOSED', `The client of "${this.address}" was closed`)
    let child = this.#child
    if (child === undefined || (child.gone && this.#restart)) {
      child = this.#child = this.#start()
    }
    return { message: await child.request(request, options) }
  }

  #start(): ChildServer {
    try {
      return new ChildServer(this.address, this.#spec)
    } catch (cause) {
      throw new RondoError('CONFIG_INVALID', `"${this.address}" cannot be started: ${errorText(cause)}`, { cause })
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#child?.close() ?? Promise.resolve()
    return this.#closing
  }
}
