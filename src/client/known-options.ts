import { RondoError } from '../errors/rondo-error.ts'
import {
  type ClientOptions,
  type RequestCallOptions,
  type ResumeOptions,
  type ToolCallOptions,
} from './client-options.ts'
import { type Handlers } from './handlers.ts'

type Known<T> = Readonly<Record<keyof T, true>>

const HANDLERS: Known<Handlers> = {
  onElicit: true,
  onUrl: true,
  onSample: true,
  onSampleWithTools: true,
  onRoots: true,
}
const LIMITS = { timeout: true, maxTimeout: true, maxRounds: true, maxWait: true, serial: true } as const
const REQUEST: Known<RequestCallOptions> = {
  signal: true,
  timeout: true,
  maxTimeout: true,
  onProgress: true,
  onLog: true,
  logLevel: true,
  meta: true,
  headers: true,
  asks: true,
}

/** Options of a client. */
export const CLIENT_OPTIONS: Known<ClientOptions> = {
  ...HANDLERS,
  ...LIMITS,
  onWait: true,
  clientInfo: true,
  asks: true,
  capabilities: true,
  headers: true,
  connectTimeout: true,
  log: true,
  host: true,
}

/** Options of a call that is driven by handlers. */
export const CALL_OPTIONS: Known<ToolCallOptions> = { ...REQUEST, ...LIMITS, ...HANDLERS, onWait: true, output: true }

/** Options of a round that is driven by hand. */
export const ROUND_OPTIONS: Known<ResumeOptions> = { ...REQUEST, partial: true }

/**
 * Looks for options that there are not: a misspelt one would otherwise do nothing, and say nothing.
 *
 * @param of what they are options of, for people
 * @throws RondoError `CONFIG_INVALID` naming the known ones
 */
export function checkKnown(options: object | undefined, known: Readonly<Record<string, true>>, of: string): void {
  if (options === undefined) return
  for (const name in options) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known).sort().join(', ')
    throw new RondoError('CONFIG_INVALID', `${of} has no option "${name}". It has ${names}.`, {
      data: { option: name },
    })
  }
}
