import { InputRequiredError } from '../client/input-required-error.ts'
import { ResponseError } from '../client/response-error.ts'
import { isRondoError, type RondoError } from '../errors/rondo-error.ts'
import { type ErrorCode } from '../errors/codes.ts'
import { CliError } from './cli-error.ts'
import { hintFor } from './failure-hints.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** A failed command: what is printed, and how the process ends. */
export interface Failure {
  readonly exit: ExitCode
  /** Error code for scripts: Rondo's own, or `CLI`. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** Words of the server's program. */
  readonly said?: string
  /** JSON-RPC code and data, when the server answered with an error. */
  readonly wire?: number
  readonly data?: unknown
}

const TRANSPORT: ReadonlySet<ErrorCode> = new Set([
  'TRANSPORT_FAILED',
  'TRANSPORT_CLOSED',
  'HTTP_STATUS',
  'REQUEST_TIMEOUT',
] satisfies ErrorCode[])

/** Reads whatever a command threw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof InputRequiredError && error.cause !== undefined) return failureOf(error.cause)
  if (error instanceof CliError) return cliFailure(error)
  if (error instanceof ResponseError) return responseFailure(error)
  if (isRondoError(error)) return rondoFailure(error)
  return { exit: EXIT.failed, code: 'CLI', message: error instanceof Error ? error.message : String(error) }
}

function cliFailure({ exit, message, hint, said = '' }: CliError): Failure {
  return { exit, code: 'CLI', message, ...(said !== '' && { said }), ...(hint !== undefined && { hint }) }
}

function rondoFailure({ code, message }: RondoError): Failure {
  if (code === 'REQUEST_CANCELLED') return { exit: EXIT.interrupted, code, message: 'Interrupted.' }
  if (code === 'CONFIG_INVALID') return { exit: EXIT.usage, code, message }
  if (code === 'INPUT_REQUIRED') return { exit: EXIT.unanswered, code, message }
  const exit = TRANSPORT.has(code) ? EXIT.transport : EXIT.protocol
  const [, happened = message.trimEnd(), words] = LAST_WORDS.exec(message) ?? []
  const hint = hintFor(code, message)
  return {
    exit,
    code,
    message: words === undefined ? happened : `${happened}. Its last words on stderr:`,
    ...(words !== undefined && { said: words.replace(/^ {2}/gm, '') }),
    ...(hint !== undefined && { hint }),
  }
}

/** How a program that ended is told, with what it wrote last. */
const LAST_WORDS = /^(.*)\nIts last words on stderr:\n([^]*)$/

function responseFailure(error: ResponseError): Failure {
  const { code, said: message, wire, data } = error
  const missing = missingHint(data)
  const hint = missing ?? answerHint(wire, message)
  const exit = missing === undefined ? EXIT.protocol : EXIT.unanswered
  return { exit, code, message, wire, ...(data !== undefined && { data }), ...(hint && { hint }) }
}

/** What helps against an error of the server's, by its code. */
function answerHint(wire: number, message: string): string | undefined {
  if (wire === INTERNAL_ERROR) return "The server's log says why."
  const missing = wire === -32_002 || (wire === -32_602 && /not found|unknown|no such/i.test(message))
  return missing ? 'rondo list shows what the server has.' : undefined
}

/** JSON-RPC's code for a server's own failure, whose reason it keeps to itself. */
const INTERNAL_ERROR = -32_603

/** What to add to the command line when the server needs a capability that was not declared (`-32021`). */
function missingHint(data: unknown): string | undefined {
  const required = (data as { requiredCapabilities?: Readonly<Record<string, unknown>> } | undefined)
    ?.requiredCapabilities
  if (typeof required !== 'object' || required === null) return undefined
  if ('roots' in required) return 'The server asks for your roots: give --root DIR.'
  return 'sampling' in required
    ? 'The server asks for a model: answer in its place in a terminal, or with --answers FILE.'
    : undefined
}
