import { type ContentBlock, type Role } from './content.ts'
import { type Icon, type Meta, type Named } from './meta.ts'
import { type PaginatedResult, type Result } from './result-type.ts'

export interface PromptArgument extends Named {
  readonly description?: string
  readonly required?: boolean
}

/** A prompt as it is listed (server/prompts). */
export interface Prompt extends Named {
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}

/** Complete result of `prompts/get`. */
export interface GetPromptResult extends Result {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
}

export interface ListPromptsResult extends PaginatedResult {
  readonly prompts: readonly Prompt[]
}
