import {
  ANYTHING,
  BOOLEAN,
  either,
  FROM_ZERO,
  FUNCTION,
  OBJECT,
  oneOf,
  type OptionKind,
  type OptionKinds,
  TEXT_BY_NAME,
  TEXTS,
} from '../errors/option-check.ts'
import { LOGGING_LEVELS } from '../protocol/logging.ts'
import {
  type CallLimits,
  type ClientOptions,
  type RequestCallOptions,
  type ResumeOptions,
  type ToolCallOptions,
} from './client-options.ts'
import { type Handlers } from './handlers.ts'

const SIGNAL: OptionKind = {
  is: 'an AbortSignal',
  fits: (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
}

const HANDLERS: OptionKinds<Handlers> = {
  onElicit: FUNCTION,
  onUrl: FUNCTION,
  onSample: FUNCTION,
  onSampleWithTools: FUNCTION,
  onRoots: FUNCTION,
}
const LIMITS: OptionKinds<CallLimits> = {
  timeout: FROM_ZERO,
  maxTimeout: FROM_ZERO,
  maxRounds: FROM_ZERO,
  maxAsks: FROM_ZERO,
  maxWait: FROM_ZERO,
  serial: BOOLEAN,
}

/** Options of one request. */
export const REQUEST_OPTIONS: OptionKinds<RequestCallOptions> = {
  signal: SIGNAL,
  timeout: FROM_ZERO,
  maxTimeout: FROM_ZERO,
  onProgress: FUNCTION,
  onLog: FUNCTION,
  logLevel: oneOf(...LOGGING_LEVELS),
  meta: OBJECT,
  headers: TEXT_BY_NAME,
  asks: TEXTS,
}

/** Options of a client. */
export const CLIENT_OPTIONS: OptionKinds<ClientOptions> = {
  ...HANDLERS,
  ...LIMITS,
  onWait: FUNCTION,
  onUndelivered: FUNCTION,
  clientInfo: either(oneOf(false), OBJECT),
  asks: TEXTS,
  capabilities: OBJECT,
  headers: either(TEXT_BY_NAME, FUNCTION),
  connectTimeout: FROM_ZERO,
  log: FUNCTION,
  host: OBJECT,
}

/** Options of a call that is driven by handlers. */
export const CALL_OPTIONS: OptionKinds<ToolCallOptions> = {
  ...REQUEST_OPTIONS,
  ...LIMITS,
  ...HANDLERS,
  onWait: FUNCTION,
  onUndelivered: FUNCTION,
  output: ANYTHING,
}

/** Options of a round that is driven by hand. */
export const ROUND_OPTIONS: OptionKinds<ResumeOptions> = { ...REQUEST_OPTIONS, partial: BOOLEAN }
