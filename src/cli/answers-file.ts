import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type Ask, type FormAsk, type UrlAsk } from '../client/handlers.ts'
import { type ElicitResult, type FormValue } from '../protocol/elicitation.ts'
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  isCreateMessageResult,
} from '../protocol/sampling.ts'
import { nameOf } from './asks/asker.ts'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-codes.ts'
import { oneLine } from './terminal/harmless.ts'

/**
 * Answers by the key of their ask, from a file of JSON. A key `why` answers every ask of that name; when its value is an
 * array, the first element answers the first time it is put, the second the next (`why~2`, or `why#2` in a loop), and so
 * on. A key written out in full (`why~2`) goes before that.
 */
export class AnswersFile {
  readonly #answers: ReadonlyMap<string, unknown>
  readonly #path: string
  readonly #used = new Set<string>()

  constructor(path: string, text: string) {
    this.#path = path
    const parsed = parse(path, text)
    this.#answers = new Map(Object.entries(parsed))
  }

  /**
   * Answer to a form: an action (`{ "action": "accept", "content": … }`), the content alone, or, where the form has one
   * field, the value alone. `undefined` when the file says nothing about it.
   *
   * @throws CliError when the answer does not fit the form
   */
  form(ask: FormAsk): ElicitResult | undefined {
    const found = this.#find(ask.key)
    if (found === undefined) return undefined
    const action = asAction(found.value)
    if (action !== undefined && action.action !== 'accept') return action
    const given = action === undefined ? this.#contentOf(ask, found.value) : (action.content ?? {})
    const content = ask.fill(given)
    const problem = ask.check(content)
    if (problem !== undefined) throw this.#unfit(ask.key, oneLine(problem.replace(/^value: /, 'Answer: ')))
    return { action: 'accept', content }
  }

  /** Answer to a URL ask: an action, or `true` (accept) or `false` (decline). Nothing is opened. */
  url(ask: UrlAsk): ElicitResult | undefined {
    const found = this.#find(ask.key)
    if (found === undefined) return undefined
    if (typeof found.value === 'boolean') return { action: found.value ? 'accept' : 'decline' }
    const action = asAction(found.value)
    if (action !== undefined) return { action: action.action }
    throw this.#unfit(ask.key, 'a URL ask is answered with true, false or { "action": … }')
  }

  /** Answer in a model's place: a text, or a whole result (`{ "role", "content", "model" }`). */
  sample(ask: Ask<CreateMessageRequestParams>): CreateMessageResult | undefined {
    const found = this.#find(ask.key)
    if (found === undefined) return undefined
    if (isCreateMessageResult(found.value)) return found.value
    if (typeof found.value !== 'string')
      throw this.#unfit(ask.key, 'a sampling request is answered with a text or a result')
    return {
      role: 'assistant',
      content: { type: 'text', text: found.value },
      model: 'answers file',
      stopReason: 'endTurn',
    }
  }

  /** Keys that answered nothing so far. */
  unused(): readonly string[] {
    return [...this.#answers.keys()].filter((key) => !this.#used.has(key))
  }

  #find(key: string): { readonly value: unknown } | undefined {
    const [, name = key, occurrence, put] = /^([^#~]+)(?:#(\d+))?(?:~(\d+))?$/.exec(key) ?? []
    const times: number[] = []
    for (const exact of [key, put === undefined ? undefined : key.slice(0, key.lastIndexOf('~')), name]) {
      if (exact === undefined || !this.#answers.has(exact)) continue
      this.#used.add(exact)
      if (exact !== key && put !== undefined) times.push(Number(put))
      if (exact === name && occurrence !== undefined) times.unshift(Number(occurrence))
      return this.#nth(key, this.#answers.get(exact), times)
    }
    return undefined
  }

  /** Follows lists: the element for this time, or the value itself where there is no list. */
  #nth(key: string, value: unknown, times: readonly number[]): { readonly value: unknown } {
    if (!Array.isArray(value)) return { value }
    const [time = 1, ...rest] = times
    if (time > value.length)
      throw this.#unfit(
        key,
        `it is asked for time ${time}, and the list has ${value.length} answer${value.length === 1 ? '' : 's'}`,
      )
    return this.#nth(key, value[time - 1], rest)
  }

  #contentOf(ask: FormAsk, value: unknown): Record<string, FormValue> {
    if (typeof value === 'object' && value !== null) return value as Record<string, FormValue>
    const names = Object.keys(ask.request.requestedSchema.properties)
    const [only] = names
    if (names.length === 1 && only !== undefined) return Object.fromEntries([[only, value as FormValue]])
    throw this.#unfit(ask.key, `the form has the fields ${names.join(', ')}: give an object`)
  }

  #unfit(key: string, reason: string): CliError {
    return new CliError(EXIT.usage, `${this.#path}: the answer to "${nameOf(key)}" does not fit: ${reason}.`)
  }
}

function parse(path: string, text: string): object {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new CliError(EXIT.usage, `${path} is not JSON: ${(error as Error).message}`)
  }
  if (isJsonObject(parsed)) return parsed
  throw new CliError(EXIT.usage, `${path} must hold one JSON object: answers by the key of their ask.`)
}

/** An answer written out with its action; an object with other members is content. */
function asAction(value: unknown): ElicitResult | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { action, ...rest } = value as { action?: unknown; content?: Record<string, FormValue> }
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined
  return Object.keys(rest).every((member) => member === 'content') ? { action, ...rest } : undefined
}
