import { z } from 'zod'
import type { PromptHandler, PromptOptions } from './define-prompt.ts'
import type { PromptArgumentsOption } from './prompt-arguments.ts'
import { result } from './results.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T

/** The form of `server.prompt()`. */
declare function prompt<const A extends PromptArgumentsOption | undefined = undefined>(
  name: string,
  options: PromptOptions<A>,
  handler: PromptHandler<A>,
): void

// Names come from the arguments; what is not required may be absent.
prompt('named', { arguments: { topic: { description: 'x', required: true }, tone: { complete: ['dry'] } } }, (args) => {
  type _Topic = Expect<Equal<typeof args.topic, string>>
  type _Tone = Expect<Equal<typeof args.tone, string | undefined>>
  type _Names = Expect<Equal<keyof typeof args, 'topic' | 'tone'>>
  // @ts-expect-error not among the arguments
  return `${args.topic} ${args.tone} ${args.colour}`
})
prompt('destructured', { arguments: { topic: { required: true } } }, async ({ topic }, ctx) => {
  const length = await ctx.ask.number('length', topic, { orEnd: 'No prompt.' })
  return { role: 'user', content: { type: 'text', text: `${topic} ${length}` } }
})
prompt('schema', { arguments: z.object({ count: z.coerce.number() }) }, ({ count }) => {
  type _Count = Expect<Equal<typeof count, number>>
  return [{ role: 'assistant', content: { type: 'text', text: String(count) } }]
})
prompt('json schema', { arguments: { type: 'object', properties: {} } }, (args) => {
  type _Args = Expect<Equal<typeof args, Record<string, unknown>>>
  return String(args['topic'])
})
prompt('none', {}, () => result({ description: 'x', messages: [] }))
prompt(
  'completer',
  {
    arguments: {
      topic: { required: true, complete: (value, { arguments: settled }) => [value, settled['tone'] ?? ''] },
      tone: { complete: async () => ({ values: [], total: 0 }) },
    },
  },
  (args) => {
    type _Topic = Expect<Equal<typeof args.topic, string>>
    type _Tone = Expect<Equal<typeof args.tone, string | undefined>>
    return args.topic
  },
)

// @ts-expect-error a number is no message
prompt('number', {}, () => 7)
// @ts-expect-error no such role
prompt('role', {}, () => ({ role: 'system', content: { type: 'text', text: 'x' } }))
// @ts-expect-error required is true or false
prompt('required', { arguments: { topic: { required: 'yes' } } }, () => 'x')
