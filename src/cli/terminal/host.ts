import { type ConnectTarget } from '../../open/connect.ts'
import { type Target } from '../command-line.ts'

/** A stream that text is written to. */
export interface Output {
  write(text: string): void
  /** Whether a person looks at it. */
  readonly isTerminal: boolean
  /** Columns of the terminal now; `Infinity` for a file or a pipe. */
  readonly columns: number
  readonly colour: boolean
}

/** What the command line needs of the machine it runs on. Tests give their own. */
export interface Host {
  readonly stdout: Output
  readonly stderr: Output
  /** Streams for prompts, when there is a person at both ends; drawn on the standard error, so that output can be redirected. */
  readonly terminal: Terminal | undefined
  readonly version: string
  /** What `connect()` takes for a server; lines a command writes to its stderr go to `onStderr`. */
  reach(target: Target, onStderr: (line: string) => void): ConnectTarget
  readText(path: string): Promise<string>
  /** Source files at or below `paths`, without `node_modules`, hidden folders, build output and declarations. */
  sourceFiles(paths: readonly string[]): Promise<readonly string[]>
  /** Absolute `file:` URL of a directory, or `undefined` when there is none of that name. */
  directoryUrl(path: string): Promise<string | undefined>
  /** Hands a URL to the system's browser, through no shell. False when that could not be done. */
  openUrl(url: string): Promise<boolean>
  /** Host name as people read it: punycode decoded. */
  unicodeHost(host: string): string
  /** Calls `stop` on Ctrl-C; gives what takes that back. */
  onInterrupt(stop: () => void): () => void
}

/** Where prompts are put. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Columns there are now. */
  columns(): number
  /** Throws away what was typed before a question stood there. True when Ctrl-C was among it. */
  discardTyped(): Promise<boolean>
}
