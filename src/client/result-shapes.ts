import { RondoError } from '../errors/rondo-error.ts'
import { kindOf } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'

/**
 * What is wrong with a value: the way to it, and the end of a sentence (`[0].name must be a text, not null`). `undefined`
 * when nothing is. Members that are not looked at may be anything: servers of later revisions have more of them.
 */
type Look = (value: unknown) => string | undefined

const leaf =
  (is: string, fits: (value: unknown) => boolean): Look =>
  (value) =>
    fits(value) ? undefined : ` must be ${is}, not ${kindOf(value)}`

const TEXT = leaf('a text', (value) => typeof value === 'string')
const NUMBER = leaf('a number', (value) => typeof value === 'number')
const BOOLEAN = leaf('true or false', (value) => typeof value === 'boolean')
const OBJECT = leaf('an object', isJsonObject)
/** Some servers write null where there is no next page. */
const CURSOR = leaf('a text', (value) => value === null || typeof value === 'string')

const optional =
  (look: Look): Look =>
  (value) =>
    value === undefined ? undefined : look(value)

const LIST = leaf('a list', Array.isArray)

const listOf =
  (look: Look): Look =>
  (value) => {
    if (!Array.isArray(value)) return LIST(value)
    for (let index = 0; index < value.length; index++) {
      const problem = look(value[index])
      if (problem !== undefined) return `[${index}]${problem}`
    }
    return undefined
  }

function objectOf(members: Readonly<Record<string, Look>>): Look {
  const looks = Object.entries(members)
  return (value) => {
    if (!isJsonObject(value)) return OBJECT(value)
    for (const [name, look] of looks) {
      const problem = look(value[name])
      if (problem !== undefined) return `.${name}${problem}`
    }
    return undefined
  }
}

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
    `The server's result for ${method} cannot be used: ${problem.replace(/^\./, '')}. This is a fault of the server's.`,
    { data: { method } },
  )
}
