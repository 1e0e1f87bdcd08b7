import { RondoError } from '../errors/rondo-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { ContentBlock } from '../protocol/content.ts'
import { contentProblem } from '../protocol/content-check.ts'
import type { CompiledSchema, Validated } from '../protocol/schema.ts'
import { canonicalJson } from '../token/canonical-json.ts'
import { issuesText } from '../protocol/issue.ts'
import type { CallTarget, CheckedInput } from './call-target.ts'
import type { CallPolicy } from './call-policy.ts'
import type { Context } from './context.ts'
import type { ToolEntry } from './define-tool.ts'
import { after, type Maybe } from './maybe.ts'
import { fail, isFullResult, type ToolResultBody } from './results.ts'

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
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
      }))
    }
    return { content: contentOf(value, name) }
  }

  #checked(validated: Validated): CheckedInput {
    if (validated.ok) return { ok: true, args: validated.value }
    const { body } = fail(`Invalid arguments for tool ${this.#entry.name}: ${issuesText(validated.issues)}`)
    return { ok: false, result: body as JsonObject }
  }
}

function fullBody(body: ToolResultBody, output: CompiledSchema | undefined, name: string): Maybe<JsonObject> {
  const { content, structuredContent, isError } = body
  if (content !== undefined) checkBlocks(content, name)
  if (output === undefined || isError === true) return withContent(body, content, structuredContent)
  return after(structured(output, structuredContent, name), (value) =>
    withContent({ ...body, structuredContent: value }, content, value),
  )
}

/** A structured value also goes out as text, for clients that know only that (server/tools, "Structured Content"). */
function withContent(body: ToolResultBody, content: ToolResultBody['content'], structuredContent: unknown): JsonObject {
  if (content !== undefined) return { ...body }
  const text = structuredContent === undefined ? [] : [{ type: 'text', text: JSON.stringify(structuredContent) }]
  return { content: text, ...body }
}

function structured(output: CompiledSchema, value: unknown, name: string): Maybe<unknown> {
  return after(output.validate(value), (validated) => {
    if (validated.ok) return validated.value
    throw new RondoError(
      'RESULT_INVALID',
      `Tool ${name} returned a value that its output schema refuses: ${issuesText(validated.issues)}. Return a value that fits, or fail('why').`,
    )
  })
}

function contentOf(value: unknown, name: string): readonly ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isBlock)) return checkBlocks(value, name)
  if (isBlock(value)) return checkBlocks([value], name)
  throw new RondoError(
    'RESULT_INVALID',
    `Tool ${name} returned ${describe(value)}. Without an output schema a tool returns text, a content block or an array of them; give it \`output\`, or use result({…}).`,
  )
}

/** What is no valid content does not go out (server/tools, "Security Considerations"). */
function checkBlocks(blocks: readonly ContentBlock[], name: string): readonly ContentBlock[] {
  const problem = Array.isArray(blocks) ? firstProblem(blocks) : 'content is no array'
  if (problem === undefined) return blocks
  throw new RondoError('RESULT_INVALID', `Tool ${name} returned content that cannot be sent: ${problem}.`)
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

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array that holds something else than content blocks'
  return typeof value === 'object' ? 'an object that is no content block' : `a ${typeof value}`
}
