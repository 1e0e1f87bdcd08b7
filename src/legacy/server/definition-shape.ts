import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { JsonObject } from '../../jsonrpc/messages.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'

/** A tool as `revision` lists it (server/tools, "Data Types", of each revision). */
export function toolIn(revision: LegacyRevision, tool: JsonObject): JsonObject {
  const { outputSchema, annotations, ...rest } = tool
  const shaped = namedIn(revision, rest)
  // Only an object could be given as structured content before 2026-07-28.
  if (revision >= '2025-06-18' && isJsonObject(outputSchema) && outputSchema['type'] === 'object') {
    shaped['outputSchema'] = outputSchema
  }
  if (revision < '2025-03-26') return shaped
  const hints =
    revision < '2025-06-18' && tool['title'] !== undefined ? titled(annotations, tool['title']) : annotations
  if (hints !== undefined) shaped['annotations'] = hints
  return shaped
}

/** The one place where 2025-03-26 has a title. */
function titled(annotations: unknown, title: unknown): JsonObject {
  return { title, ...(isJsonObject(annotations) ? annotations : {}) }
}

/** A prompt as `revision` lists it. */
export function promptIn(revision: LegacyRevision, prompt: JsonObject): JsonObject {
  const shaped = namedIn(revision, prompt)
  const list = shaped['arguments']
  if (Array.isArray(list)) shaped['arguments'] = list.map((one) => namedIn(revision, one as JsonObject))
  return shaped
}

/** A resource, or a template of resources, as `revision` lists it. */
export function resourceIn(revision: LegacyRevision, resource: JsonObject): JsonObject {
  return annotatedIn(revision, namedIn(revision, resource))
}

/** Anything with `annotations` for content: `lastModified` came with 2025-06-18. */
export function annotatedIn(revision: LegacyRevision, item: JsonObject): JsonObject {
  const { annotations, ...rest } = item
  if (revision >= '2025-06-18' || !isJsonObject(annotations)) return item
  const { lastModified: _none, ...known } = annotations
  return { ...rest, annotations: known }
}

/** The implementation that a server says it is. */
export function implementationIn(revision: LegacyRevision, info: JsonObject): JsonObject {
  if (revision >= '2025-11-25') return info
  const { name, title, version } = info
  return revision >= '2025-06-18' && title !== undefined ? { name, title, version } : { name, version }
}

/** What a server declares: `completions` came with 2025-03-26, extensions with 2025-11-25. */
export function capabilitiesIn(revision: LegacyRevision, capabilities: JsonObject): JsonObject {
  const { extensions, completions, ...rest } = capabilities
  return {
    ...rest,
    ...(revision >= '2025-03-26' && completions !== undefined ? { completions } : {}),
    ...(revision >= '2025-11-25' && extensions !== undefined ? { extensions } : {}),
  }
}

/** Icons came with 2025-11-25; a title beside the name, and `_meta` of a definition, with 2025-06-18. */
function namedIn(revision: LegacyRevision, item: JsonObject): JsonObject {
  if (revision >= '2025-11-25') return { ...item }
  const { icons: _icons, ...rest } = item
  if (revision >= '2025-06-18') return rest
  const { title: _title, _meta: _none, ...plain } = rest
  return plain
}
