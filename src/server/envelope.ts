import { quoted } from './quoted.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import { isModernRevision, MODERN_REVISIONS } from '../protocol/revisions.ts'
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
): asserts meta is JsonObject {
  checkRequired(meta)
  const requested = meta[META.protocolVersion] as string
  if (http !== undefined) checkVersionHeader(http.header(VERSION_HEADER), requested)
  if (!isModernRevision(requested)) throw unsupportedVersion(requested)
  if (http !== undefined) checkMethodHeader(http.header('mcp-method'), method)
  checkOptional(meta)
}

/** The reply to a request of the legacy era, which this server does not serve (basic/versioning, "Compatibility Matrix"). */
export function legacyRefusal(method: string, params: JsonObject | undefined, http: HttpInfo | undefined): WireError {
  const asked = params?.['protocolVersion']
  if (method === METHODS.initialize && typeof asked === 'string') return unsupportedVersion(asked)
  const header = http?.header(VERSION_HEADER)
  if (header !== undefined) return unsupportedVersion(header)
  if (http !== undefined) {
    return new WireError(
      'HEADER_MISMATCH',
      `Header MCP-Protocol-Version is missing. This server speaks ${MODERN_REVISIONS.join(', ')}.`,
    )
  }
  return missingKeys([META.protocolVersion, META.clientCapabilities])
}

function unsupportedVersion(requested: string): WireError {
  return new WireError('VERSION_UNSUPPORTED', 'Unsupported protocol version', {
    data: { supported: [...MODERN_REVISIONS], requested },
  })
}

function checkRequired(meta: JsonObject | undefined): asserts meta is JsonObject {
  const missing: string[] = []
  if (typeof meta?.[META.protocolVersion] !== 'string') missing.push(META.protocolVersion)
  if (!isJsonObject(meta?.[META.clientCapabilities])) missing.push(META.clientCapabilities)
  if (missing.length > 0) throw missingKeys(missing)
}

function missingKeys(keys: readonly string[]): WireError {
  const text = `Invalid params: _meta lacks ${keys.join(' and ')}, or it is of the wrong type. This server speaks ${MODERN_REVISIONS.join(', ')}.`
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
