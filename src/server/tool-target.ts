import { kindOf } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { ContentBlock } from '../protocol/content.ts'
import { contentProblem, isPlainArray } from '../protocol/content-check.ts'
import type { CompiledSchema, Validated } from '../protocol/schema.ts'
import { canonicalJson } from '../token/canonical-json.ts'
import { issuesText } from '../protocol/issue.ts'
import type { CallTarget, CheckedInput } from './call-target.ts'
import type { CallPolicy } from './call-policy.ts'
import type { Context } from './context.ts'
import type { ToolEntry } from './define-tool.ts'
import { after, type Maybe } from './maybe.ts'
import { resultBody, resultInvalid, structuredText } from './result-body.ts'
import { fail, isFullResult } from './results.ts'

const BLOCKS: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link'])

/** A tool about to be called. */
export class ToolTarget implements CallTarget {
  readonly isTool = true
  readonly cache = undefined
  readonly #entry: ToolEntry
  readonly #arguments: JsonObject

  constructor(entry: ToolEntry, args: JsonObject | undefined) {
    this.#entry = entry
    this.#arguments = args ?? {}
  }

  get name(): string {
    return this.#entry.name
  }

  get policy(): CallPolicy {
    return this.#entry.policy
  }

  bindingText(): string {
    return `${this.#entry.name}\n${canonicalJson(this.#arguments)}`
  }

  checkInput(): Maybe<CheckedInput> {
    const { input } = this.#entry
    if (input === undefined) return { ok: true, args: this.#arguments }
    return after(input.validate(this.#arguments), (validated) => this.#checked(validated))
  }

  invoke(args: unknown, ctx: Context): unknown {
    return this.#entry.handler(args as never, ctx)
  }

  finish(value: unknown): Maybe<JsonObject> {
    const { output, name } = this.#entry
    if (isFullResult(value)) return fullBody(value.body, output, name)
    if (output !== undefined) {
      return after(structured(output, value, name), (structuredContent) => ({
        content: [{ type: 'text', text: structuredText(structuredContent) }],
        structuredContent,
      }))
    }
    return { content: contentOf(value, name) }
  }

  recheck(body: JsonObject, given: JsonObject | undefined): Maybe<JsonObject> {
    const { output, name } = this.#entry
    // Validated already, and a schema that transforms would not take its own outcome.
    const value = body['structuredContent']
    const kept = value !== undefined && value === given?.['structuredContent']
    return fullBody(body, kept ? undefined : output, name)
  }

  #checked(validated: Validated): CheckedInput {
    if (validated.ok) return { ok: true, args: validated.value }
    const { body } = fail(`Invalid arguments for tool ${this.#entry.name}: ${issuesText(validated.issues)}`)
    return { ok: false, result: body as JsonObject }
  }
}

function fullBody(given: object, output: CompiledSchema | undefined, name: string): Maybe<JsonObject> {
  const body = resultBody(given, `Tool ${name}`)
  const { content, structuredContent, isError } = body
  if (content !== undefined) checkBlocks(content, name)
  if (isError !== undefined && typeof isError !== 'boolean') {
    resultInvalid(`Tool ${name} returned a result whose isError is neither true nor false.`)
  }
  if (output === undefined || isError === true) return withContent(body, structuredContent)
  return after(structured(output, structuredContent, name), (value) =>
    withContent({ ...body, structuredContent: value }, value, true),
  )
}

/** A structured value also goes out as text, for clients that know only that (server/tools, "Structured Content"). */
function withContent(body: JsonObject, structuredContent: unknown, must = false): JsonObject {
  const text = must || structuredContent !== undefined ? structuredText(structuredContent) : undefined
  const { content, ...rest } = body
  if (content !== undefined) return body
  return { content: text === undefined ? [] : [{ type: 'text', text }], ...rest }
}

function structured(output: CompiledSchema, value: unknown, name: string): Maybe<unknown> {
  return after(output.validate(value), (validated) => {
    if (validated.ok) return validated.value
    if (isUnbranded(value))
      return resultInvalid(`Tool ${name} has an output schema, which its value does not fit, and returned ${UNBRANDED}`)
    return resultInvalid(
      `Tool ${name} returned a value that its output schema refuses: ${issuesText(validated.issues)}. Return a value that fits, or fail('why').`,
    )
  })
}

function contentOf(value: unknown, name: string): readonly ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isBlock)) return checkBlocks(value, name)
  if (isBlock(value)) return checkBlocks([value], name)
  if (isUnbranded(value)) return resultInvalid(`Tool ${name} returned ${UNBRANDED}`)
  return resultInvalid(
    `Tool ${name} returned ${told(value)}. Without an output schema a tool returns text, a content block or an array of them; give it \`output\`, or use result({…}).`,
  )
}

/** What is no valid content does not go out (server/tools, "Security Considerations"). */
function checkBlocks(blocks: unknown, name: string): readonly ContentBlock[] {
  const problem = isPlainArray(blocks) ? firstProblem(blocks) : 'content is no array'
  if (problem === undefined) return blocks as readonly ContentBlock[]
  return resultInvalid(`Tool ${name} returned content that cannot be sent: ${problem}.`)
}

function firstProblem(blocks: readonly unknown[]): string | undefined {
  for (const [index, block] of blocks.entries()) {
    const problem = contentProblem(block)
    if (problem !== undefined) return `block ${index} ${problem}`
  }
  return undefined
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && BLOCKS.has((value as { type?: unknown }).type)
}

/** A result as other libraries write it: here it is told from data by its brand. */
function isUnbranded(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value['content']) && value['content'].every(isBlock)
}

const UNBRANDED =
  "{ content: […] } as plain data. Write result({ content: […] }), return the text, the blocks or (with `output`) the value alone, or fail('why') in place of isError."

function told(value: unknown): string {
  if (Array.isArray(value)) return 'an array that holds something else than content blocks'
  return isJsonObject(value) ? 'an object that is no content block' : kindOf(value)
}
