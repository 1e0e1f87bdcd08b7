import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { CacheHint } from './cache-hint.ts'
import type { CallPolicy } from './call-policy.ts'
import type { CallTarget, CheckedInput } from './call-target.ts'
import type { Context } from './context.ts'
import { isPlainArray, resourceContentsProblem } from '../protocol/content-check.ts'
import { encodeBase64 } from '../protocol/base64.ts'
import { resultBody, resultInvalid } from './result-body.ts'
import { isFullResult, result } from './results.ts'

/** What of a resource's or template's entry a read needs. */
export interface Readable {
  readonly mimeType: string | undefined
  readonly policy: CallPolicy
  readonly handler: (given: never, ctx: Context) => unknown
}

/** A resource about to be read. */
export class ResourceTarget implements CallTarget {
  readonly isTool = false
  readonly name: string
  readonly cache: CacheHint
  readonly #entry: Readable
  readonly #given: unknown

  /** @param given what the handler gets first: the URI, or a template's variables */
  constructor(entry: Readable, uri: string, given: unknown, cache: CacheHint) {
    this.#entry = entry
    this.name = uri
    this.#given = given
    this.cache = cache
  }

  get policy(): CallPolicy {
    return this.#entry.policy
  }

  bindingText(): string {
    return this.name
  }

  checkInput(): CheckedInput {
    return { ok: true, args: this.#given }
  }

  invoke(args: unknown, ctx: Context): unknown {
    return this.#entry.handler(args as never, ctx)
  }

  recheck(body: JsonObject): JsonObject {
    return this.finish(result(body))
  }

  finish(value: unknown): JsonObject {
    if (isFullResult(value)) return this.#full(value.body)
    if (value === undefined || value === null) throw resourceNotFound(this.name)
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
    return { contents: parts.map((part) => this.#contents(part)) }
  }

  #contents(part: unknown): JsonObject {
    const { mimeType } = this.#entry
    const common = { uri: this.name, ...(mimeType === undefined ? {} : { mimeType }) }
    if (typeof part === 'string') return { ...common, text: part }
    if (part instanceof Uint8Array) return { ...common, blob: encodeBase64(part) }
    if (typeof part === 'object' && part !== null) {
      const { blob, text } = part as { blob?: unknown; text?: unknown }
      if (blob instanceof Uint8Array) {
        return { ...this.#checked({ ...common, ...part, blob: '' }), blob: encodeBase64(blob) }
      }
      if (typeof blob === 'string' || typeof text === 'string') return this.#checked({ ...common, ...part })
    }
    return resultInvalid(
      `The handler of ${this.name} returned something that is not text, bytes or contents ({ text } or { blob }). For more use result({ contents, … }).`,
    )
  }

  #full(given: object): JsonObject {
    const body = resultBody(given, `The handler of ${this.name}`)
    const { contents } = body
    if (!isPlainArray(contents)) {
      return resultInvalid(`The handler of ${this.name} returned a result whose contents are no array.`)
    }
    for (const part of contents) this.#checked(part as JsonObject)
    return body
  }

  #checked(contents: JsonObject): JsonObject {
    const problem = resourceContentsProblem(contents)
    if (problem === undefined) return contents
    return resultInvalid(`The handler of ${this.name} returned contents that cannot be sent: it ${problem}.`)
  }
}

/** server/resources, "Error Handling": `-32602` with the URI, never empty contents, which say that it is there. */
export function resourceNotFound(uri: string): WireError {
  return new WireError('INVALID_PARAMS', 'Resource not found', { data: { uri } })
}
