import { encodeNotification } from '../../jsonrpc/encode.ts'
import type { JsonObject } from '../../jsonrpc/messages.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'

const PROGRESS = encodeNotification(METHODS.progress).slice(0, -1)

/** The text of a notification as `revision` has it: progress got a message with 2025-03-26. */
export function notificationIn(revision: LegacyRevision, text: string): string {
  if (revision >= '2025-03-26' || !text.startsWith(PROGRESS)) return text
  const { params } = JSON.parse(text) as { params: JsonObject }
  const { message: _none, ...known } = params
  return encodeNotification(METHODS.progress, known)
}
