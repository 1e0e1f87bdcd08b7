/** What the asker makes of a raw answer: its value, why it does not fit (put again), or that there is none. */
export type Checked<A> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: 'missing' }

/** How closely an answer is tied to the question it was given to (E16). */
export type Pin = 'strict' | 'schema' | 'key'

/** One ask, as the layer above describes it. */
export interface AskSpec<A> {
  readonly kind: string
  /** Full name, scope included: `payment/why`. */
  readonly name: string
  /** Canonical text of the question, which the fingerprint is taken over under the pin `strict` (the default). */
  readonly print: string
  /** The same for the pin `schema`: what the question expects, without its wording. */
  readonly schemaPrint: string
  readonly pin?: Pin | undefined
  /** The question, for people: shown by `ASK_UNSTABLE`. */
  readonly text: string
  /** What is put to the caller; opaque, handed back in {@link Suspended}. */
  readonly payload: unknown
  /** The payload when the ask is put again because the last answer did not fit (E17). */
  withReason?(payload: unknown, reason: string): unknown
  /** Milliseconds from when it is first put until it settles with `late`. */
  readonly within?: number | undefined
  /** The raw answer it gets when that time has passed. */
  readonly late?: unknown
  /** Reads a raw answer. Called in every attempt. May not keep or change what it is given. */
  check(answer: unknown): Checked<A> | PromiseLike<Checked<A>>
}
