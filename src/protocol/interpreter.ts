import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { Validator } from '@cfworker/json-schema'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type Issue, pointerPath } from './issue.ts'
import { dialectOf } from './json-schema.ts'
import { subschemas } from './schema-keywords.ts'

/**
 * A validator that compiles no code: for hosts where none may be compiled, and for the first values elsewhere, since it
 * loads ten times faster. `format` is an annotation.
 *
 * @param Engine The class of `@cfworker/json-schema`, however the host loads it.
 */
export function interpreter(
  Engine: typeof Validator,
  json: JsonObject,
): (value: unknown) => readonly Issue[] | undefined {
  // The engine writes into the schema it is given.
  const own = JSON.parse(JSON.stringify(json)) as JsonObject
  dropFormats(own)
  const engine = new Engine(own, dialectOf(json) === '2020-12' ? '2020-12' : '7')
  return (value) => {
    const { valid, errors } = engine.validate(asJson(value))
    if (valid) return undefined
    // Errors come from the outside in; the last one says what really is wrong.
    const { instanceLocation, error } = errors.at(-1) ?? { instanceLocation: '#', error: 'does not fit' }
    return [{ path: pointerPath(instanceLocation.slice(1), value), message: error }]
  }
}

/** The engine throws for what JSON cannot say, such as a property that is `undefined`. */
function asJson(value: unknown): unknown {
  return isJson(value) ? value : (JSON.parse(JSON.stringify(value) ?? 'null') as unknown)
}

function isJson(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.values(value).every(isJson)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function dropFormats(schema: JsonObject): void {
  delete schema['format']
  for (const { schema: below } of subschemas(schema)) if (isJsonObject(below)) dropFormats(below)
}
