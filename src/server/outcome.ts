import type { JsonObject } from '../jsonrpc/messages.ts'
import type { InputRequiredResult } from '../protocol/input-required-result.ts'

/** How an operation ended, as middleware sees it: always a value, never a throw (E6). Frozen, but for what a result holds. */
export type Outcome =
  | { readonly kind: 'completed'; readonly result: JsonObject }
  /** More input is needed; `result` is frozen. */
  | { readonly kind: 'suspended'; readonly result: InputRequiredResult }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The caller went away: nothing is sent whatever middleware returns. */
  | { readonly kind: 'cancelled' }
