import { type Client } from '../../client/client.ts'
import { type CallOptions, type Wait } from '../../client/client-options.ts'
import { isRondoError } from '../../errors/rondo-error.ts'
import { AnswersFile } from '../answers-file.ts'
import { handlersFor } from '../asks/answering.ts'
import { beside } from '../asks/asker.ts'
import { keptBy, sayGiven } from '../asks/undelivered.ts'
import { clackPrompter } from '../asks/clack-prompter.ts'
import { CliError } from '../cli-error.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type SessionOptions, withClient } from '../session.ts'
import { oneLine } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint, paintFor } from '../terminal/paint.ts'

/** Options of the commands whose request may ask. */
export interface AskingOptions extends SessionOptions {
  readonly answers: string | undefined
  readonly roots: readonly string[]
  readonly json: boolean
}

/**
 * Runs a request that may ask, and puts what it asks to the answers file and to the person at the terminal.
 *
 * @param work sends the request with the options it is given, and prints what comes of it
 */
export async function asking(
  options: AskingOptions,
  host: Host,
  work: (client: Client, options: CallOptions) => Promise<ExitCode>,
): Promise<ExitCode> {
  const paint = paintFor(host.stderr.colour)
  const say = (text: string): void => host.stderr.write(`${text}\n`)
  const answers = options.answers === undefined ? undefined : await answersFrom(options.answers, host)
  const prompter = host.terminal === undefined ? undefined : clackPrompter(host.terminal, paint)
  const given = new Map<string, unknown>()
  const handlers = handlersFor({
    given,
    answers,
    prompter,
    roots: await rootsOf(options.roots, host),
    host,
    paint,
    ...(options.verbose && { told: say }),
  })
  return withClient(host, paint, options, handlers, async (client, signal) => {
    // A program that went away does not come back; a server at a URL may.
    const keep = prompter !== undefined && 'url' in options.target && keptBy(prompter, paint, signal, given)
    const exit = await work(client, {
      signal,
      ...listeners(options, host, paint, say),
      ...(keep !== false && { onUndelivered: keep }),
    }).catch((error: unknown) => {
      // A server that was started anew without its keys knows no token: what was typed is not to be typed again.
      if (prompter !== undefined && isRondoError(error, 'ROUND_REFUSED')) sayGiven(given, prompter, paint)
      throw error
    })
    const unused = answers?.unused() ?? []
    if (unused.length > 0) {
      const keys = unused.map((key) => JSON.stringify(oneLine(key, 80))).join(', ')
      say(`${paint('yellow', 'warning:')} the answers file has answers nothing asked for: ${keys}`)
    }
    return exit
  })
}

/** What is told while the server works. */
function listeners(options: AskingOptions, host: Host, paint: Paint, say: (text: string) => void): CallOptions {
  const { isTerminal, columns } = host.stderr
  const waits = isTerminal && !options.json
  return {
    ...(waits && { onWait: ({ reason }: Wait) => say(paint('dim', WAITING[reason])) }),
    onProgress: ({ progress, total, message }) => {
      if (!options.verbose && !isTerminal) return
      const done = `${progress}${total === undefined ? '' : `/${total}`}`
      say(message === undefined ? done : beside(done, oneLine(message), paint, columns))
    },
    ...(options.verbose && {
      onLog: ({ level, data }) => say(beside(`${level}:`, oneLine(textOf(data), 500), paint, columns)),
    }),
  }
}

const WAITING: Readonly<Record<Wait['reason'], string>> = {
  'no-reply': 'Waiting for the server …',
  'state-only': 'The server is not ready yet; it is asked again until it is …',
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
