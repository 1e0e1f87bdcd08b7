import { isModernRevision } from '../../protocol/revisions.ts'
import type { HttpRequest } from './http-message.ts'

export const VERSION_HEADER = 'mcp-protocol-version'

/** Whether a request says in its head that it is of the modern era: it then has nothing to do with any session. */
export function isModernRequest(request: HttpRequest): boolean {
  return isModernRevision(request.header(VERSION_HEADER))
}
