import { type Client } from '../../client/client.ts'
import { type Wait } from '../../client/client-options.ts'
import { type CallToolResult, type Tool } from '../../protocol/tool.ts'
import { AnswersFile } from '../answers-file.ts'
import { handlersFor } from '../asks/answering.ts'
import { beside } from '../asks/asker.ts'
import { clackPrompter } from '../asks/clack-prompter.ts'
import { CliError } from '../cli-error.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type SessionOptions, withClient } from '../session.ts'
import { resultText } from '../show-result.ts'
import { harmlessJson, oneLine } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { paintFor } from '../terminal/paint.ts'
import { toolArguments, type TypedArguments } from '../tool-arguments.ts'

/** Options of `rondo call`. */
export interface CallCommandOptions extends SessionOptions {
  readonly tool: string
  readonly typed: TypedArguments
  readonly answers: string | undefined
  readonly roots: readonly string[]
  readonly json: boolean
}

/** `rondo call`: calls a tool, and puts what it asks to the person at the terminal or to the answers file. */
export async function call(options: CallCommandOptions, host: Host): Promise<ExitCode> {
  const paint = paintFor(host.stderr.colour)
  const say = (text: string): void => host.stderr.write(`${text}\n`)
  const answers = options.answers === undefined ? undefined : await answersFrom(options.answers, host)
  const handlers = handlersFor({
    answers,
    prompter: host.terminal === undefined ? undefined : clackPrompter(host.terminal, paint),
    roots: await rootsOf(options.roots, host),
    host,
    paint,
    ...(options.verbose && { told: (text: string) => say(text) }),
  })
  return withClient(host, paint, options, handlers, async (client, signal) => {
    const tool = await findTool(client, options, signal)
    const args = toolArguments(options.typed, tool.inputSchema)
    const result = await client.callTool(tool.name, args, {
      signal,
      ...(host.stderr.isTerminal &&
        !options.json && { onWait: ({ reason }: Wait) => say(paint('dim', WAITING[reason])) }),
      onProgress: ({ progress, total, message }) => {
        if (!options.verbose && !host.stderr.isTerminal) return
        const done = `${progress}${total === undefined ? '' : `/${total}`}`
        say(message === undefined ? done : beside(done, oneLine(message), paint, host.stderr.columns))
      },
      ...(options.verbose && {
        onLog: ({ level, data }) => say(beside(`${level}:`, oneLine(textOf(data), 500), paint, host.stderr.columns)),
      }),
    })
    const unused = answers?.unused() ?? []
    if (unused.length > 0) {
      const keys = unused.map((key) => JSON.stringify(oneLine(key, 80))).join(', ')
      say(`${paint('yellow', 'warning:')} the answers file has answers nothing asked for: ${keys}`)
    }
    return show(result, options.json, host)
  })
}

const WAITING: Readonly<Record<Wait['reason'], string>> = {
  'no-reply': 'Waiting for the server …',
  'state-only': 'The server is not ready yet; it is asked again until it is …',
}

function show(result: CallToolResult, json: boolean, host: Host): ExitCode {
  const failed = result.isError === true
  if (json) host.stdout.write(`${harmlessJson(result)}\n`)
  else if (failed) host.stderr.write(`${failedText(result, host)}\n`)
  else host.stdout.write(`${resultText(result)}\n`)
  return failed ? EXIT.failed : EXIT.ok
}

function failedText(result: CallToolResult, { stderr }: Host): string {
  const paint = paintFor(stderr.colour)
  const text = beside(FAILED, resultText(result), paint, stderr.columns)
  return text.replace(FAILED, paint('red', FAILED))
}

const FAILED = 'The tool failed:'

async function findTool(
  client: Client,
  { tool: name, target }: CallCommandOptions,
  signal: AbortSignal,
): Promise<Tool> {
  const names: string[] = []
  for await (const tool of client.tools({ signal })) {
    if (tool.name === name) return tool
    names.push(oneLine(tool.name, 80))
  }
  const hint = names.length === 0 ? 'It has no tools.' : `It has: ${names.slice(0, 30).join(', ')}`
  const where = 'command' in target ? '\nName the tool before the --: rondo call TOOL -- COMMAND' : ''
  throw new CliError(EXIT.usage, `The server has no tool "${name}".`, hint + where)
}

async function answersFrom(path: string, host: Host): Promise<AnswersFile> {
  let text: string
  try {
    text = await host.readText(path)
  } catch (error) {
    throw new CliError(EXIT.usage, `The answers file cannot be read: ${(error as Error).message}`)
  }
  return new AnswersFile(path, text)
}

async function rootsOf(
  paths: readonly string[],
  host: Host,
): Promise<readonly { uri: string; name: string }[] | undefined> {
  if (paths.length === 0) return undefined
  return Promise.all(
    paths.map(async (path) => {
      const uri = await host.directoryUrl(path)
      if (uri === undefined) throw new CliError(EXIT.usage, `--root ${path}: there is no such directory.`)
      return { uri, name: path }
    }),
  )
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}
