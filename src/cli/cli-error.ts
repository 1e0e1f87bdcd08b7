import { type ExitCode } from './exit-codes.ts'

/** Ends the command with a text for the person who typed it. */
export class CliError extends Error {
  readonly exit: ExitCode
  /** What to do about it, if that is known. */
  readonly hint: string | undefined

  constructor(exit: ExitCode, message: string, hint?: string) {
    super(message)
    this.exit = exit
    this.hint = hint
  }

  override get name(): string {
    return 'CliError'
  }
}
