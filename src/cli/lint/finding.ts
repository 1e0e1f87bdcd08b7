/** Rules of `rondo check`, and what each is about in one line. */
export const RULES = {
  'promise-across-ask': 'A promise made before an ask and awaited after it',
  'catch-around-ask': 'A catch around a combinator that holds an ask and something else that may fail',
  'effect-before-ask': 'A side effect outside a step, with an ask still to come',
  'unstable-value': 'A clock or a random value read outside a step, with an ask or a step still to come',
  'nested-in-step': 'An ask, a wait or a step inside a step',
  'timer-races-ask': 'A raw timer that races an ask',
  'ask-not-awaited': 'An ask that nobody awaits',
  syntax: 'A file that cannot be read as JavaScript or TypeScript',
} as const

/** Name of a rule, as printed and as written after `rondo-ok:`. */
export type RuleName = keyof typeof RULES

/** One place in a handler that will surprise its author. */
export interface Finding {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly rule: RuleName
  /** What happens, in one or two sentences. */
  readonly message: string
  /** What to write instead. */
  readonly advice: string
}
