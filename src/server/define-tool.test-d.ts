import { type } from 'arktype'
import { z } from 'zod'
import type { Schema } from '../protocol/standard-schema.ts'
import type { Context } from './context.ts'
import type { ToolHandler, ToolOptions } from './define-tool.ts'
import { fail, result } from './results.ts'
import { inputRequired } from '../protocol/input-required-result.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T

/** The form of `server.tool()`. */
declare function tool<I extends Schema | undefined = undefined, O extends Schema | undefined = undefined>(
  name: string,
  options: ToolOptions<I, O>,
  handler: ToolHandler<I, O>,
): void

// Arguments come from the input schema, after its transforms.
tool('zod', { input: z.object({ env: z.enum(['a', 'b']), n: z.coerce.number().default(1) }) }, (args, ctx) => {
  type _Args = Expect<Equal<typeof args, { env: 'a' | 'b'; n: number }>>
  type _Ctx = Expect<Equal<typeof ctx, Context>>
  return args.env + ctx.callId
})
tool('arktype', { input: type({ env: 'string', 'n?': 'number' }) }, async (args) => {
  type _Args = Expect<Equal<typeof args, { env: string; n?: number }>>
  return [{ type: 'text', text: args.env }]
})
tool('json schema', { input: { type: 'object', properties: { env: { type: 'string' } } } }, (args) => {
  type _Args = Expect<Equal<typeof args, Record<string, unknown>>>
  return String(args['env'])
})
tool('none', {}, (args) => {
  type _Args = Expect<Equal<typeof args, Record<string, unknown>>>
  return { type: 'image', data: String(args['data']), mimeType: 'image/png' }
})
tool('no parameters', { description: 'x' }, () => 'x')

// Destructuring, and the context.
tool('destructured', { input: z.object({ env: z.string() }) }, async ({ env }, { ask }) => {
  const why = await ask.form('why', { message: env, schema: z.object({ reason: z.string() }) })
  if (why.action !== 'accept') return fail('No.')
  return why.content.reason
})

// With an output schema the handler returns what that schema takes.
tool('output', { output: z.object({ n: z.number(), unit: z.string().default('m') }) }, () => ({ n: 1 }))
tool('output null', { output: z.null() }, () => null)
tool('output json', { output: { type: 'object' } }, () => ({ anything: true }))
tool('output full', { output: z.object({ n: z.number() }) }, async (_args, ctx) => {
  if (ctx.principal === '') return fail('Sign in.')
  return result({ structuredContent: { n: 1 }, content: [{ type: 'text', text: 'one' }] })
})

// The return form, in both spellings, with and without an output schema.
tool('value object', { output: z.object({ n: z.number() }) }, (_args, ctx) =>
  ctx.inputResponses === undefined ? inputRequired({ requestState: 's' }) : { n: 1 },
)
tool('literal', {}, (_args, ctx) =>
  ctx.inputResponses === undefined ? { resultType: 'input_required', requestState: 's' } : 'done',
)

// What does not fit is refused where it stands.
// @ts-expect-error a number is no result without an output schema
tool('number', {}, () => 7)
// @ts-expect-error an object that is no content block
tool('object', {}, () => ({ n: 1 }))
// @ts-expect-error not what the output schema takes
tool('wrong output', { output: z.object({ n: z.number() }) }, () => ({ n: 'one' }))
// @ts-expect-error a misspelt option
tool('misspelt', { descripton: 'x' }, () => 'x')
// @ts-expect-error a hint that there is not
tool('hint', { annotations: { readonlyHint: true } }, () => 'x')
// @ts-expect-error visible must be synchronous
tool('async visible', { visible: async () => true }, () => 'x')
tool('unknown argument', { input: z.object({ env: z.string() }) }, (args) => {
  // @ts-expect-error not in the schema
  return String(args.region)
})
