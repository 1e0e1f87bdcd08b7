import { CliError } from './cli-error.ts'
import { EXIT } from './exit-codes.ts'

/** Where a server is: a URL, or a program to start with its arguments. */
export type Target = { readonly url: string } | { readonly command: readonly [string, ...string[]] }

/** A command line taken apart: our own words, and the server's command that stands after `--`. */
export interface SplitArguments {
  readonly own: readonly string[]
  readonly command: readonly string[] | undefined
}

/**
 * Takes the server's command out of the arguments: everything after `--`, up to a second `--` after which our own words
 * go on (`rondo call -- node server.js -- deploy --arg env=staging`).
 */
export function splitCommand(args: readonly string[]): SplitArguments {
  const from = args.indexOf('--')
  if (from < 0) return { own: args, command: undefined }
  const to = args.indexOf('--', from + 1)
  const own = [...args.slice(0, from), ...(to < 0 ? [] : args.slice(to + 1))]
  return { own, command: args.slice(from + 1, to < 0 ? undefined : to) }
}

/** What a command line must name beside the server. */
export type Named = keyof typeof NAMED

const NAMED = { tool: 'rondo call TOOL', prompt: 'rondo prompt PROMPT', resource: 'rondo read URI' } as const

/**
 * The server, and the words that are left (the tool's name). In `rondo call -- node server.js deploy`, where no word of
 * ours names the tool, the last word of the command does.
 *
 * @param wanted what must be named; nothing for a command that takes a server alone
 */
export function readTarget(
  words: readonly string[],
  command: readonly string[] | undefined,
  wanted?: Named,
): { readonly target: Target; readonly words: readonly string[] } {
  if (command !== undefined) return commandTarget(words, command, wanted)
  const [first, ...rest] = words
  if (first === undefined) throw new CliError(EXIT.usage, 'No server is given.', HINT)
  if (!/^https?:\/\//i.test(first)) {
    throw new CliError(EXIT.usage, `${JSON.stringify(first)} is not a URL of http: or https:.`, meantBy(words))
  }
  return { target: { url: first }, words: exactly(rest, wanted) }
}

/** What a first word that is no URL most likely stands for. */
function meantBy([first = '', ...rest]: readonly string[]): string {
  if (/^[\w.-]+(:\d+)?(\/|$)|^\[[\da-f:]+\]/i.test(first) && (/[:/]/.test(first) || first === 'localhost')) {
    return `Did you mean http://${first}?`
  }
  if (PROGRAMS.has(first) || /\.[cm]?[jt]s$/.test(first)) {
    return `A server that is a program stands after --: -- ${[first, ...rest].join(' ')}`
  }
  return HINT
}

const PROGRAMS = new Set(['node', 'npx', 'bun', 'deno', 'tsx', 'python', 'python3', 'uvx', 'docker'])

const HINT = 'Give a URL (http://127.0.0.1:3920/mcp), or a command after -- (-- node server.js).'

function commandTarget(
  words: readonly string[],
  command: readonly string[],
  wanted?: Named,
): { readonly target: Target; readonly words: readonly string[] } {
  const missing = wanted !== undefined && words.length === 0
  if (missing && command.length > 0 && !endsInTool(command)) {
    const hint = `Put it before the --: ${NAMED[wanted]} -- ${command.join(' ')}`
    throw new CliError(EXIT.usage, `No ${wanted} is named.`, hint)
  }
  const borrowed = missing && command.length > 1
  const [file, ...args] = borrowed ? command.slice(0, -1) : command
  const left = borrowed ? [...words, ...command.slice(-1)] : words
  if (file === undefined) throw new CliError(EXIT.usage, 'No command stands after --.', HINT)
  return { target: { command: [file, ...args] }, words: exactly(left, wanted) }
}

/** Whether the last word of a command can name a tool: the program, its file and its options cannot. */
function endsInTool(command: readonly string[]): boolean {
  const last = command.at(-1) ?? ''
  return command.length > 2 && !/^-|[/\\]|\.\w+$|^\d+$/.test(last)
}

function exactly(words: readonly string[], wanted: Named | undefined): readonly string[] {
  if (wanted !== undefined && words.length === 0) {
    throw new CliError(EXIT.usage, `No ${wanted} is named.`, 'rondo list shows what a server has.')
  }
  const extra = words[wanted === undefined ? 0 : 1]
  if (extra !== undefined) {
    const hint = extra.includes('=') ? `Arguments are given with --arg: --arg ${extra}` : undefined
    throw new CliError(EXIT.usage, `Unexpected word ${JSON.stringify(extra)}.`, hint)
  }
  return words
}

/** Headers from `--header 'Name: value'`. */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) {
        throw new CliError(EXIT.usage, `--header takes "Name: value", not ${JSON.stringify(line)}.`)
      }
      return [name, value]
    }),
  )
}

/** Milliseconds from `--timeout`: seconds, or a number with a unit (`500ms`, `30s`, `2min`). */
export function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits, unit = 's'] = /^(\d+(?:\.\d+)?)\s*(ms|s|min)?$/.exec(text) ?? []
  if (digits === undefined)
    throw new CliError(EXIT.usage, `--timeout takes a time such as 30s, not ${JSON.stringify(text)}.`)
  return Math.round(Number(digits) * (unit === 'ms' ? 1 : unit === 'min' ? 60_000 : 1000))
}
