import { Command, CommanderError } from 'commander'
import { readHeaders, readTarget, readTimeout, splitCommand } from './command-line.ts'
import { call } from './commands/call.ts'
import { check } from './commands/check.ts'
import { keygen } from './commands/keygen.ts'
import { type AskingOptions } from './commands/asking.ts'
import { list } from './commands/list.ts'
import { prompt } from './commands/prompt.ts'
import { read } from './commands/read.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { beside, quoted } from './asks/asker.ts'
import { failureOf, type Failure } from './failure.ts'
import { type SessionOptions } from './session.ts'
import { harmless, harmlessJson } from './terminal/harmless.ts'
import { type Host } from './terminal/host.ts'
import { type Paint, paintFor } from './terminal/paint.ts'
import { type TypedArguments } from './tool-arguments.ts'
import { hung } from './terminal/wrap.ts'

const EXIT_HELP = `
Exit codes: 0 done, 1 the tool failed or check found something, 2 wrong use, 3 an ask could not be answered,
4 the server cannot be reached, 5 the server answered with an error, 130 interrupted.`

/**
 * Runs the command line.
 *
 * @param args without the program's own name
 * @returns how the process is to end; everything was printed
 */
export async function run(args: readonly string[], host: Host): Promise<ExitCode> {
  const { own, command } = splitCommand(args)
  let exit: ExitCode = EXIT.ok
  const program = programOf(host, command, async (work) => {
    exit = await work
  })
  try {
    await program.parseAsync([...own], { from: 'user' })
    return exit
  } catch (error) {
    const json = own.includes('--json')
    if (!(error instanceof CommanderError)) return report(failureOf(error), json, host)
    // Commander has printed its own text: help and version end well, anything else is wrong use.
    if (error.exitCode === 0) return EXIT.ok
    const { message } = error
    if (json) printError({ exit: EXIT.usage, code: 'CLI', message: message.replace(/^error: /, '') }, host)
    return EXIT.usage
  }
}

/** The one document that `--json` prints when there is no result. */
function printError(error: Failure, host: Host): void {
  host.stdout.write(`${harmlessJson({ error })}\n`)
}

function report(failure: Failure, json: boolean, host: Host): ExitCode {
  if (json) printError(failure, host)
  const paint = paintFor(host.stderr.colour)
  const { exit, message, said, hint, wire } = failure
  const { columns } = host.stderr
  const text =
    wire === undefined ? hung(`error: ${harmless(message)}`, columns) : refused(wire, message, paint, columns)
  const lines = [text.replace(/^error[^:]*:/, (word) => paint('red', word))]
  if (said !== undefined) lines.push(...quoted(said, paint, columns))
  if (hint !== undefined) lines.push(...hint.split('\n').map((line) => paint('dim', hung(harmless(line), columns))))
  host.stderr.write(`${lines.join('\n')}\n`)
  return exit
}

/** What a server answered with, in its own words. */
function refused(wire: number, message: string, paint: Paint, columns: number): string {
  return beside(`error ${wire}:`, message, paint, columns)
}

type Then = (work: Promise<ExitCode>) => Promise<void>

function programOf(host: Host, command: readonly string[] | undefined, then: Then): Command {
  const program = new Command('rondo')
    .description('Talks to MCP servers, and puts what their tools ask to you.')
    .version(host.version, '--version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      getOutHasColors: () => host.stdout.colour,
      getErrHasColors: () => host.stderr.colour,
    })
    .showHelpAfterError('(rondo --help shows how it is used)')
    .addHelpText('after', EXIT_HELP)
  addList(program, host, command, then)
  addCall(program, host, command, then)
  addPrompt(program, host, command, then)
  addRead(program, host, command, then)
  program
    .command('keygen')
    .description('print a new key for sealing continuation tokens (RONDO_STATE_KEYS)')
    .action(() => then(Promise.resolve(keygen(host))))
  program
    .command('check')
    .description('look for replay traps in the handlers of files and folders')
    .argument('[files...]', 'the current folder unless given')
    .option('--json', 'print one JSON document')
    .action((paths: string[], { json = false }: { json?: boolean }) => then(check({ paths, json }, host)))
  return program
}

