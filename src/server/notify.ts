import { encodeNotification } from '../jsonrpc/encode.ts'
import { isLoggingLevel, LOGGING_LEVELS, reachesLevel, type LoggingLevel } from '../protocol/logging.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import type { ContextLog } from './context.ts'
import type { ServerRequest } from './request.ts'

/** When notifications may go out. */
export interface NotifyGate {
  /** False once the reply is given, and during quiet replay (E13). */
  open(): boolean
  redact?: ((data: unknown) => unknown) | undefined
}

/**
 * Progress and log messages of one request (basic/patterns/progress, server/utilities/logging): progress only with this
 * request's token and only upwards, messages only from the level this request asked for.
 */
export class Notifier {
  readonly #request: ServerRequest
  readonly #gate: NotifyGate
  readonly #level: LoggingLevel | undefined
  #last = -Infinity

  constructor(request: ServerRequest, gate: NotifyGate) {
    this.#request = request
    this.#gate = gate
    const level = request.meta[META.logLevel]
    this.#level = isLoggingLevel(level) ? level : undefined
  }

  progress(progress: number, total?: number, message?: string): void {
    const { exchange, meta } = this.#request
    const progressToken = meta[META.progressToken]
    if (progressToken === undefined || exchange.notify === undefined || !this.#gate.open()) return
    if (!Number.isFinite(progress) || progress <= this.#last) return
    this.#last = progress
    exchange.notify(encodeNotification(METHODS.progress, { progressToken, progress, total, message }))
  }

  message(level: LoggingLevel, data: unknown, logger?: string): void {
    if (this.#gate.open()) this.urgent(level, data, logger)
  }

  /** A message that no replay silences: from a running step. */
  urgent(level: LoggingLevel, data: unknown, logger?: string): void {
    const { exchange } = this.#request
    if (this.#level === undefined || exchange.notify === undefined || !reachesLevel(level, this.#level)) return
    const { redact } = this.#gate
    const clean = redact === undefined ? data : redact(data)
    if (clean === undefined) return
    exchange.notify(encodeNotification(METHODS.message, { level, logger, data: clean }))
  }
}

/** One function per level. */
export function contextLog(notifier: Notifier): ContextLog {
  const entries = LOGGING_LEVELS.map((level) => [
    level,
    (data: unknown, logger?: string) => notifier.message(level, data, logger),
  ])
  return Object.fromEntries(entries) as ContextLog
}
