import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import { BOOLEAN, leaf, listOf, type Look, NUMBER, OBJECT, objectOf, optional, TEXT, told } from './shape.ts'

/** Some servers write null where there is no next page. */
const CURSOR = leaf('a text', (value) => value === null || typeof value === 'string')

const RESOURCE = objectOf({ uri: TEXT, text: optional(TEXT), blob: optional(TEXT) })

const CONTENTS: Look = (value) => {
  const problem = RESOURCE(value)
  if (problem !== undefined) return problem
  const { text, blob } = value as JsonObject
  return text === undefined && blob === undefined ? ' must have a text or a blob' : undefined
}

const MEDIA = objectOf({ data: TEXT, mimeType: TEXT })
const BLOCKS: ReadonlyMap<unknown, Look> = new Map([
  ['text', objectOf({ text: TEXT })],
  ['image', MEDIA],
  ['audio', MEDIA],
  ['resource_link', objectOf({ uri: TEXT, name: TEXT })],
  ['resource', objectOf({ resource: CONTENTS })],
])
const TYPED = objectOf({ type: TEXT })

/** A block of a type that is not known is left to whoever reads it. */
const BLOCK: Look = (value) => TYPED(value) ?? BLOCKS.get((value as JsonObject)['type'])?.(value)

const page = (member: string, item: Readonly<Record<string, Look>>): Look =>
  objectOf({ [member]: listOf(objectOf(item)), nextCursor: optional(CURSOR) })

/** Members that are not looked at may be anything: servers of later revisions have more of them. */
const SHAPES: Readonly<Record<string, Look>> = {
  [METHODS.serverDiscover]: objectOf({
    supportedVersions: listOf(TEXT),
    capabilities: OBJECT,
    instructions: optional(TEXT),
    _meta: optional(objectOf({ [META.serverInfo]: optional(objectOf({ name: TEXT, version: TEXT })) })),
  }),
  [METHODS.toolsList]: page('tools', { name: TEXT, inputSchema: OBJECT }),
  [METHODS.promptsList]: page('prompts', { name: TEXT }),
  [METHODS.resourcesList]: page('resources', { uri: TEXT, name: TEXT }),
  [METHODS.resourceTemplatesList]: page('resourceTemplates', { uriTemplate: TEXT, name: TEXT }),
  [METHODS.toolsCall]: objectOf({ content: listOf(BLOCK), isError: optional(BOOLEAN), _meta: optional(OBJECT) }),
  [METHODS.promptsGet]: objectOf({
    messages: listOf(objectOf({ role: TEXT, content: BLOCK })),
    description: optional(TEXT),
    _meta: optional(OBJECT),
  }),
  [METHODS.resourcesRead]: objectOf({ contents: listOf(CONTENTS), _meta: optional(OBJECT) }),
  [METHODS.complete]: objectOf({
    completion: objectOf({ values: listOf(TEXT), total: optional(NUMBER), hasMore: optional(BOOLEAN) }),
  }),
}

/**
 * Looks at a complete result before anything is done with it: what its type promises is there.
 *
 * @throws RondoError `RESPONSE_INVALID` that names the member and what it must be; `data: { method }`
 */
export function checkResult(method: string, result: JsonObject): JsonObject {
  const problem = SHAPES[method]?.(result)
  if (problem === undefined) return result
  throw new RondoError(
    'RESPONSE_INVALID',
    `The server's result for ${method} cannot be used: ${told(problem)}. This is a fault of the server's.`,
    { data: { method } },
  )
}
