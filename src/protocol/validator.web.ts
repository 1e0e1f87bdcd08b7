import { Validator } from '@cfworker/json-schema'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type Issue, pointerPath } from './issue.ts'
import { dialectOf } from './json-schema.ts'
import { isObject, subschemas } from './schema-keywords.ts'

/**
 * A function that finds what is wrong with a value by `json`, or gives `undefined`. `format` is an annotation. For hosts
 * where no code may be compiled.
 */
export function createValidator(json: JsonObject): (value: unknown) => readonly Issue[] | undefined {
  const dialect = dialectOf(json) === '2020-12' ? '2020-12' : '7'
  // The engine writes into the schema it is given.
  const own = JSON.parse(JSON.stringify(json)) as JsonObject
  dropFormats(own)
  const validator = new Validator(own, dialect)
  return (value) => {
    const { valid, errors } = validator.validate(value)
    if (valid) return undefined
    // Errors come from the outside in; the last one says what really is wrong.
    const { instanceLocation, error } = errors.at(-1) ?? { instanceLocation: '#', error: 'does not fit' }
    return [{ path: pointerPath(instanceLocation.slice(1), value), message: error }]
  }
}

function dropFormats(schema: JsonObject): void {
  delete schema['format']
  for (const { schema: below } of subschemas(schema)) if (isObject(below)) dropFormats(below)
}