interface ServerFlags {
  readonly header?: readonly string[]
  readonly timeout?: string
  readonly verbose?: boolean
  readonly json?: boolean
}

function serverCommand(program: Command, name: string, description: string, words: string): Command {
  return program
    .command(name)
    .description(description)
    .usage(words)
    .argument('[server...]')
    .option('--json', 'print one JSON document: the result, or { "error": … }')
    .option('--header <name: value>', 'HTTP header for every request; may be repeated', collect)
    .option('--timeout <time>', 'for one request, as 30s, 500ms or 2min (60s)')
    .option('--verbose', 'show each round, log messages and what the server writes to its stderr')
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function sessionOf(flags: ServerFlags): Omit<SessionOptions, 'target'> {
  return {
    headers: readHeaders(flags.header ?? []),
    timeout: readTimeout(flags.timeout),
    verbose: flags.verbose === true,
  }
}

function addList(program: Command, host: Host, command: readonly string[] | undefined, then: Then): void {
  serverCommand(program, 'list', 'show what a server offers', '[options] <url | -- command…>').action(
    (given: string[], flags: ServerFlags) => {
      const { target } = readTarget(given, command)
      return then(list({ ...sessionOf(flags), target, json: flags.json === true }, host))
    },
  )
}

interface AskingFlags extends ServerFlags {
  readonly arg?: readonly string[]
  readonly args?: string
  readonly answers?: string
  readonly root?: readonly string[]
}

/** A command whose request may ask, with the word that names what it asks for. */
function askingCommand(program: Command, name: string, description: string, word: string): Command {
  return serverCommand(
    program,
    name,
    description,
    `[options] <url> <${word}>\n       rondo ${name} [options] <${word}> -- <command…>`,
  )
    .option('--answers <file>', 'JSON file of answers by the key of their ask')
    .option('--root <dir>', 'directory to name when the server asks for roots; may be repeated', collect)
}

function withArguments(command: Command, description: string): Command {
  return command.option('--arg <key=value>', description, collect).option('--args <json>', 'arguments as a JSON object')
}

function askingOf(flags: AskingFlags): Omit<AskingOptions, 'target'> & { readonly typed: TypedArguments } {
  const { answers, root: roots = [], json = false } = flags
  return { ...sessionOf(flags), answers, roots, json, typed: { pairs: flags.arg ?? [], json: flags.args } }
}

function addCall(program: Command, host: Host, command: readonly string[] | undefined, then: Then): void {
  const added = askingCommand(program, 'call', 'call a tool and answer what it asks', 'tool')
  withArguments(added, "argument, read as the tool's schema types it; may be repeated")
    .addHelpText(
      'after',
      '\nWithout a tool before the --, the last word of the command names it: rondo call -- node server.js TOOL',
    )
    .action((given: string[], flags: AskingFlags) => {
      const { target, words } = readTarget(given, command, 'tool')
      return then(call({ ...askingOf(flags), target, tool: words[0] ?? '' }, host))
    })
}

function addPrompt(program: Command, host: Host, command: readonly string[] | undefined, then: Then): void {
  const added = askingCommand(program, 'prompt', 'get a prompt and answer what it asks', 'prompt')
  withArguments(added, 'argument; may be repeated').action((given: string[], flags: AskingFlags) => {
    const { target, words } = readTarget(given, command, 'prompt')
    return then(prompt({ ...askingOf(flags), target, prompt: words[0] ?? '' }, host))
  })
}

function addRead(program: Command, host: Host, command: readonly string[] | undefined, then: Then): void {
  askingCommand(program, 'read', 'read a resource and answer what it asks', 'uri').action(
    (given: string[], flags: AskingFlags) => {
      const { target, words } = readTarget(given, command, 'resource')
      return then(read({ ...askingOf(flags), target, uri: words[0] ?? '' }, host))
    },
  )
}
