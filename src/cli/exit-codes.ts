/** Exit codes of the command line, for scripts. */
export const EXIT = Object.freeze({
  /** It worked. */
  ok: 0,
  /** The tool failed (`isError`), or `check` found something. */
  failed: 1,
  /** The command line, an argument or an answers file is wrong. */
  usage: 2,
  /** An ask could not be put to anybody: no terminal, no answer in the file, or a person who refused. */
  unanswered: 3,
  /** The server could not be reached, or went away. */
  transport: 4,
  /** The server answered with an error, or with something that is not the protocol. */
  protocol: 5,
  /** Interrupted (Ctrl-C), as shells number it. */
  interrupted: 130,
})

/** One of the values of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
