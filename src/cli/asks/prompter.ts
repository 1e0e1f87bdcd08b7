import { type Choice } from './field.ts'

/** What every question has. */
export interface Question {
  /** What is asked, on one or several lines. */
  readonly message: string
  readonly signal?: AbortSignal
}

/** A question for a text. `check` gives what is wrong with what was typed. */
export interface TextQuestion extends Question {
  readonly initial?: string
  readonly multiline?: boolean
  check(typed: string): string | undefined
}

/**
 * Puts single questions to a person. Every question comes back `undefined` when they leave it (Escape) or when its
 * signal aborts. Ctrl-C ends the command: the question throws.
 */
export interface Prompter {
  /** Columns there are now. */
  readonly columns: number
  /** Shows text, line by line as given. */
  say(text: string): void
  text(question: TextQuestion): Promise<string | undefined>
  yesNo(question: Question & { readonly initial?: boolean }): Promise<boolean | undefined>
  one<V extends string>(
    question: Question & { readonly choices: readonly (Choice & { readonly value: V })[]; readonly initial?: V },
  ): Promise<V | undefined>
  several(
    question: Question & { readonly choices: readonly Choice[]; readonly initial: readonly string[] },
  ): Promise<readonly string[] | undefined>
}
