import type { AuthInfo } from './exchange.ts'
import { refuse } from './definition.ts'

/** What a completer is given beside the text typed so far. */
export interface CompletionRequest {
  /** Arguments the client has already settled (`context.arguments`). Without prototype. */
  readonly arguments: Readonly<Record<string, string>>
  /** `''` is anonymous. */
  readonly principal: string
  readonly auth: AuthInfo | undefined
}

/** Suggestions, best first; beyond 100 they are cut. With `total`, how many there are in all. */
export type Completions =
  readonly string[] | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean }

/** Suggests values for an argument of a prompt or a variable of a template. Must not tell what the caller may not know. */
export type CompleteFn = (value: string, request: CompletionRequest) => Completions | PromiseLike<Completions>

/** A function, or a fixed list that is searched for what was typed. */
export type Completer = CompleteFn | readonly string[]

/**
 * A completer as a function.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function completer(given: Completer, where: string): CompleteFn {
  if (typeof given === 'function') return given
  if (!Array.isArray(given) || !given.every((value) => typeof value === 'string')) {
    refuse(where, 'complete must be a function of the text typed so far, or an array of texts.')
  }
  const values: readonly string[] = [...given]
  return (typed) => search(values, typed)
}

/** Values that begin with what was typed, then those that hold it; case does not matter. */
function search(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase()
  const first: string[] = []
  const rest: string[] = []
  for (const value of values) {
    const at = value.toLowerCase().indexOf(wanted)
    if (at === 0) first.push(value)
    else if (at > 0) rest.push(value)
  }
  return [...first, ...rest]
}
