import type { JsonObject } from '../jsonrpc/messages.ts'
import type { Logger } from './log.ts'

const SECRET = /pass(word|phrase|code)|secret|token|api[-_]?key|private[-_]?key|credential|cvv|card[-_]?number|\bssn\b/i

/**
 * Says once per field that secrets must not be asked for by form, but by URL (client/elicitation, "Security
 * Considerations").
 */
export function warnOfSecrets(log: Logger, ask: string, requestedSchema: JsonObject): void {
  for (const field of Object.keys(requestedSchema['properties'] ?? {})) {
    if (!SECRET.test(field)) continue
    log.once(`secret:${ask}:${field}`, {
      level: 'warn',
      code: 'form-asks-secret',
      message: `Ask "${ask}" has a field "${field}" that looks like a secret. MCP forbids asking for secrets by form: use ctx.ask.url.`,
    })
  }
}
