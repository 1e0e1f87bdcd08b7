import { isError } from '../errors/error-text.ts'
import { abandoned } from '../replay/thenable.ts'

/** Something an operator should know. `code` is stable; texts are not. */
export interface ServerLog {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** What happened: `round`, `state-refused`, `handler-failed`, an error code, … */
  readonly code: string
  readonly message: string
  /** The call it belongs to. */
  readonly callId?: string
  readonly method?: string
  /** Tool, prompt or URI. */
  readonly target?: string
  readonly principal?: string
  readonly error?: unknown
  readonly data?: unknown
}

/** What an event about a request tells of it. */
interface LoggedRequest {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly principal: string
  readonly exchange: { readonly testing?: { log?(event: ServerLog): void } | undefined }
}

/** Most things remembered as said. */
const MOST_SAID = 1000

/** A log that keeps its own failures to itself, and can say a thing once. */
export class Logger {
  readonly #sink: ((event: ServerLog) => void) | undefined
  readonly #said = new Set<string>()

  constructor(sink: ((event: ServerLog) => void) | undefined) {
    this.#sink = sink
  }

  /** Whether anybody listens: spare the work of making events when not. */
  get active(): boolean {
    return this.#sink !== undefined
  }

  /** Hands `event` on. When nobody listens, warnings and errors go to standard error: they must not be lost. */
  write(event: ServerLog): void {
    try {
      if (this.#sink !== undefined) abandoned(this.#sink(event))
      else if (event.level === 'error' || event.level === 'warn') print(event)
    } catch {
      // A log that fails must not fail the call.
    }
  }

  /**
   * Writes what concerns one request, with its method, target and principal, and lets the test kit hear it.
   *
   * @param once written the first time alone that it comes up for the target
   */
  about({ method, params, principal, exchange }: LoggedRequest, event: ServerLog, once?: string): void {
    const target = params['name'] ?? params['uri']
    const full: ServerLog = { method, principal, ...(typeof target === 'string' && { target }), ...event }
    if (once === undefined) this.write(full)
    else this.once(`${event.code} ${method} ${String(target)} ${once}`, full)
    exchange.testing?.log?.(full)
  }

  /** Writes `event` the first time `key` comes up. */
  once(key: string, event: ServerLog): void {
    if (this.#said.has(key)) return
    // Keys may come from outside: the one said longest ago is forgotten, and may be said again.
    if (this.#said.size >= MOST_SAID) this.#said.delete(this.#said.values().next().value as string)
    this.#said.add(key)
    this.write(event)
  }
}

function print({ code, target, message, error }: ServerLog): void {
  const text = stackOf(error) ?? message
  console.error(`rondo: ${code}${target === undefined ? '' : ` in ${target}`}: ${text}`)
}

function stackOf(error: unknown): string | undefined {
  try {
    return isError(error) && typeof error.stack === 'string' ? error.stack : undefined
  } catch {
    return undefined
  }
}
