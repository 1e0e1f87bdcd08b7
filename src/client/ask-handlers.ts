import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type ElicitRequestURLParams, type FormValue } from '../protocol/elicitation.ts'
import { checkContent, fillDefaults } from '../protocol/form.ts'
import { checkSamplingParams, type CreateMessageRequestParams } from '../protocol/sampling.ts'
import { askKind, checkedAnswer, formParams } from './answer-check.ts'
import { type Ask, type AskingServer, type CallInfo, type Handlers } from './handlers.ts'
import { InputRequiredError } from './input-required-error.ts'
import { cancelled } from './request-scope.ts'
import { type Answer, type InputRequest, type Round } from './round.ts'

/** Where a round's asks go. */
export interface AskSetting {
  readonly handlers: Handlers
  readonly call: CallInfo
  readonly server: AskingServer
  readonly serial: boolean
  readonly signal: AbortSignal | undefined
}

type Put = (key: string, ask: InputRequest, base: Omit<Ask<never>, 'request' | 'key'>) => unknown

/**
 * Puts every ask of a round to its handler, together unless `serial`, and gives the answers by key.
 *
 * @throws InputRequiredError when an ask has no handler (then nobody was asked anything) or a handler failed
 * @throws RondoError `REQUEST_CANCELLED` when the caller gave up
 */
export async function answerRound(round: Round, setting: AskSetting): Promise<Record<string, Answer>> {
  const answers = Object.create(null) as Record<string, Answer>
  const keys = Object.keys(round.asks)
  const puts = keys.map((key) => putter(round, key, setting.handlers))
  const controller = new AbortController()
  const gone = follow(setting.signal, controller)
  const base = { call: setting.call, round: round.round, server: setting.server, signal: controller.signal }
  let failed: { readonly key: string; readonly cause: unknown } | undefined
  const one = async (key: string, index: number): Promise<void> => {
    const ask = round.asks[key] as InputRequest
    try {
      answers[key] = checkedAnswer(
        key,
        ask,
        await puts[index]?.(key, ask, { ...base, place: { at: index + 1, of: keys.length } }),
      )
    } catch (cause) {
      failed ??= { key, cause }
      throw cause
    }
  }
  try {
    const work = setting.serial ? inTurn(keys, one) : Promise.all(keys.map(one))
    await Promise.race([work, gone.promise])
  } catch (error) {
    // Whoever is still being asked can close the window.
    controller.abort(error)
    if (setting.signal?.aborted || failed === undefined) throw error
    await answersUnderWay()
    throw unanswered(round, failed.key, failed.cause, answers)
  } finally {
    gone.stop()
  }
  return answers
}

/** Answers given before another ask failed are kept; they may be a few promises away from being recorded. */
async function answersUnderWay(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

function unanswered(
  round: Round,
  failed: string,
  cause: unknown,
  given: Readonly<Record<string, Answer>>,
): InputRequiredError {
  const answers = Object.assign(Object.create(null), given) as Record<string, Answer>
  return new InputRequiredError(`"${failed}" was not answered: ${errorText(cause)}`, { round, answers, failed, cause })
}

async function inTurn(keys: readonly string[], one: (key: string, index: number) => Promise<void>): Promise<void> {
  for (const [index, key] of keys.entries()) await one(key, index)
}

/** A promise that rejects when the caller gives up, and what stops waiting for that. */
function follow(
  signal: AbortSignal | undefined,
  controller: AbortController,
): { promise: Promise<never>; stop: () => void } {
  if (signal === undefined) return { promise: new Promise<never>(() => undefined), stop: () => undefined }
  let stop = (): void => undefined
  const promise = new Promise<never>((_, reject) => {
    const abort = (): void => {
      const error = cancelled(signal.reason)
      reject(error)
      controller.abort(error)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    stop = () => signal.removeEventListener('abort', abort)
  })
  return { promise, stop }
}

function putter(round: Round, key: string, handlers: Handlers): Put {
  const kind = askKind(round.asks[key] as InputRequest)
  const put = {
    form: handlers.onElicit && putForm(handlers.onElicit),
    url: handlers.onUrl && putUrl(handlers.onUrl),
    sample: sampler(handlers.onSample ?? handlers.onSampleWithTools),
    sampleWithTools: sampler(handlers.onSampleWithTools),
    roots: handlers.onRoots && putRoots(handlers.onRoots),
  }[kind]
  if (put) return put
  throw new InputRequiredError(
    `The server asks "${key}" (${kind}), and there is no ${OPTION[kind]} to answer it. Give one, or drive the rounds by hand.`,
    { round, answers: Object.create(null) as Record<string, Answer> },
  )
}

const OPTION = {
  form: 'onElicit',
  url: 'onUrl',
  sample: 'onSample',
  sampleWithTools: 'onSampleWithTools',
  roots: 'onRoots',
} as const

function putForm(handler: NonNullable<Handlers['onElicit']>): Put {
  return (key, ask, base) => {
    const request = formParams(key, ask)
    return handler({
      ...base,
      key,
      request,
      fill: (content = {}) => fillDefaults(request.requestedSchema, { ...content }) as Record<string, FormValue>,
      check: (content) => checkContent(request.requestedSchema, content),
    })
  }
}

function putUrl(handler: NonNullable<Handlers['onUrl']>): Put {
  return (key, ask, base) => {
    const request = ask.params as unknown as ElicitRequestURLParams
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    // Nothing else may be put before a person to open: `javascript:`, `file:` and apps' schemes act on a click.
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new RondoError(
        'RESPONSE_INVALID',
        `The server asks to open ${JSON.stringify(request.url)}, not a web address`,
      )
    }
    return handler({ ...base, key, request, host: url.host })
  }
}

function sampler(handler: Handlers['onSample']): Put | undefined {
  return (
    handler &&
    ((key, ask, base) => {
      const problem = checkSamplingParams(ask.params)
      if (problem !== undefined)
        throw new RondoError('RESPONSE_INVALID', `The server's sampling request is invalid: ${problem}`)
      return handler({ ...base, key, request: ask.params as unknown as CreateMessageRequestParams })
    })
  )
}

function putRoots(handler: NonNullable<Handlers['onRoots']>): Put {
  return (key, _ask, base) => handler({ ...base, key, request: undefined })
}
