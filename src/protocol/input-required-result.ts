import { type ClientCapabilities } from './capabilities.ts'
import { type InputRequestMap, type InputRequestsInput, normalizeInputRequests } from './input-requests.ts'

/** What {@link InputRequiredResult} is made of. */
export interface InputRequiredOptions {
  readonly inputRequests?: InputRequestsInput | null | undefined
  readonly requestState?: string | null | undefined
}

/** What it looks like on the wire. */
export interface InputRequiredJson {
  readonly resultType: 'input_required'
  readonly inputRequests?: InputRequestMap
  readonly requestState?: string
}

export class InputRequiredResult {
  readonly #inputRequests: InputRequestMap | undefined
  readonly #requestState: string | undefined

  constructor(options: InputRequiredOptions = {}) {
    this.#inputRequests = normalizeInputRequests(options.inputRequests)
    this.#requestState = options.requestState ?? undefined
  }

  static from(value: unknown): InputRequiredResult {
    return new InputRequiredResult(value as InputRequiredOptions)
  }

  get inputRequests(): InputRequestMap | undefined {
    return this.#inputRequests
  }

  get requestState(): string | undefined {
    return this.#requestState
  }

  requiredClientCapabilities(): ClientCapabilities {
    return {}
  }

  missingClientCapabilities(_declared: unknown): ClientCapabilities {
    return {}
  }

  toJSON(): InputRequiredJson {
    return { resultType: 'input_required' }
  }
}

export function inputRequired(options: InputRequiredOptions): InputRequiredResult {
  return new InputRequiredResult(options)
}

export function isInputRequired(value: unknown): value is InputRequiredResult {
  return value instanceof InputRequiredResult
}
