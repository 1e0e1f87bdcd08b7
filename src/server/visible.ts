import type { AuthInfo } from './exchange.ts'

/** Who is asking, as a `visible` rule sees them. */
export interface Caller {
  /** `''` is anonymous. */
  readonly principal: string
  readonly auth: AuthInfo | undefined
}

/**
 * Whether a tool, prompt, resource or template exists for this caller. Synchronous and free of side effects: it is asked
 * at every list, call, read, get and completion. Anything but `true`, a throw included, hides it.
 */
export type Visible = (caller: Caller) => boolean
