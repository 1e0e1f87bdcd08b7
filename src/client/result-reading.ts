import { isJsonObject } from '../jsonrpc/json-object.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { EXPIRES_META } from '../protocol/expiry.ts'
import { EMBEDDABLE_METHODS } from '../protocol/methods.ts'
import { ResultType } from '../protocol/result-type.ts'
import { type InputRequest, type OriginalRequest, type Round, type RoundMethod } from './round.ts'

/**
 * Which kind of result it is. `resultType` alone decides, never the shape; absent means complete.
 *
 * @throws RondoError `RESULT_TYPE_UNKNOWN`
 */
export function resultTypeOf(result: JsonObject, method: string): ResultType {
  const type = result['resultType']
  if (type === undefined || type === ResultType.complete) return ResultType.complete
  if (type === ResultType.inputRequired) return ResultType.inputRequired
  throw new RondoError(
    'RESULT_TYPE_UNKNOWN',
    `The server answered ${method} with a result of a type unknown to this client: ${JSON.stringify(type)}`,
    { data: { resultType: type } },
  )
}

/** @throws RondoError `RESULT_TYPE_UNKNOWN`, `RESPONSE_INVALID` when the result asks where nothing may be asked */
export function completeResult(result: JsonObject, method: string): JsonObject {
  if (resultTypeOf(result, method) === ResultType.complete) return result
  throw invalid(`${method} was answered with "input_required", which is not allowed for this method`)
}

/** Reads an input-required result (basic/patterns/mrtr, "InputRequiredResult"). */
export function readRound<M extends RoundMethod>(
  result: JsonObject,
  request: OriginalRequest<M>,
  round: number,
  capabilities: ClientCapabilities,
): Round<M> {
  const token = result['requestState'] ?? undefined
  if (token !== undefined && typeof token !== 'string') throw invalid('requestState must be a string')
  const asks = readAsks(result['inputRequests'] ?? undefined)
  if (token === undefined && Object.keys(asks).length === 0) {
    throw invalid('An input-required result carries inputRequests or requestState; this one has neither')
  }
  const expires = readExpiry(result['_meta'])
  return {
    kind: 'input_required',
    request,
    round,
    asks,
    ...(token === undefined ? {} : { token }),
    ...(expires === undefined ? {} : { expires }),
    capabilities,
  }
}

function readAsks(value: unknown): Record<string, InputRequest> {
  const asks = Object.create(null) as Record<string, InputRequest>
  if (value === undefined) return asks
  if (!isJsonObject(value)) throw invalid('inputRequests must be an object')
  for (const key of Object.keys(value)) asks[key] = readAsk(key, value[key])
  return asks
}

function readAsk(key: string, value: unknown): InputRequest {
  const named = `inputRequests[${JSON.stringify(key)}]`
  if (!isJsonObject(value)) throw invalid(`${named} must be an object`)
  const { method, params } = value
  if (!(EMBEDDABLE_METHODS as readonly unknown[]).includes(method)) {
    throw invalid(`${named} has the method ${JSON.stringify(method)}, which cannot be embedded`)
  }
  if (params === undefined || params === null) return { method: method as string }
  if (!isJsonObject(params)) throw invalid(`${named}.params must be an object`)
  return { method: method as string, params }
}

function readExpiry(meta: unknown): number | undefined {
  const text = isJsonObject(meta) ? meta[EXPIRES_META] : undefined
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function invalid(message: string): RondoError<'RESPONSE_INVALID'> {
  return new RondoError('RESPONSE_INVALID', `The server's result cannot be used. ${message}.`)
}
