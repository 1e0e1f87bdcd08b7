/** A tool parameter that is mirrored into a header (basic/transports/streamable-http, "Schema Extension"). */
export interface ParamHeader {
  /** The part after `Mcp-Param-`, as the schema writes it. */
  readonly name: string
  /** Property keys from the arguments' root. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** A header value that was read back. */
export type DecodedHeader = { readonly ok: true; readonly value: string } | { readonly ok: false }

/** @throws RondoError `DEFINITION_INVALID` */
export function paramHeaders(_inputSchema: object): ParamHeader[] {
  return []
}

/** A value as a header carries it: itself, or in the Base64 sentinel. */
export function encodeHeaderValue(value: string): string {
  return value
}

export function decodeHeaderValue(raw: string): DecodedHeader {
  return { ok: true, value: raw }
}
