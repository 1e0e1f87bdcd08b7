import { RondoError } from '../errors/rondo-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { PromptMessage } from '../protocol/prompt.ts'
import { canonicalJson } from '../token/canonical-json.ts'
import type { CallPolicy } from './call-policy.ts'
import type { CallTarget, CheckedInput } from './call-target.ts'
import type { Context } from './context.ts'
import type { PromptEntry } from './define-prompt.ts'
import { after, type Maybe } from './maybe.ts'
import { isFullResult } from './results.ts'

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

  finish(value: unknown): JsonObject {
    const { description } = this.#entry
    const described = description === undefined ? {} : { description }
    if (isFullResult(value)) return { ...described, ...(value.body as JsonObject) }
    return { ...described, messages: messagesOf(value, this.#entry.name) }
  }
}

function messagesOf(value: unknown, name: string): readonly PromptMessage[] {
  if (typeof value === 'string') return [{ role: 'user', content: { type: 'text', text: value } }]
  if (Array.isArray(value) && value.every(isMessage)) return value
  if (isMessage(value)) return [value]
  throw new RondoError(
    'RESULT_INVALID',
    `Prompt ${name} returned something that is not text, a message or messages ({ role, content }). For more use result({ messages, … }).`,
  )
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null) return false
  const { role, content } = value as { role?: unknown; content?: unknown }
  return (role === 'user' || role === 'assistant') && typeof content === 'object' && content !== null
}
