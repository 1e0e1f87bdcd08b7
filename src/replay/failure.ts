import { isError } from '../errors/error-text.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { isToolError, ToolError } from '../errors/tool-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { toRecord } from './record.ts'

/** What a function of the author's threw, in the form that is recorded and replayed (E10). */
export interface Failure {
  readonly name: string
  readonly message: string
  readonly code?: string | number
  /** It was a `ToolError`, or an author's `WireError` with this numeric code and these details. */
  readonly as?: 'tool' | { readonly wire: number; readonly data?: unknown }
}

/** The recorded form of whatever was thrown. Never throws: what cannot be read is recorded as that. */
export function toFailure(thrown: unknown): Failure {
  try {
    return readFailure(thrown)
  } catch {
    return { name: 'Error', message: 'Something was thrown that cannot be read' }
  }
}

function readFailure(thrown: unknown): Failure {
  if (!isError(thrown)) return { name: 'Error', message: describe(thrown) }
  const code = (thrown as { code?: unknown }).code
  return {
    name: String(thrown.name),
    message: String(thrown.message),
    ...(typeof code === 'string' || Number.isFinite(code) ? { code: code as string | number } : {}),
    ...brand(thrown),
  }
}

/** An `Error` with the recorded name, message and code: what the handler is given, in the first attempt too. */
export function fromFailure(failure: Failure): Error {
  const error = revive(failure)
  if (error.name !== failure.name) {
    Object.defineProperty(error, 'name', { value: failure.name, writable: true, configurable: true })
  }
  if (failure.code !== undefined && (error as { code?: unknown }).code !== failure.code) {
    Object.defineProperty(error, 'code', { value: failure.code, writable: true, enumerable: true, configurable: true })
  }
  return error
}

function brand(thrown: Error): Pick<Failure, 'as'> {
  if (isToolError(thrown)) return { as: 'tool' }
  if (!isRondoError(thrown, 'WIRE_CUSTOM')) return {}
  const data = toRecord(thrown.data)
  const wire = (thrown as { wire?: unknown }).wire
  if (typeof wire !== 'number') return {}
  return { as: data.ok && data.value !== undefined ? { wire, data: data.value } : { wire } }
}

function revive({ message, as }: Failure): Error {
  if (as === 'tool') return new ToolError(message)
  if (as === undefined) return new Error(message)
  try {
    return new WireError(as.wire, message, { data: as.data })
  } catch {
    // A journal nobody protected may say any number.
    return new Error(message)
  }
}

function describe(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}
