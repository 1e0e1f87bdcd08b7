import { encodeNotification } from '../../jsonrpc/encode.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { Change } from '../../server/changes.ts'

const LISTS = {
  tools: encodeNotification(METHODS.toolsListChanged),
  prompts: encodeNotification(METHODS.promptsListChanged),
  resources: encodeNotification(METHODS.resourcesListChanged),
} as const

/** The notification of a change (server/tools, server/prompts, server/resources, "… Changed Notification"). */
export function changeText(change: Change): string {
  return change.kind === 'resource'
    ? encodeNotification(METHODS.resourceUpdated, { uri: change.uri })
    : LISTS[change.kind]
}
