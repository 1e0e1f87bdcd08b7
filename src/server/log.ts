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

  write(event: ServerLog): void {
    try {
      this.#sink?.(event)
    } catch {
      // A log that fails must not fail the call.
    }
  }

  /** Writes `event` the first time `key` comes up; to standard error when nobody listens. */
  once(key: string, event: ServerLog): void {
    if (this.#said.has(key)) return
    this.#said.add(key)
    if (this.active) this.write(event)
    else console.warn(`rondo: ${event.message}`)
  }
}
