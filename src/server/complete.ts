import { isJsonObject } from '../jsonrpc/json-object.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { CompleteResult } from '../protocol/completion.ts'
import type { CompleteFn, CompletionRequest } from './completer.ts'
import { callerOf } from './visible.ts'
import type { Maybe } from './maybe.ts'
import { isThenable } from '../replay/thenable.ts'
import type { Registry } from './registry.ts'
import type { ServerRequest } from './request.ts'
import type { Stamp } from './stamp.ts'
import type { Caller } from './visible.ts'

/** Most suggestions of one answer (server/utilities/completion, "Completion Results"). */
const MAX_VALUES = 100

interface Question {
  readonly ref: { readonly type: 'ref/prompt' | 'ref/resource'; readonly name: string }
  readonly name: string
  readonly value: string
  readonly arguments: Readonly<Record<string, string>>
}

/**
 * What `completion/complete` answers: the JSON text of a whole complete result.
 *
 * It throws, or rejects with, WireError `METHOD_NOT_FOUND` when the server completes nothing, `INVALID_PARAMS` for what
 * cannot be read, for an unknown or hidden prompt or template and for an unknown argument; what a completer throws goes
 * through.
 *
 * @see server/utilities/completion of the specification
 */
export function completion(registry: Registry, stamp: Stamp): (request: ServerRequest) => Maybe<string> {
  return (request) => {
    if (!registry.offers('completions')) throw new WireError('METHOD_NOT_FOUND', 'This server completes no arguments')
    const question = readQuestion(request.params)
    const caller = callerOf(request)
    const complete = completerOf(question, registry, caller)
    if (complete === undefined) return stamp.complete({ completion: { values: [], total: 0, hasMore: false } })
    const given: CompletionRequest = { arguments: question.arguments, principal: caller.principal, auth: caller.auth }
    const completions: unknown = complete(question.value, given)
    return isThenable(completions)
      ? Promise.resolve(completions).then((value) => stamp.complete({ completion: cut(value) }))
      : stamp.complete({ completion: cut(completions) })
  }
}

function readQuestion(params: ServerRequest['params']): Question {
  const { ref, argument, context } = params
  if (!isJsonObject(ref)) throw invalid('ref must be an object')
  const byUri = ref.type === 'ref/resource'
  if (!byUri && ref.type !== 'ref/prompt') throw invalid('ref.type must be "ref/prompt" or "ref/resource"')
  const name = byUri ? ref.uri : ref.name
  if (typeof name !== 'string') throw invalid(`ref.${byUri ? 'uri' : 'name'} must be a text`)
  if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalid('argument must be an object with the texts name and value')
  }
  const settled = readContext(context)
  return {
    ref: { type: byUri ? 'ref/resource' : 'ref/prompt', name },
    name: argument.name,
    value: argument.value,
    arguments: settled,
  }
}

function readContext(context: unknown): Readonly<Record<string, string>> {
  const settled = Object.create(null) as Record<string, string>
  if (context === undefined) return settled
  const given = isJsonObject(context) ? (context.arguments ?? {}) : undefined
  if (!isJsonObject(given)) throw invalid('context.arguments must be an object of texts')
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw invalid('context.arguments must be an object of texts')
    settled[name] = value
  }
  return settled
}

/** The completer of the argument; `undefined` when the argument is known and has none. */
function completerOf(question: Question, registry: Registry, caller: Caller): CompleteFn | undefined {
  const { ref, name } = question
  if (ref.type === 'ref/prompt') {
    const prompt = registry.findPrompt(ref.name, caller)
    if (prompt === undefined) throw invalid('Unknown prompt')
    if (!prompt.names.has(name)) throw invalid('Unknown argument')
    return prompt.complete.get(name)
  }
  const template = registry.findTemplate(ref.name, caller) ?? registry.findResource(ref.name, caller)?.entry
  if (template === undefined) throw invalid('Unknown resource template')
  if (template.kind !== 'template' || !template.template.variables.includes(name)) throw invalid('Unknown argument')
  return template.complete.get(name)
}

/** At most 100 values, and how many there are in all. */
function cut(given: unknown): CompleteResult['completion'] {
  const { values, total, hasMore }: Record<string, unknown> = Array.isArray(given)
    ? { values: given, total: given.length }
    : isJsonObject(given)
      ? given
      : {}
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw bad('must give an array of texts, or { values: […], total?, hasMore? }')
  }
  if (total !== undefined && !(Number.isSafeInteger(total) && (total as number) >= 0)) {
    throw bad('gave a total that is no whole number from 0 up')
  }
  const shown = values.slice(0, MAX_VALUES)
  const more = values.length > MAX_VALUES || (typeof total === 'number' && total > shown.length) || hasMore === true
  return { values: shown, ...(total === undefined ? {} : { total: total as number }), hasMore: more }
}

function invalid(message: string): WireError {
  return new WireError('INVALID_PARAMS', message)
}

function bad(what: string): RondoError {
  return new RondoError('RESULT_INVALID', `A completer ${what}.`)
}
