import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { JsonObject } from '../../jsonrpc/messages.ts'
import { META } from '../../protocol/meta.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'
import { contentIn } from './content-shape.ts'
import { capabilitiesIn, implementationIn, promptIn, resourceIn, toolIn } from './definition-shape.ts'

/** JSON text of a result in the form of one revision, from that of 2026-07-28. */
export type Render = (method: string, resultText: string) => string

type Shape = (revision: LegacyRevision, result: JsonObject) => JsonObject

/** Lists of which the text is kept, for all sessions of a revision: the same few are asked for again and again. */
const KEPT = 64
const renderings = new Map<LegacyRevision, Render>()

/** What makes results those of `revision`: members that it lacks are left out, and what it cannot say is said in text. */
export function renderingOf(revision: LegacyRevision): Render {
  let render = renderings.get(revision)
  if (render === undefined) renderings.set(revision, (render = makeRendering(revision)))
  return render
}

function makeRendering(revision: LegacyRevision): Render {
  const lists = new Map<string, string>()
  return (method, text) => {
    if (isAsItIs(revision, method, text)) return text
    if (!LISTS.has(method)) return shape(revision, method, text)
    const known = lists.get(text)
    if (known !== undefined) return known
    const shaped = shape(revision, method, text)
    if (lists.size >= KEPT) lists.clear()
    lists.set(text, shaped)
    return shaped
  }
}

/** Whether there is nothing in a result of a call that 2025-11-25 does not have: it is then not read at all. */
function isAsItIs(revision: LegacyRevision, method: string, text: string): boolean {
  if (revision < '2025-11-25' || !CALLS.has(method)) return false
  return !text.includes('"structuredContent":')
}

function shape(revision: LegacyRevision, method: string, text: string): string {
  const result = unstamped(JSON.parse(text) as JsonObject, LISTS.has(method) || CALLS.has(method))
  return JSON.stringify(SHAPES[method]?.(revision, result) ?? result)
}

/** Without what 2026-07-28 puts on every result. */
function unstamped(result: JsonObject, cacheable: boolean): JsonObject {
  const { resultType: _type, _meta: meta, ...rest } = result
  if (cacheable) {
    delete rest['ttlMs']
    delete rest['cacheScope']
  }
  if (!isJsonObject(meta)) return rest
  const { [META.serverInfo]: _info, ...own } = meta
  return Object.keys(own).length === 0 ? rest : { ...rest, _meta: own }
}

function listed(member: string, item: Shape): Shape {
  return (revision, result) => {
    const items = result[member]
    return Array.isArray(items)
      ? { ...result, [member]: items.map((one) => item(revision, one as JsonObject)) }
      : result
  }
}

const toolResultIn: Shape = (revision, { structuredContent, ...result }) => {
  const shaped = listed('content', contentIn)(revision, result)
  // Any other value stands in the content as text.
  const sayable = revision >= '2025-06-18' && isJsonObject(structuredContent)
  return sayable ? { ...shaped, structuredContent } : shaped
}

const messageIn: Shape = (revision, message) => ({
  ...message,
  content: contentIn(revision, message['content'] as JsonObject),
})

const contentsIn: Shape = (revision, contents) => {
  if (revision >= '2025-06-18') return contents
  const { _meta: _none, ...plain } = contents
  return plain
}

const initializedIn: Shape = (revision, result) => ({
  ...result,
  capabilities: capabilitiesIn(revision, result['capabilities'] as JsonObject),
  serverInfo: implementationIn(revision, result['serverInfo'] as JsonObject),
})

const LISTS: ReadonlySet<string> = new Set([
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourceTemplatesList,
])
const CALLS: ReadonlySet<string> = new Set([METHODS.toolsCall, METHODS.promptsGet, METHODS.resourcesRead])
const SHAPES: Readonly<Record<string, Shape>> = {
  [METHODS.initialize]: initializedIn,
  [METHODS.toolsList]: listed('tools', toolIn),
  [METHODS.promptsList]: listed('prompts', promptIn),
  [METHODS.resourcesList]: listed('resources', resourceIn),
  [METHODS.resourceTemplatesList]: listed('resourceTemplates', resourceIn),
  [METHODS.toolsCall]: toolResultIn,
  [METHODS.promptsGet]: listed('messages', messageIn),
  [METHODS.resourcesRead]: listed('contents', contentsIn),
}
