import { type Ask, type Handlers } from '../../client/handlers.ts'
import { type Root } from '../../protocol/roots.ts'
import { type AnswersFile } from '../answers-file.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { oneLine } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint } from '../terminal/paint.ts'
import { askerLine, authorKey, beside, nameOf, quoted } from './asker.ts'
import { Drafts } from './drafts.ts'
import { type Prompter } from './prompter.ts'
import { putForm } from './put-form.ts'
import { putSample } from './put-sample.ts'
import { putUrl } from './put-url.ts'
import { urlText } from './url-warnings.ts'

/** Where answers come from: the file first, then the person at the terminal. */
export interface Answering {
  readonly answers: AnswersFile | undefined
  /** `undefined` without a terminal. */
  readonly prompter: Prompter | undefined
  readonly roots: readonly Root[] | undefined
  /** Takes what the person answered, by the author's key. */
  readonly given: Map<string, unknown>
  readonly host: Host
  readonly paint: Paint
  /** Told of every ask and its answer; for `--verbose`. */
  told?(text: string): void
}

/**
 * Handlers of a call's asks. Forms and URLs are always declared, so that a missing terminal is told plainly; sampling
 * only where somebody can answer in a model's place, roots only where some were given.
 */
export function handlersFor(setting: Answering): Handlers {
  const { answers, prompter, roots, host, paint } = setting
  const drafts = new Drafts()
  const sample: Handlers['onSample'] = (ask) =>
    answered(
      setting,
      ask,
      'a sample',
      ask.request.systemPrompt,
      () => answers?.sample(ask),
      (to) => putSample(ask, to, paint),
    )
  return {
    onElicit: (ask) =>
      answered(
        setting,
        ask,
        'a form',
        ask.request.message,
        () => answers?.form(ask),
        (to) => putForm(ask, to, paint, drafts),
      ),
    onUrl: (ask) =>
      answered(
        setting,
        ask,
        'a page',
        ask.request.message,
        () => {
          const filed = answers?.url(ask)
          // Whoever agrees by a file must still be able to see to what.
          if (filed !== undefined)
            host.stderr.write(
              `${beside(`The page of "${nameOf(ask.key)}":`, urlText(ask.request.url), paint, host.stderr.columns)}\n`,
            )
          return filed
        },
        (to) => putUrl(ask, to, paint, host),
        ` to open ${urlText(ask.request.url)}`,
      ),
    ...((prompter !== undefined || answers !== undefined) && { onSample: sample }),
    ...(answers !== undefined && { onSampleWithTools: sample }),
    ...(roots !== undefined && { onRoots: () => roots }),
  }
}

async function answered<A extends object>(
  setting: Answering,
  ask: Ask<unknown>,
  what: string,
  message: string | undefined,
  fromFile: () => A | undefined,
  fromPerson: (prompter: Prompter) => Promise<A>,
  wanted = '',
): Promise<A> {
  const { paint, prompter, told } = setting
  const key = nameOf(ask.key)
  const filed = fromFile()
  if (filed === undefined && prompter !== undefined) {
    const answer = await fromPerson(prompter)
    setting.given.set(authorKey(ask.key), answer)
    return answer
  }
  told?.(`round ${ask.round}: ${askerLine(ask.server)} asks for ${what}, "${key}"`)
  told?.(quoted(message ?? '', paint, setting.host.stderr.columns).join('\n'))
  if (filed === undefined) throw unanswered(key, wanted, setting)
  told?.(`answer: ${oneLine(JSON.stringify(filed), 500)}`)
  return filed
}

function unanswered(key: string, wanted: string, { answers }: Answering): CliError {
  const why =
    answers === undefined ? 'there is no terminal to ask in' : 'the answers file has none, and there is no terminal'
  const hint = `Run it in a terminal, or give the answer with --answers FILE: { ${JSON.stringify(key)}: … }`
  return new CliError(EXIT.unanswered, `The server asks "${key}"${wanted}, and ${why}.`, hint)
}
