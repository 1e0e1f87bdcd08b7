import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { EMBEDDABLE_METHODS, METHODS } from '../protocol/methods.ts'
import { type Round } from './round.ts'
import { leaf, type Look, mapOf, NUMBER, OBJECT, objectOf, optional, TEXT, told } from './shape.ts'

const oneOf = (is: string, values: readonly unknown[]): Look => leaf(is, (value) => values.includes(value))

const ROUND = objectOf({
  kind: oneOf('"input_required"', ['input_required']),
  request: objectOf({
    method: oneOf('one that may ask', [METHODS.toolsCall, METHODS.promptsGet, METHODS.resourcesRead]),
    params: objectOf({ arguments: optional(OBJECT) }),
  }),
  round: leaf('a whole number from 1 up', (value) => Number.isSafeInteger(value) && (value as number) > 0),
  asks: mapOf(objectOf({ method: oneOf('one that can be embedded', EMBEDDABLE_METHODS), params: optional(OBJECT) })),
  token: optional(TEXT),
  expires: optional(NUMBER),
  capabilities: OBJECT,
})

/** What each round adds to its request: twice in one message, either could be read. */
const ADDED = ['inputResponses', 'requestState', '_meta'] as const

/**
 * A round that comes from outside, where it may have been kept by anybody: read once, as its JSON says it.
 *
 * @throws RondoError `CONFIG_INVALID` when it is none that waits for answers, naming what is wrong with it
 */
export function keptRound(given: unknown): Round {
  let round: unknown
  try {
    round = JSON.parse(JSON.stringify(given) ?? 'null')
  } catch (error) {
    throw none(`It cannot be read: ${errorText(error)}`)
  }
  const problem = ROUND(round) ?? requestProblem(round as Round)
  if (problem !== undefined) throw none(problem.startsWith(' ') ? `It${problem}` : `Its ${told(problem)}`)
  return round as Round
}

function requestProblem({ request: { method, params } }: Round): string | undefined {
  const named = method === METHODS.resourcesRead ? 'uri' : 'name'
  const problem = TEXT(params[named])
  if (problem !== undefined) return `.request.params.${named}${problem}`
  const added = ADDED.find((member) => params[member] !== undefined)
  return added === undefined ? undefined : `.request.params has ${added}, which is of a round and not of the request`
}

function none(why: string): RondoError<'CONFIG_INVALID'> {
  return new RondoError(
    'CONFIG_INVALID',
    `Only a round of the kind "input_required" can be resumed: what startTool() or resume() gave, as it was, or parsed from its JSON. ${why}.`,
  )
}
