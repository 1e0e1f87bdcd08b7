import { isJsonObject } from '../jsonrpc/json-object.ts'
import { compileSchema, type CompiledSchema } from '../protocol/schema.ts'
import { isStandardSchema, type Schema } from '../protocol/standard-schema.ts'
import { refuse, refuseWith } from './definition.ts'

/**
 * A schema that a definition gives as one of its options, ready to be used.
 *
 * @throws RondoError `DEFINITION_INVALID` naming the option
 */
export function definedSchema(given: Schema, role: 'input' | 'output', option: string, where: string): CompiledSchema {
  if (isJsonObject(given) && !isStandardSchema(given) && Object.values(given).some(isStandardSchema)) {
    refuse(where, `${option} is an object of schemas. Wrap it: ${option}: z.object({ … }).`)
  }
  try {
    return compileSchema(given, role)
  } catch (error) {
    return refuseWith(error, `${where}: ${option}`)
  }
}
