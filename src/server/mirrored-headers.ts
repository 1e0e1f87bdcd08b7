import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { decodeHeaderValue, type ParamHeader } from '../protocol/param-headers.ts'
import { quoted } from './quoted.ts'
import type { HttpInfo } from './exchange.ts'

/**
 * `Mcp-Name` against the body (basic/transports/streamable-http, "Standard Request Headers").
 *
 * @throws WireError `HEADER_MISMATCH`
 */
export function checkNameHeader(http: HttpInfo, expected: string): void {
  const raw = http.header('mcp-name')
  if (raw === expected) return
  if (raw === undefined) throw mismatch('Header Mcp-Name is missing')
  const decoded = decodeHeaderValue(raw)
  if (!decoded.ok) throw mismatch('Header Mcp-Name has a value that cannot be decoded')
  if (decoded.value !== expected) throw mismatch(`Header Mcp-Name ${quoted(decoded.value)} differs from the body`)
}

/**
 * `Mcp-Param-*` against a tool's arguments: expected when the argument has a value, and only then (same page, "Server
 * Behavior for Custom Headers").
 *
 * @throws WireError `HEADER_MISMATCH`
 */
export function checkParamHeaders(http: HttpInfo, headers: readonly ParamHeader[], args: JsonObject | undefined): void {
  for (const header of headers) {
    const raw = http.header(`mcp-param-${header.name.toLowerCase()}`)
    const value = at(args, header.path)
    const decoded = raw === undefined ? undefined : decodeHeaderValue(raw)
    const label = `Header Mcp-Param-${header.name}`
    if (decoded?.ok === false) throw mismatch(`${label} has a value that cannot be decoded`)
    if (value === undefined || value === null) {
      if (decoded !== undefined) throw mismatch(`${label} is given, and the arguments have no such value`)
    } else if (decoded === undefined) {
      throw mismatch(`${label} is missing`)
    } else if (!same(header, decoded.value, value)) {
      throw mismatch(`${label} differs from the arguments`)
    }
  }
}

/** An integer in decimal, which every reader reads alike. */
const DECIMAL = /^-?\d+(?:\.0+)?$/

/** Integers are compared as numbers, `42.0` is 42, and only where a double tells them apart from their neighbours. */
function same({ type }: ParamHeader, header: string, value: unknown): boolean {
  if (type === 'integer' && typeof value === 'number') {
    return Number.isSafeInteger(value) && DECIMAL.test(header) && Number(header) === value
  }
  return typeof value === 'string' ? header === value : header === JSON.stringify(value)
}

function at(args: JsonObject | undefined, path: readonly string[]): unknown {
  let value: unknown = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function mismatch(message: string): WireError {
  return new WireError('HEADER_MISMATCH', message)
}
