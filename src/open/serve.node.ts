import type { Readable, Writable } from 'node:stream'
import {
  ABOVE_ZERO,
  BOOLEAN,
  checkOptions,
  FROM_ZERO,
  FUNCTION,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  TEXT,
} from '../errors/option-check.ts'
import { LineServer, type LineServerOptions } from '../transport/stdio/server.node.ts'
import { guardOutput } from '../transport/stdio/stdout-guard.node.ts'
import { checkReceiver, type Receiver } from '../transport/receiver.ts'

/** How {@link serve} serves. */
export interface ServeOptions extends LineServerOptions {
  /** Where messages come from; the process's standard input by default. */
  readonly stdin?: Readable
  /** Where messages go; the process's standard output by default. */
  readonly stdout?: Writable
  /** Whether the process ends once the client has closed the input; yes with the process's own streams, else no. */
  readonly exit?: boolean
}

const STREAM: OptionKind = {
  is: 'a stream of node:stream',
  fits: (value) => typeof (value as Partial<Readable> | null)?.pipe === 'function',
}
const OPTIONS: OptionKinds<ServeOptions> = {
  maxLineBytes: ABOVE_ZERO,
  grace: FROM_ZERO,
  heldLimit: ABOVE_ZERO,
  principal: TEXT,
  auth: OBJECT,
  log: FUNCTION,
  stdin: STREAM,
  stdout: STREAM,
  exit: BOOLEAN,
}

/** A server on a pair of streams. */
export interface Serving {
  /** Resolves when the client is gone and every call has ended. */
  readonly closed: Promise<void>
  /** Reads no further, lets running calls finish within the grace period, and cancels the rest. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves MCP over standard streams, as a program that a client starts. Whatever else is written to standard output, such
 * as by `console.log`, goes to standard error.
 *
 * @throws RondoError `CONFIG_INVALID` for an option there is none of, or that cannot be used
 */
export function serve(receiver: Receiver, options: ServeOptions = {}): Serving {
  checkReceiver(receiver, 'serve()')
  checkOptions(options, OPTIONS, 'serve()')
  const { stdin = process.stdin, stdout = process.stdout } = options
  const own = stdout === process.stdout
  const guard = own ? guardOutput(process.stdout, process.stderr) : undefined
  const server = new LineServer(receiver, stdin, stdout, options, guard)
  const exit = options.exit ?? (own && stdin === process.stdin)
  let asked = false
  const closed = server.closed.then(() => {
    guard?.release()
    // Something a handler left open, such as a pool of connections, must not outlive the client.
    if (exit && !asked) process.exit()
  })
  if (stdin === process.stdin && process.stdin.isTTY) {
    console.error('This is an MCP server: it speaks JSON-RPC, one message a line, on standard input and output.')
  }
  const close = async () => {
    asked = true
    await server.close()
    await closed
  }
  return { closed, close, [Symbol.asyncDispose]: close }
}
