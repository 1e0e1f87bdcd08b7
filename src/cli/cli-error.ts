import { type ExitCode } from './exit-codes.ts'

/** Ends the command with a text for the person who typed it. */
export class CliError extends Error {
  readonly exit: ExitCode
  /** What to do about it, if that is known. */
  readonly hint: string | undefined
  /** Words of the server or its program, quoted below the message. */
  readonly said: string | undefined

  constructor(
    exit: ExitCode,
    message: string,
    more: string | undefined | { readonly hint?: string; readonly said?: string } = {},
  ) {
    super(message)
    this.exit = exit
    const { hint, said } = typeof more === 'object' ? more : { hint: more }
    this.hint = hint
    this.said = said
  }

  override get name(): string {
    return 'CliError'
  }
}
