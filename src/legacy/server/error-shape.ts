import type { WireErrorObject } from '../../errors/wire-error.ts'
import { isJsonObject } from '../../jsonrpc/json-object.ts'
import { METHODS } from '../../protocol/methods.ts'

/** server/resources, "Error Handling", of the revisions before 2026-07-28. */
const RESOURCE_NOT_FOUND = -32002
const INVALID_PARAMS = -32602
const READING: ReadonlySet<string> = new Set([METHODS.resourcesRead, METHODS.resourcesSubscribe])

/** An error as the revisions with `initialize` number it: a resource that is not there has a code of its own. */
export function legacyError(method: string, error: WireErrorObject): WireErrorObject {
  const absent = error.code === INVALID_PARAMS && isJsonObject(error.data) && typeof error.data['uri'] === 'string'
  return absent && READING.has(method) ? { ...error, code: RESOURCE_NOT_FOUND } : error
}
