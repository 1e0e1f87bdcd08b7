import type { Logger } from './log.ts'

/**
 * Says once per field that secrets must not be asked for by form, but by URL (client/elicitation, "Security
 * Considerations").
 */
export function warnOfSecrets(log: Logger, ask: string, fields: readonly string[]): void {
  for (const field of fields) {
    log.once(`secret:${ask}:${field}`, {
      level: 'warn',
      code: 'form-asks-secret',
      message: `Ask "${ask}" has a field "${field}" that looks like a secret. MCP forbids asking for secrets by form: use ctx.ask.url.`,
    })
  }
}
