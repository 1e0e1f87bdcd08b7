import type { JsonObject } from '../jsonrpc/messages.ts'
import type { CacheHint } from './cache-hint.ts'
import type { CallPolicy } from './call-policy.ts'
import type { Context } from './context.ts'
import type { Maybe } from './maybe.ts'

/** Arguments ready for the handler, or the result that says why they are not. */
export type CheckedInput =
  { readonly ok: true; readonly args: unknown } | { readonly ok: false; readonly result: JsonObject }

/** What a call is about to run: a tool, a prompt, a resource or a template, found and visible to the caller. */
export interface CallTarget {
  /** Tools report failures in their result; prompts and resources as errors. */
  readonly isTool: boolean
  /** Name or URI, for the log. */
  readonly name: string
  readonly policy: CallPolicy
  /** How long a complete result may be kept; `undefined` where results are not cacheable. */
  readonly cache: CacheHint | undefined
  /** Canonical text of what is called with what, for the state's binding (T2). */
  bindingText(): string
  /** @throws WireError `INVALID_PARAMS` */
  checkInput(): Maybe<CheckedInput>
  invoke(args: unknown, ctx: Context): unknown
  /**
   * The body of a complete result from what the handler returned.
   *
   * @throws RondoError `RESULT_INVALID`; WireError for a resource that is not there
   */
  finish(value: unknown): Maybe<JsonObject>
  /**
   * The body of a result that middleware put in the place of `given`, or changed, checked as a handler's full result is.
   *
   * @throws RondoError `RESULT_INVALID`
   */
  recheck(body: JsonObject, given: JsonObject | undefined): Maybe<JsonObject>
}
