import { type Result } from './result-type.ts'

/** What a completion is asked for: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string; readonly title?: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** Parameters of `completion/complete` (server/utilities/completion). */
export interface CompleteRequestParams {
  readonly ref: CompletionReference
  readonly argument: { readonly name: string; readonly value: string }
  readonly context?: { readonly arguments?: { readonly [name: string]: string } }
}

export interface CompleteResult extends Result {
  readonly completion: {
    /** At most 100. */
    readonly values: readonly string[]
    readonly total?: number
    readonly hasMore?: boolean
  }
}
