import { ERRORS, type ErrorCode } from './codes.ts'
import { RondoError, type RondoErrorOptions } from './rondo-error.ts'

/** First and last code of the range JSON-RPC 2.0 reserves. */
const RESERVED = { from: -32768, to: -32000 } as const

/** A JSON-RPC error object as it stands on the wire. */
export interface WireErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * An error that may cross the wire as it is: its numeric code, its message and its `data`, and nothing else.
 *
 * An author throws one from a handler to answer with a JSON-RPC error of their own; its code must lie outside the range
 * that JSON-RPC reserves (basic/index, "Error Codes").
 *
 * @throws RangeError when an author's code is reserved or not an integer.
 */
export class WireError extends RondoError {
  /** JSON-RPC error code. */
  readonly wire: number
  /** HTTP status of the reply. */
  readonly status: number

  constructor(code: number, message: string, options?: RondoErrorOptions)
  /** @internal */
  constructor(code: ErrorCode, message: string, options?: RondoErrorOptions & { readonly status?: number })
  constructor(
    code: number | ErrorCode,
    message: string,
    options: RondoErrorOptions & { readonly status?: number } = {},
  ) {
    const own = typeof code === 'number'
    if (own) refuseReserved(code)
    const row = ERRORS[own ? 'WIRE_CUSTOM' : code]
    super(own ? 'WIRE_CUSTOM' : code, message, options)
    this.wire = own ? code : (row.wire ?? -32603)
    this.status = options.status ?? row.status
  }

  override get name(): string {
    return 'WireError'
  }

  /** The JSON-RPC error object. */
  toJSON(): WireErrorObject {
    const { wire, message, data } = this
    return data === undefined ? { code: wire, message } : { code: wire, message, data }
  }
}

function refuseReserved(code: number): void {
  if (!Number.isInteger(code)) throw new RangeError(`A JSON-RPC error code is an integer, not ${String(code)}`)
  if (code >= RESERVED.from && code <= RESERVED.to) {
    throw new RangeError(
      `Code ${code} lies in ${RESERVED.from}…${RESERVED.to}, which JSON-RPC and MCP reserve. Use one outside it, such as 1001.`,
    )
  }
}
