import type { JsonObject } from '../jsonrpc/messages.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { METHODS } from '../protocol/methods.ts'
import { resultInvalid } from './result-body.ts'

type Check = (value: unknown) => boolean

const list: Check = (value) => Array.isArray(value) && value.every(isJsonObject)
const texts: Check = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')
const completion: Check = (value) => isJsonObject(value) && texts(value['values'])

/** Members that the result of a method must have (schema of the specification). Calls are checked by their target. */
const MEMBERS: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map([
  [METHODS.serverDiscover, { supportedVersions: texts, capabilities: isJsonObject }],
  [METHODS.toolsList, { tools: list }],
  [METHODS.promptsList, { prompts: list }],
  [METHODS.resourcesList, { resources: list }],
  [METHODS.resourceTemplatesList, { resourceTemplates: list }],
  [METHODS.complete, { completion }],
])

/**
 * Checks a result that middleware put in place of an operation's own.
 *
 * @throws RondoError `RESULT_INVALID`
 */
export function checkShape(method: string, result: JsonObject): void {
  for (const [member, holds] of Object.entries(MEMBERS.get(method) ?? {})) {
    if (holds(result[member])) continue
    resultInvalid(`Middleware around ${method} gave a result whose ${member} is missing or not what it must be.`)
  }
}
