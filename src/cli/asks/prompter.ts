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

/** What came of a question for a text. */
export interface Typed {
  /** Checked, unless the question was left. */
  readonly text: string
  /** Whether the person left the question, with what they had typed so far. */
  readonly left: boolean
}

/**
 * Puts single questions to a person. A question that they leave (Escape), or whose signal aborts, comes back `undefined`,
 * or with the text typed so far. Ctrl-C ends the command: the question throws.
 */
export interface Prompter {
  /** Columns there are now. */
  readonly columns: number
  /** Shows text, line by line as given. */
  say(text: string): void
  text(question: TextQuestion): Promise<Typed>
  yesNo(question: Question & { readonly initial?: boolean }): Promise<boolean | undefined>
  one<V extends string>(
    question: Question & { readonly choices: readonly (Choice & { readonly value: V })[]; readonly initial?: V },
  ): Promise<V | undefined>
  several(
    question: Question & { readonly choices: readonly Choice[]; readonly initial: readonly string[] },
  ): Promise<readonly string[] | undefined>
}
