import { Validator } from '@cfworker/json-schema'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { interpreter } from './interpreter.ts'
import { type Issue } from './issue.ts'

/**
 * A function that finds what is wrong with a value by `json`, or gives `undefined`. `format` is an annotation. For hosts
 * where no code may be compiled.
 */
export function createValidator(json: JsonObject): (value: unknown) => readonly Issue[] | undefined {
  return interpreter(Validator, json)
}
