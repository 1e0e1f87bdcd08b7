import type { RequestId } from '../jsonrpc/messages.ts'
import { isRequestId, PARSE_LIMITS, parseMessage } from '../jsonrpc/parse.ts'

/** A message's text, read as far as a transport needs it. */
export interface ReadText {
  /** As the server takes it. */
  readonly message: unknown
  /** Of a request. */
  readonly id: RequestId | undefined
  /** Something with the message's method and params, to tell its era by. */
  readonly look: unknown
}

/** Short texts are parsed here and not again; long ones are left to the server, which bounds their depth. */
export function readText(text: string): ReadText {
  if (text.length > PARSE_LIMITS.checkedFrom) {
    const parsed = parseMessage(text)
    return { message: text, id: parsed.kind === 'request' ? parsed.id : undefined, look: parsed }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { message: text, id: undefined, look: undefined }
  }
  // A string would be taken for the text of a message.
  if (typeof value !== 'object' || value === null) return { message: text, id: undefined, look: undefined }
  const { id, method } = value as { id?: unknown; method?: unknown }
  return { message: value, id: method !== undefined && isRequestId(id) ? id : undefined, look: value }
}
