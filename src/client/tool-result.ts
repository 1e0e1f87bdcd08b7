import { RondoError } from '../errors/rondo-error.ts'
import { type CompiledSchema, compileSchema, validateStandard } from '../protocol/schema.ts'
import { type InferOutput, isStandardSchema, type Schema } from '../protocol/standard-schema.ts'
import { type CallToolResult } from '../protocol/tool.ts'

type Common = Omit<CallToolResult, 'structuredContent' | 'isError'>

/**
 * Result of a tool call. Without an output schema its `structuredContent` is `unknown`; with one it was checked, and is
 * typed wherever `isError` is not `true`.
 */
export type ToolResult<S extends Schema | undefined = undefined> = S extends Schema
  ? | (Common & { readonly isError?: false; readonly structuredContent: InferOutput<S> })
    | (Common & { readonly isError: true; readonly structuredContent?: unknown })
  : CallToolResult

/**
 * Checks the structured result of a tool that did not fail.
 *
 * @throws RondoError `RESPONSE_INVALID` with the issues as `data`
 */
export async function checkedToolResult<S extends Schema | undefined>(
  name: string,
  result: CallToolResult,
  schema: Schema,
): Promise<ToolResult<S>> {
  if (result.isError === true) return result as ToolResult<S>
  const value = result.structuredContent
  const checked = await (isStandardSchema(schema) ? validateStandard(schema, value) : compiled(schema).validate(value))
  if (checked.ok) return { ...result, structuredContent: checked.value } as unknown as ToolResult<S>
  const issues = checked.issues.map(({ path, message }) => `${path.join('.') || 'structuredContent'}: ${message}`)
  throw new RondoError(
    'RESPONSE_INVALID',
    `The result of "${name}" does not fit the output schema. ${issues.join('; ')}`,
    {
      data: { issues: checked.issues },
    },
  )
}

/** JSON Schemas seen before: compiling one is far dearer than using it. */
const COMPILED = new WeakMap<object, CompiledSchema>()

function compiled(schema: Schema): CompiledSchema {
  let known = COMPILED.get(schema)
  if (known === undefined) COMPILED.set(schema, (known = compileSchema(schema, 'output')))
  return known
}
