import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { kindOf } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { isPlainObject } from '../protocol/json-copy.ts'
import { META, type Implementation } from '../protocol/meta.ts'

/** Refuses what somebody's code gave as a result. */
export function resultInvalid(message: string, cause?: unknown): never {
  throw new RondoError('RESULT_INVALID', message, { cause })
}

/**
 * The members of a result that somebody's code gave: what an object shows of itself (`toJSON`) counts.
 *
 * @param who begins the error's sentence
 * @throws RondoError `RESULT_INVALID` for what JSON has no object for
 */
export function resultBody(given: unknown, who: string): JsonObject {
  const shown = shownBy(given, who)
  if (!isJsonObject(shown) || typeof shown['toJSON'] === 'function') {
    return resultInvalid(`${who} returned ${describe(shown)} where a result's members, an object, must be.`)
  }
  if (!isPlainObject(shown) && (Object.keys(shown).length === 0 || ArrayBuffer.isView(shown))) {
    return resultInvalid(`${who} returned an object of which JSON shows nothing. Return a plain object.`)
  }
  return shown
}

function shownBy(given: unknown, who: string): unknown {
  if (!isJsonObject(given) || typeof given['toJSON'] !== 'function') return given
  try {
    return Reflect.apply(given['toJSON'], given, [''])
  } catch (error) {
    return resultInvalid(`${who} returned an object whose toJSON throws: ${errorText(error)}.`, error)
  }
}

/**
 * JSON text of a result's members.
 *
 * @throws RondoError `RESULT_INVALID` for what JSON cannot say
 */
export function membersText(members: object): string {
  const text = jsonText(members, 'a result')
  // An object that shows itself as something else.
  if (text.charCodeAt(0) !== 0x7b) resultInvalid('A result that was returned shows itself as something else (toJSON).')
  return text
}

/**
 * JSON text of a structured value, in which no number was lost.
 *
 * @throws RondoError `RESULT_INVALID` for what JSON cannot say
 */
export function structuredText(value: unknown): string {
  const text = jsonText(value, 'structured content')
  // JSON writes null for numbers that it does not have.
  if (text.includes('null')) jsonText(value, 'structured content', refuseNonFinite)
  return text
}

function refuseNonFinite(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new TypeError(`${key === '' ? 'it' : JSON.stringify(key)} is ${value}, which JSON does not have`)
}

function jsonText(value: unknown, what: string, replacer?: (key: string, value: unknown) => unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value, replacer)
  } catch (error) {
    return resultInvalid(`What was returned as ${what} cannot be written as JSON: ${errorText(error)}.`, error)
  }
  return text ?? resultInvalid(`What was returned as ${what} is ${describe(value)}, which JSON does not have.`)
}

/**
 * Checks a result's own `_meta` (basic/index, "`_meta`").
 *
 * @throws RondoError `RESULT_INVALID`
 */
export function checkResultMeta(meta: unknown): asserts meta is JsonObject {
  if (!isJsonObject(meta) || typeof meta['toJSON'] === 'function') {
    return resultInvalid(`The _meta of a result that was returned is ${describe(meta)}. It must be a plain object.`)
  }
  const info = meta[META.serverInfo]
  if (info === undefined) return
  const { name, version } = isJsonObject(info) ? (info as Partial<Implementation>) : {}
  if (typeof name === 'string' && typeof version === 'string') return
  resultInvalid(`The _meta of a result that was returned has a ${META.serverInfo} without name and version.`)
}

function describe(value: unknown): string {
  return isJsonObject(value) ? 'an object that shows itself as something else (toJSON)' : kindOf(value)
}
