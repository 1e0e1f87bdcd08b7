import type { Exchange } from './exchange.ts'
import type { ServerOptions } from './options.ts'

/** The clock a request goes by when it is not the host's: the test kit's, or the server's own option. */
export function givenClock({ testing }: Exchange, { now }: ServerOptions): (() => number) | undefined {
  return testing?.now ?? now
}
