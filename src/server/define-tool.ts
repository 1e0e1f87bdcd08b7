import { shown } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { ContentBlock } from '../protocol/content.ts'
import type { InputRequiredJson, InputRequiredResult } from '../protocol/input-required-result.ts'
import { paramHeaders, type ParamHeader } from '../protocol/param-headers.ts'
import type { CompiledSchema } from '../protocol/schema.ts'
import type { InferInput, InferOutput, Schema } from '../protocol/standard-schema.ts'
import type { ToolAnnotations } from '../protocol/tool.ts'
import { callPolicy, POLICY_OPTIONS, type CallPolicy, type CallPolicyOptions } from './call-policy.ts'
import type { Context } from './context.ts'
import {
  checkHandler,
  checkOptions,
  definitionJson,
  described,
  DESCRIBED_OPTIONS,
  refuse,
  refuseWith,
  type DescribedOptions,
} from './definition.ts'
import { definedSchema } from './defined-schema.ts'
import { markHeaders } from './mark-headers.ts'
import type { FullResult } from './results.ts'
import type { Visible } from './visible.ts'

/** What {@link toolEntry} takes beside name and handler. */
export interface ToolOptions<
  I extends Schema | undefined = Schema | undefined,
  O extends Schema | undefined = Schema | undefined,
>
  extends DescribedOptions, CallPolicyOptions {
  /** Schema of the arguments, an object. Without one the tool is listed as taking none. */
  readonly input?: I
  /** Schema of the structured value the handler then returns: any JSON value. */
  readonly output?: O
  readonly annotations?: ToolAnnotations | undefined
  /**
   * Arguments that HTTP clients also send as a header `Mcp-Param-<name>`: header name by property, dots for nested ones.
   * Do not name secrets here (server/tools, "x-mcp-header").
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Every way a handler may say that it needs more from the client, beside `ctx.ask`. */
export type NeedsInput = InputRequiredResult | InputRequiredJson

/** Arguments of a tool's handler. */
export type ToolArguments<I> = [I] extends [Schema] ? InferOutput<I> : Record<string, unknown>

/** What a tool's handler may return whatever the tool's options. */
type AnyReturn = FullResult | NeedsInput

/** What a tool's handler returns: with `output` the structured value, without it text or content. */
export type ToolReturn<O> =
  AnyReturn | ([O] extends [Schema] ? InferInput<O> : string | ContentBlock | readonly ContentBlock[])

/**
 * Does a tool's work. Runs again from the top each round.
 *
 * A conditional type over whole functions, not over what they return: only so does the compiler know, while it reads the
 * handler, whether there is an `output`, and takes `type: 'text'` for the literal that it is.
 */
export type ToolHandler<I, O> = [O] extends [Schema]
  ? (args: ToolArguments<I>, ctx: Context) => ToolReturn<O> | PromiseLike<ToolReturn<O>>
  : (args: ToolArguments<I>, ctx: Context) => ToolReturn<undefined> | PromiseLike<ToolReturn<undefined>>

/** A tool as the registry keeps it. */
export interface ToolEntry {
  readonly kind: 'tool'
  readonly name: string
  /** Its definition as it is listed, serialised once. */
  readonly json: string
  /** `undefined`: it takes no arguments, and what is sent all the same goes unchecked. */
  readonly input: CompiledSchema | undefined
  readonly output: CompiledSchema | undefined
  readonly paramHeaders: readonly ParamHeader[]
  readonly policy: CallPolicy
  readonly visible: Visible | undefined
  readonly handler: (args: never, ctx: Context) => unknown
}

const OPTIONS = [...DESCRIBED_OPTIONS, ...POLICY_OPTIONS, 'input', 'output', 'annotations', 'headers']
const NAME = /^[A-Za-z0-9_.-]{1,128}$/
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
const NO_HEADERS: readonly ParamHeader[] = Object.freeze([])
/** server/tools, "Tool": the form it recommends for a tool without parameters. */
const NO_ARGUMENTS: JsonObject = { type: 'object', additionalProperties: false }

/**
 * Checks a tool's definition and makes it ready for calls. Schemas are converted here, once.
 *
 * @throws RondoError `DEFINITION_INVALID`, with what is wrong and what to do.
 * @see server/tools of the specification
 */
export function toolEntry(
  name: string,
  options: ToolOptions,
  handler: (args: never, ctx: Context) => unknown,
): ToolEntry {
  const where = `Tool ${shown(name)}`
  checkToolName(name, where)
  checkOptions(options, OPTIONS, where)
  checkHandler(handler, where)
  const { input, output, annotations, headers } = options
  checkToolAnnotations(annotations, where)
  const compiledInput = input === undefined ? undefined : definedSchema(input, 'input', 'input', where)
  const compiledOutput = output === undefined ? undefined : definedSchema(output, 'output', 'output', where)
  const plain = compiledInput?.json ?? NO_ARGUMENTS
  const inputSchema = headers === undefined ? plain : markHeaders(plain, headers, where)
  const { title, description, icons, _meta } = described(options, where)
  const definition = {
    name,
    title,
    description,
    icons,
    inputSchema,
    outputSchema: compiledOutput?.json,
    annotations,
    _meta,
  }
  return {
    kind: 'tool',
    name,
    json: definitionJson(definition, where),
    input: compiledInput,
    output: compiledOutput,
    paramHeaders: compiledInput === undefined ? NO_HEADERS : headersOf(inputSchema, where),
    policy: callPolicy(options, where),
    visible: options.visible,
    handler,
  }
}

/** server/tools, "Tool Names". The models behind clients take no other names, so its SHOULD is held as a rule. */
function checkToolName(name: unknown, where: string): void {
  if (typeof name === 'string' && NAME.test(name)) return
  refuse(where, 'a tool name has 1 to 128 characters out of A-Z, a-z, 0-9, _, - and . (for display use `title`).')
}

function checkToolAnnotations(annotations: ToolAnnotations | undefined, where: string): void {
  if (annotations === undefined) return
  if (!isJsonObject(annotations)) refuse(where, 'annotations must be an object.')
  checkOptions(annotations, ['title', ...HINTS], `${where}: annotations`)
  for (const hint of HINTS) {
    const value: unknown = annotations[hint]
    if (value !== undefined && typeof value !== 'boolean') refuse(where, `annotations.${hint} must be true or false.`)
  }
  if (annotations.title !== undefined && typeof annotations.title !== 'string') {
    refuse(where, 'annotations.title must be a text.')
  }
}

function headersOf(inputSchema: JsonObject, where: string): readonly ParamHeader[] {
  try {
    return paramHeaders(inputSchema)
  } catch (error) {
    return refuseWith(error, where)
  }
}
