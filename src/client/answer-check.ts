import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type ElicitRequestFormParams, type ElicitResult, isElicitResult } from '../protocol/elicitation.ts'
import { checkContent, fillDefaults } from '../protocol/form.ts'
import { METHODS } from '../protocol/methods.ts'
import { isListRootsResult } from '../protocol/roots.ts'
import { isCreateMessageResult } from '../protocol/sampling.ts'
import { type AskKind } from './handlers.ts'
import { type Answer, type InputRequest } from './round.ts'

/** What kind of ask an embedded request is. No `mode`, or one unknown, is a form (client/elicitation, "Protocol Messages"). */
export function askKind(ask: InputRequest): AskKind {
  const params = ask.params ?? {}
  if (ask.method === METHODS.rootsList) return 'roots'
  if (ask.method === METHODS.samplingCreateMessage) {
    return params['tools'] !== undefined || params['toolChoice'] !== undefined ? 'sampleWithTools' : 'sample'
  }
  return params['mode'] === 'url' ? 'url' : 'form'
}

/**
 * The answer as it may be sent: checked against what was asked, with the form's defaults filled in where a property is
 * absent.
 *
 * @throws RondoError `ANSWER_INVALID` naming the ask and what does not fit
 */
export function checkedAnswer(key: string, ask: InputRequest, given: unknown): Answer {
  const kind = askKind(ask)
  const answer = asSent(key, given)
  if (kind === 'roots') {
    const result: unknown = Array.isArray(answer) ? { roots: answer } : answer
    if (isListRootsResult(result)) return result
    throw unfit(key, 'roots are a list of { uri } with file:// URIs')
  }
  if (kind === 'sample' || kind === 'sampleWithTools') {
    if (isCreateMessageResult(answer)) return answer
    throw unfit(key, 'a sample is { role, content, model }')
  }
  if (!isElicitResult(answer)) throw unfit(key, 'an elicitation is answered with { action, content? }')
  // The content of anything but an accepted form is nobody's business.
  if (answer.action !== 'accept' || kind === 'url') return withoutContent(answer)
  return { ...answer, content: checkedContent(key, ask, answer.content) }
}

/** The answer as its JSON says it, read once: what is checked is what is sent. */
function asSent(key: string, answer: unknown): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(answer)
  } catch (error) {
    throw unfit(key, `JSON cannot say it: ${errorText(error)}`)
  }
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

function checkedContent(
  key: string,
  ask: InputRequest,
  given: ElicitResult['content'],
): NonNullable<ElicitResult['content']> {
  const { requestedSchema } = formParams(key, ask)
  const content = fillDefaults(requestedSchema, { ...given })
  const problem = checkContent(requestedSchema, content)
  if (problem !== undefined) throw unfit(key, problem)
  return content as NonNullable<ElicitResult['content']>
}

/** @throws RondoError `RESPONSE_INVALID` for a form that is none */
export function formParams(key: string, ask: InputRequest): ElicitRequestFormParams {
  const { message, requestedSchema } = ask.params ?? {}
  const properties = (requestedSchema as { properties?: unknown } | null | undefined)?.properties
  if (typeof message === 'string' && typeof properties === 'object' && properties !== null) {
    return ask.params as unknown as ElicitRequestFormParams
  }
  throw new RondoError('RESPONSE_INVALID', `The server's form "${key}" lacks its message or its schema`)
}

function withoutContent(answer: ElicitResult): ElicitResult {
  if (answer.content === undefined) return answer
  const { content: _private, ...rest } = answer
  return rest
}

function unfit(key: string, reason: string): RondoError<'ANSWER_INVALID'> {
  return new RondoError('ANSWER_INVALID', `The answer to "${key}" cannot be sent: ${reason}`, { data: { key, reason } })
}
