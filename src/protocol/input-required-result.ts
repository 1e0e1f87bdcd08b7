import {
  type ClientCapabilities,
  mergeCapabilities,
  missingCapabilities,
  requiredForInputRequest,
} from './capabilities.ts'
import { type InputRequestMap, type InputRequestsInput, normalizeInputRequests } from './input-requests.ts'
import { ResultType } from './result-type.ts'

const BRAND: unique symbol = Symbol.for('rondo.input-required-result')

/** What an {@link InputRequiredResult} is made of: one of the two at least. */
export interface InputRequiredOptions {
  /** Requests the client is to answer, by the server's own keys. `null` is absent. */
  readonly inputRequests?: InputRequestsInput | null | undefined
  /** Opaque text that the client brings back with the answers. `""` is text; `null` is absent. */
  readonly requestState?: string | null | undefined
}

/** An input-required result as it stands on the wire. */
export interface InputRequiredJson {
  readonly resultType: typeof ResultType.inputRequired
  readonly inputRequests?: InputRequestMap
  readonly requestState?: string
}

/** The one literal a handler may return in place of the class. */
export interface InputRequiredLiteral extends InputRequiredOptions {
  readonly resultType: typeof ResultType.inputRequired
}

/**
 * A result that is not final: the client answers what is asked and sends the request again.
 *
 * A handler of a tool, a prompt or a resource returns one in place of its usual result. The server keeps no memory
 * between rounds: the handler runs again from the start, with the answers in `ctx.inputResponses` and its own text in
 * `ctx.requestState`. With a state alone the client just comes again later.
 *
 * Everything is checked, copied and frozen here, where the author's stack trace points.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2322 SEP-2322
 */
export class InputRequiredResult {
  readonly #inputRequests: InputRequestMap | undefined
  readonly #requestState: string | undefined

  /** @throws TypeError when both are absent, or either is not what it must be. */
  constructor(options: InputRequiredOptions = {}) {
    const { inputRequests, requestState } = options
    if (requestState != null && typeof requestState !== 'string') throw new TypeError('requestState must be a string')
    const requests = inputRequests == null ? undefined : normalizeInputRequests(inputRequests)
    this.#inputRequests = requests === undefined || Object.keys(requests).length === 0 ? undefined : requests
    this.#requestState = requestState ?? undefined
    if (this.#inputRequests === undefined && this.#requestState === undefined) {
      throw new TypeError('at least one of inputRequests or requestState is required')
    }
    Object.freeze(this)
  }

  /**
   * The result a handler meant, from what it returned: an instance of this class, of another copy of it, or the literal.
   *
   * @throws TypeError as the constructor does.
   */
  static from(value: InputRequiredResult | InputRequiredLiteral): InputRequiredResult {
    return value instanceof InputRequiredResult ? value : new InputRequiredResult(value)
  }

  /** The same in every copy of this module. */
  get [BRAND](): true {
    return true
  }

  /** Checked and frozen, without a prototype; `undefined` when nothing is asked. */
  get inputRequests(): InputRequestMap | undefined {
    return this.#inputRequests
  }

  /** The author's own text, not sealed. */
  get requestState(): string | undefined {
    return this.#requestState
  }

  /** What the client must have declared for all of it, merged; `{}` when only a state is sent. */
  requiredClientCapabilities(): ClientCapabilities {
    return Object.values(this.#inputRequests ?? {})
      .map(requiredForInputRequest)
      .reduce(mergeCapabilities, {})
  }

  /**
   * The part of that which `declared` does not cover. When it is not `{}`, the result must not be sent: the request is
   * answered with `-32021` (basic/index, "Per-request protocol fields").
   */
  missingClientCapabilities(declared: ClientCapabilities | null | undefined): ClientCapabilities {
    return missingCapabilities(this.requiredClientCapabilities(), declared)
  }

  /** The wire form: `resultType` first, nothing that is absent. */
  toJSON(): InputRequiredJson {
    return {
      resultType: ResultType.inputRequired,
      ...(this.#inputRequests && { inputRequests: this.#inputRequests }),
      ...(this.#requestState !== undefined && { requestState: this.#requestState }),
    }
  }
}

/** Short for `new InputRequiredResult(options)`. */
export function inputRequired(options: InputRequiredOptions): InputRequiredResult {
  return new InputRequiredResult(options)
}

/** Whether `value` is an {@link InputRequiredResult}, of this copy of the module or another. */
export function isInputRequired(value: unknown): value is InputRequiredResult {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
}

/** Whether `value` is the literal: an object that says so by its `resultType`. */
export function isInputRequiredLiteral(value: unknown): value is InputRequiredLiteral {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'resultType') &&
    (value as { resultType?: unknown }).resultType === ResultType.inputRequired
  )
}
