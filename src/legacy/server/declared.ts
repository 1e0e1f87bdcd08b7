import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { JsonObject } from '../../jsonrpc/messages.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'

/**
 * What a client declared in `initialize`, as far as its revision has it: elicitation came with 2025-06-18, its `url` mode
 * and tools in sampling with 2025-11-25.
 */
export function declaredIn(revision: LegacyRevision, declared: unknown): ClientCapabilities {
  if (!isJsonObject(declared)) return {}
  if (revision >= '2025-11-25') return declared
  const { elicitation, sampling, extensions: _none, ...rest } = declared
  const known: JsonObject = { ...rest }
  if (sampling !== undefined) known['sampling'] = isJsonObject(sampling) ? {} : sampling
  if (elicitation !== undefined && revision >= '2025-06-18') known['elicitation'] = { form: {} }
  return known
}
