/** Severities of RFC 5424, least first (server/utilities/logging, "Log Levels"). */
export const LOGGING_LEVELS = Object.freeze([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const)

/** Severity of a log message. */
export type LoggingLevel = (typeof LOGGING_LEVELS)[number]

/** Parameters of `notifications/message`. */
export interface LoggingMessageParams {
  readonly level: LoggingLevel
  /** Who logs it. */
  readonly logger?: string
  /** Any JSON value. */
  readonly data: unknown
  readonly _meta?: { readonly [key: string]: unknown }
}

/** Whether `value` is the name of a severity. */
export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (LOGGING_LEVELS as readonly unknown[]).includes(value)
}

/** Whether a message of `level` is wanted by who asked for `wanted` and above. */
export function reachesLevel(level: LoggingLevel, wanted: LoggingLevel): boolean {
  return LOGGING_LEVELS.indexOf(level) >= LOGGING_LEVELS.indexOf(wanted)
}
