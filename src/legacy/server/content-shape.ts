import type { JsonObject } from '../../jsonrpc/messages.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'
import { annotatedIn } from './definition-shape.ts'

/**
 * A block of content as `revision` has it: links to resources came with 2025-06-18, audio with 2025-03-26. In the place of
 * one that it lacks stands a text that says what it was.
 */
export function contentIn(revision: LegacyRevision, block: JsonObject): JsonObject {
  if (revision >= '2025-11-25') return block
  const { icons: _icons, ...rest } = block
  if (revision >= '2025-06-18') return rest
  if (block['type'] === 'resource_link')
    return text(`${String(block['title'] ?? block['name'])}: ${String(block['uri'])}`)
  if (block['type'] === 'audio' && revision < '2025-03-26') {
    return text(`(Audio, ${String(block['mimeType'])}, which revision ${revision} of MCP cannot carry.)`)
  }
  const { _meta: _none, ...plain } = rest
  return annotatedIn(revision, plain)
}

function text(words: string): JsonObject {
  return { type: 'text', text: words }
}
