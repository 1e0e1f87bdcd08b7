import { RondoError } from '../../errors/rondo-error.ts'
import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { JsonObject } from '../../jsonrpc/messages.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { LegacyRevision } from '../../protocol/revisions.ts'
import { contentIn } from './content-shape.ts'

/**
 * Params of an ask as a request of `revision`.
 *
 * @throws RondoError `ASK_FAILED` for what that revision cannot ask
 */
export function askIn(revision: LegacyRevision, { method, params }: InputRequest): JsonObject | undefined {
  const given = params as JsonObject | undefined
  switch (method) {
    case METHODS.elicitationCreate:
      return elicitationIn(revision, given ?? {})
    case METHODS.samplingCreateMessage:
      return samplingIn(revision, given ?? {})
    case METHODS.rootsList:
      return given
  }
}

function elicitationIn(revision: LegacyRevision, params: JsonObject): JsonObject {
  // The client may be told under this id that the page was done with (2025-11-25, client/elicitation, "URL Mode").
  if (params['mode'] === 'url') return { ...params, elicitationId: globalThis.crypto.randomUUID() }
  if (revision >= '2025-11-25') return params
  const { mode: _none, requestedSchema, ...rest } = params
  return { ...rest, requestedSchema: formIn(revision, requestedSchema as JsonObject) }
}

function formIn(revision: LegacyRevision, { $schema: _none, properties, ...form }: JsonObject): JsonObject {
  const shaped: JsonObject = Object.create(null) as JsonObject
  for (const [name, property] of Object.entries((properties ?? {}) as Record<string, JsonObject>)) {
    shaped[name] = fieldIn(revision, name, property)
  }
  return { ...form, properties: shaped }
}

/** Titles of choices had another form, and only a yes or no had a default. */
function fieldIn(revision: LegacyRevision, name: string, field: JsonObject): JsonObject {
  const { type, oneOf, ...rest } = field
  if (type === 'array') throw cannot(revision, `a field with several choices, as ${JSON.stringify(name)} is`)
  if (type === 'boolean') return field
  const { default: _none, ...plain } = rest
  if (!Array.isArray(oneOf)) return { type, ...plain }
  const choices = oneOf as { const: string; title?: string }[]
  return {
    type,
    ...plain,
    enum: choices.map((one) => one.const),
    enumNames: choices.map((one) => one.title ?? one.const),
  }
}

function samplingIn(revision: LegacyRevision, params: JsonObject): JsonObject {
  if (revision >= '2025-11-25') return params
  const { messages, tools, toolChoice: _none, ...rest } = params
  if (tools !== undefined) throw cannot(revision, 'a model that uses tools')
  return { ...rest, messages: (messages as JsonObject[]).flatMap((message) => messagesIn(revision, message)) }
}

/** A message had one block. */
function messagesIn(revision: LegacyRevision, { role, content }: JsonObject): JsonObject[] {
  const blocks = (Array.isArray(content) ? content : [content]).filter(isJsonObject)
  return blocks.map((block) => {
    if (block['type'] === 'tool_use' || block['type'] === 'tool_result')
      throw cannot(revision, 'a model that uses tools')
    return { role, content: contentIn(revision, block) }
  })
}

function cannot(revision: LegacyRevision, what: string): RondoError<'ASK_FAILED'> {
  return new RondoError('ASK_FAILED', `The client speaks revision ${revision} of MCP, which cannot ask for ${what}.`)
}
