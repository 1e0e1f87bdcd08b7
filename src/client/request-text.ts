import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject, type RequestId } from '../jsonrpc/messages.ts'
import { isMetaKey, META } from '../protocol/meta.ts'
import { type RequestCallOptions } from './client-options.ts'

/** Keys of `_meta` that the client itself writes. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
  META.progressToken,
])

/** JSON text of a request, put together from texts: nothing that is constant is written twice. */
export function requestText(id: RequestId, method: string, members: string, meta: string): string {
  const comma = members === '' ? '' : ','
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{${members}${comma}"_meta":{${meta}}}}`
}

/**
 * Members of a JSON object as text, without the braces.
 *
 * @param what names the value, for people
 * @throws RondoError `CONFIG_INVALID` when it is no object, or JSON cannot say it
 */
export function membersOf(value: unknown, what: string): string {
  return objectText(value, what).slice(1, -1)
}

/** The same with the braces. */
export function objectText(value: unknown, what: string): string {
  let text: string | undefined
  let why = 'that is no object'
  try {
    text = JSON.stringify(value)
  } catch (error) {
    why = `that JSON cannot say: ${errorText(error)}`
  }
  if (text?.startsWith('{')) return text
  throw new RondoError('CONFIG_INVALID', `${what} cannot be sent. They are something ${why}.`)
}

/**
 * What one request adds to the constant part of `_meta`, as text beginning with a comma, or nothing.
 *
 * @throws RondoError `CONFIG_INVALID` for a key that `_meta` does not allow or that the client writes itself
 */
export function extraMeta(id: RequestId, options: RequestCallOptions | undefined): string {
  if (options === undefined) return ''
  const { onProgress, onLog, meta } = options
  const logLevel = options.logLevel ?? (onLog ? 'info' : undefined)
  let text = ''
  // The id is unique among this client's requests, which is all that a token has to be.
  if (onProgress) text += `,"${META.progressToken}":${id}`
  if (logLevel !== undefined) text += `,"${META.logLevel}":${JSON.stringify(logLevel)}`
  return meta === undefined ? text : text + userMeta(meta)
}

function userMeta(meta: JsonObject): string {
  const keys = Object.keys(meta)
  for (const key of keys) {
    if (OWN_KEYS.has(key)) throw new RondoError('CONFIG_INVALID', `_meta "${key}" is set by the client itself`)
    if (!isMetaKey(key)) throw new RondoError('CONFIG_INVALID', `"${key}" is not a valid _meta key`)
  }
  return keys.length === 0 ? '' : `,${membersOf(meta, 'Entries of _meta')}`
}
