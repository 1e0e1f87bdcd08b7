import { errorText } from '../errors/error-text.ts'
import { encodeNotification } from '../jsonrpc/encode.ts'
import { isLoggingLevel, LOGGING_LEVELS, reachesLevel, type LoggingLevel } from '../protocol/logging.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import { abandoned } from '../replay/thenable.ts'
import type { ContextLog } from './context.ts'
import type { Logger } from './log.ts'
import type { ServerRequest } from './request.ts'

/** When notifications may go out, and who is told of those that could not. */
export interface NotifyGate {
  /** False once the reply is given, and during quiet replay (E13). */
  open(): boolean
  readonly redact?: ((data: unknown) => unknown) | undefined
  readonly log: Logger
}

/**
 * Progress and log messages of one request (basic/patterns/progress, server/utilities/logging): progress only with this
 * request's token and only upwards, messages only from the level this request asked for. Never throws (E4): what cannot
 * be sent is dropped, and the server's log says so.
 */
export class Notifier {
  readonly #request: ServerRequest
  readonly #gate: NotifyGate
  readonly #level: LoggingLevel | undefined
  #last = -Infinity

  constructor(request: ServerRequest, gate: NotifyGate) {
    this.#request = request
    this.#gate = gate
    const { legacy } = request.exchange
    const level = legacy === undefined ? request.meta[META.logLevel] : legacy.logLevel
    this.#level = isLoggingLevel(level) ? level : undefined
  }

  progress(progress: number, total?: number, message?: string): void {
    const { exchange, meta } = this.#request
    const progressToken = meta[META.progressToken]
    if (progressToken === undefined || exchange.notify === undefined || !this.#gate.open()) return
    if (!Number.isFinite(progress)) return this.#dropped('progress', 'it is not a finite number')
    if (progress <= this.#last) return
    this.#last = progress
    try {
      exchange.notify(
        encodeNotification(METHODS.progress, {
          progressToken,
          progress,
          total: Number.isFinite(total) ? total : undefined,
          message: typeof message === 'string' ? message : undefined,
        }),
      )
    } catch (error) {
      this.#dropped('progress', errorText(error), error)
    }
  }

  message(level: LoggingLevel, data: unknown, logger?: string): void {
    if (this.#gate.open()) this.urgent(level, data, logger)
  }

  /** A message that no replay silences: from a running step. */
  urgent(level: LoggingLevel, data: unknown, logger?: string): void {
    const { exchange } = this.#request
    if (this.#level === undefined || exchange.notify === undefined) return
    if (!isLoggingLevel(level)) return this.#dropped('log message', 'its level is none of the eight')
    if (!reachesLevel(level, this.#level)) return
    try {
      const { redact } = this.#gate
      const clean = redact === undefined ? data : redact(data)
      if (clean === undefined) return
      if (abandoned(clean)) {
        return this.#dropped(
          'log message',
          'it is a promise. Await it first; the redact option may not be asynchronous',
        )
      }
      if (isUnsayable(clean)) return this.#dropped('log message', `JSON has nothing for this ${typeof clean}`)
      const from = typeof logger === 'string' ? logger : undefined
      exchange.notify(encodeNotification(METHODS.message, { level, logger: from, data: clean }))
    } catch (error) {
      this.#dropped('log message', errorText(error), error)
    }
  }

  #dropped(what: 'progress' | 'log message', why: string, error?: unknown): void {
    this.#gate.log.about(this.#request, {
      level: 'warn',
      code: 'notification-dropped',
      message: `A ${what} for the client was dropped: ${why}.`,
      ...(error === undefined ? {} : { error }),
    })
  }
}

/** Whether JSON would leave `value` out without a word. */
function isUnsayable(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return true
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as { toJSON?: unknown }).toJSON === 'function' && JSON.stringify(value) === undefined
}

/** One function per level. */
export function contextLog(notifier: Notifier): ContextLog {
  const entries = LOGGING_LEVELS.map((level) => [
    level,
    (data: unknown, logger?: string) => notifier.message(level, data, logger),
  ])
  return Object.fromEntries(entries) as ContextLog
}
