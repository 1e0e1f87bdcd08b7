import { quoted } from './quoted.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import { isModernRevision, type Revision } from '../protocol/revisions.ts'
import type { HttpInfo } from './exchange.ts'

const VERSION_HEADER = 'mcp-protocol-version'

/** Whether a request belongs to the modern era, whatever its method. */
export function isModern(meta: JsonObject | undefined, http: HttpInfo | undefined): boolean {
  return meta?.[META.protocolVersion] !== undefined || isModernRevision(http?.header(VERSION_HEADER))
}

/** `params._meta` when it is an object. */
export function metaOf(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?.['_meta']
  return isJsonObject(meta) ? meta : undefined
}

/**
 * The checks every modern request passes first: required `_meta` keys, header equals `_meta` version, version supported,
 * `Mcp-Method` (basic/index, "Per-request protocol fields"; basic/transports/streamable-http, "Server Validation").
 *
 * @throws WireError
 */
export function checkEnvelope(
  method: string,
  meta: JsonObject | undefined,
  http: HttpInfo | undefined,
  served: readonly Revision[],
): asserts meta is JsonObject {
  checkRequired(meta, served)
  const requested = meta[META.protocolVersion] as string
  if (http !== undefined) checkVersionHeader(http.header(VERSION_HEADER), requested)
  if (!isModernRevision(requested) || !served.includes(requested)) throw unsupportedVersion(requested, served)
  if (http !== undefined) checkMethodHeader(http.header('mcp-method'), method)
  checkOptional(meta)
}

/**
 * The reply to a request that is of no session of the legacy era and does not open one (basic/versioning, "Compatibility
 * Matrix").
 */
export function legacyRefusal(
  method: string,
  params: JsonObject | undefined,
  http: HttpInfo | undefined,
  served: readonly Revision[],
): WireError {
  const asked = params?.['protocolVersion']
  if (method === METHODS.initialize && typeof asked === 'string') return unsupportedVersion(asked, served)
  const header = http?.header(VERSION_HEADER)
  if (header !== undefined) return unsupportedVersion(header, served)
  if (http !== undefined) {
    return new WireError(
      'HEADER_MISMATCH',
      `Header MCP-Protocol-Version is missing. This server speaks ${served.join(', ')}.`,
    )
  }
  return missingKeys([META.protocolVersion, META.clientCapabilities], served)
}

/** What is said of a revision that is not served (basic/versioning, "Protocol Version Negotiation"). */
export function unsupportedVersion(requested: string, served: readonly Revision[]): WireError {
  return new WireError('VERSION_UNSUPPORTED', 'Unsupported protocol version', {
    data: { supported: [...served], requested },
  })
}

function checkRequired(meta: JsonObject | undefined, served: readonly Revision[]): asserts meta is JsonObject {
  const missing: string[] = []
  if (typeof meta?.[META.protocolVersion] !== 'string') missing.push(META.protocolVersion)
  if (!isJsonObject(meta?.[META.clientCapabilities])) missing.push(META.clientCapabilities)
  if (missing.length > 0) throw missingKeys(missing, served)
}

function missingKeys(keys: readonly string[], served: readonly Revision[]): WireError {
  const text = `Invalid params: _meta lacks ${keys.join(' and ')}, or it is of the wrong type. This server speaks ${served.join(', ')}.`
  return new WireError('INVALID_PARAMS', text, { status: 400 })
}

function checkVersionHeader(header: string | undefined, requested: string): void {
  if (header === requested) return
  throw new WireError(
    'HEADER_MISMATCH',
    header === undefined
      ? 'Header MCP-Protocol-Version is missing'
      : `Header MCP-Protocol-Version ${quoted(header)} differs from the version in _meta`,
  )
}

function checkMethodHeader(header: string | undefined, method: string): void {
  if (header === method) return
  throw new WireError(
    'HEADER_MISMATCH',
    header === undefined
      ? 'Header Mcp-Method is missing'
      : `Header Mcp-Method ${quoted(header)} differs from the method`,
  )
}

function checkOptional(meta: JsonObject): void {
  const level = meta[META.logLevel]
  if (level !== undefined && !isLoggingLevel(level))
    throw new WireError('INVALID_PARAMS', 'Invalid params: unknown log level')
  const token = meta[META.progressToken]
  if (token !== undefined && typeof token !== 'string' && !Number.isInteger(token)) {
    throw new WireError('INVALID_PARAMS', 'Invalid params: progressToken must be a string or an integer')
  }
}
