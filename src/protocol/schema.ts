import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type Schema } from './standard-schema.ts'

/** One thing wrong with a value. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Outcome of a validation: the value as the schema made it, or what is wrong. */
export type Validated =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly Issue[] }

/** A schema, ready for use. */
export interface CompiledSchema {
  /** Its JSON Schema. */
  readonly json: JsonObject
  /** Checks a value, and transforms it as the author's schema says. */
  validate(value: unknown): Validated | Promise<Validated>
}

/**
 * @throws RondoError `DEFINITION_INVALID`
 */
export function compileSchema(_schema: Schema, _role: 'input' | 'output'): CompiledSchema {
  throw new RondoError('DEFINITION_INVALID', 'not built yet')
}
