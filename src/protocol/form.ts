import { RondoError } from '../errors/rondo-error.ts'
import { type RequestedSchema } from './elicitation.ts'
import { type Validated } from './schema.ts'
import { type Schema } from './standard-schema.ts'

/** A form, ready to be asked. */
export interface CompiledForm {
  readonly requestedSchema: RequestedSchema
  /** Checks accepted content through the author's schema. */
  validate(content: unknown): Validated | Promise<Validated>
}

/** @throws RondoError `ASK_SCHEMA` naming the property and the keyword. */
export function compileForm(_schema: Schema): CompiledForm {
  throw new RondoError('ASK_SCHEMA', 'not built yet')
}

/** The content with defaults of the asked schema where it has nothing. */
export function fillDefaults(_requested: RequestedSchema, content: Record<string, unknown>): Record<string, unknown> {
  return content
}

/** What does not fit the asked schema, as text for people, or `undefined`. */
export function checkContent(_requested: RequestedSchema, _content: unknown): string | undefined {
  return undefined
}
