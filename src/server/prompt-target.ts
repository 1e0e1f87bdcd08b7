import type { JsonObject } from '../jsonrpc/messages.ts'
import { contentProblem, isPlainArray } from '../protocol/content-check.ts'
import type { PromptMessage } from '../protocol/prompt.ts'
import { canonicalJson } from '../token/canonical-json.ts'
import type { CallPolicy } from './call-policy.ts'
import type { CallTarget, CheckedInput } from './call-target.ts'
import type { Context } from './context.ts'
import type { PromptEntry } from './define-prompt.ts'
import { after, type Maybe } from './maybe.ts'
import { resultBody, resultInvalid } from './result-body.ts'
import { isFullResult, result } from './results.ts'

/** A prompt about to be made. */
export class PromptTarget implements CallTarget {
  readonly isTool = false
  readonly cache = undefined
  readonly #entry: PromptEntry
  readonly #arguments: JsonObject | undefined

  constructor(entry: PromptEntry, args: JsonObject | undefined) {
    this.#entry = entry
    this.#arguments = args
  }

  get name(): string {
    return this.#entry.name
  }

  get policy(): CallPolicy {
    return this.#entry.policy
  }

  bindingText(): string {
    return `${this.#entry.name}\n${canonicalJson(this.#arguments ?? {})}`
  }

  checkInput(): Maybe<CheckedInput> {
    return after(this.#entry.check(this.#arguments), (args): CheckedInput => ({ ok: true, args }))
  }

  invoke(args: unknown, ctx: Context): unknown {
    return this.#entry.handler(args as never, ctx)
  }

  recheck(body: JsonObject): JsonObject {
    return this.finish(result(body))
  }

  finish(value: unknown): JsonObject {
    const { description } = this.#entry
    const described = description === undefined ? {} : { description }
    const { name } = this.#entry
    if (!isFullResult(value)) return { ...described, messages: messagesOf(value, name) }
    const body = resultBody(value.body, `Prompt ${name}`)
    if (body['description'] !== undefined && typeof body['description'] !== 'string') {
      resultInvalid(`Prompt ${name} returned a description that is no text.`)
    }
    return { ...described, ...body, messages: messagesOf(body['messages'], name) }
  }
}

function messagesOf(value: unknown, name: string): readonly PromptMessage[] {
  if (typeof value === 'string') return [{ role: 'user', content: { type: 'text', text: value } }]
  if (isPlainArray(value) && value.every(isMessage)) return checkContents(value, name)
  if (isMessage(value)) return checkContents([value], name)
  return resultInvalid(
    `Prompt ${name} returned something that is not text, a message or messages ({ role, content }). For more use result({ messages, … }).`,
  )
}

/** @throws RondoError `RESULT_INVALID` for content that cannot be sent (server/prompts, "Security"). */
function checkContents(messages: readonly PromptMessage[], name: string): readonly PromptMessage[] {
  for (const [index, { content }] of messages.entries()) {
    const problem = contentProblem(content)
    if (problem === undefined) continue
    resultInvalid(`Prompt ${name} returned content that cannot be sent: message ${index} ${problem}.`)
  }
  return messages
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null) return false
  const { role, content, toJSON } = value as { role?: unknown; content?: unknown; toJSON?: unknown }
  if (typeof toJSON === 'function' || (role !== 'user' && role !== 'assistant')) return false
  return typeof content === 'object' && content !== null && !Array.isArray(content)
}
