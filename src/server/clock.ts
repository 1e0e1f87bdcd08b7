import type { Exchange } from './exchange.ts'
import { abandoned } from '../replay/thenable.ts'
import { errorText } from '../errors/error-text.ts'
import type { Logger } from './log.ts'
import type { ServerOptions } from './options.ts'

/** The clock a request goes by when it is not the host's: the test kit's, or the server's own option. */
export function givenClock({ testing }: Exchange, { now }: ServerOptions): (() => number) | undefined {
  return testing?.now ?? now
}

/** A clock of the user's that may fail: the host's then counts, and the log says so once. A call must not hang on it. */
export function safeClock(now: () => number, log: Logger): () => number {
  return () => {
    let why = 'it gave no time'
    try {
      const time: unknown = now()
      if (Number.isFinite(time)) return time as number
      abandoned(time)
    } catch (error) {
      why = errorText(error)
    }
    log.once('clock', { level: 'error', code: 'clock-failed', message: `The clock of the option now failed: ${why}` })
    return Date.now()
  }
}
