import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { refuse } from './definition.ts'

/**
 * The input schema with `x-mcp-header` put on the named properties. Whether the names and types may be used so is checked
 * with the schema's own marks, afterwards.
 *
 * @param headers header name by property; dots lead to nested properties.
 * @throws RondoError `DEFINITION_INVALID` when there is no such property.
 * @see server/tools, "x-mcp-header", of the specification
 */
export function markHeaders(schema: JsonObject, headers: Readonly<Record<string, string>>, where: string): JsonObject {
  if (!isJsonObject(headers)) refuse(where, 'headers must be an object of header names by argument.')
  let marked = schema
  for (const [path, header] of Object.entries(headers)) {
    marked = mark(marked, path.split('.'), header, `${where}: headers.${path}`)
  }
  return marked
}

function mark(schema: JsonObject, path: readonly string[], header: string, where: string): JsonObject {
  const [key, ...rest] = path
  const { properties } = schema
  const property =
    isJsonObject(properties) && key !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (key === undefined || !isJsonObject(property)) {
    refuse(where, `the input schema has no property ${JSON.stringify(key)} written out at this place.`)
  }
  const next = rest.length === 0 ? { ...property, 'x-mcp-header': header } : mark(property, rest, header, where)
  return { ...schema, properties: { ...(properties as JsonObject), [key]: next } }
}
