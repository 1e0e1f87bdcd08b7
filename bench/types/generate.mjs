/** The same 300 tools in the words of each library: what `tsc` has to infer from zod schemas. */

/** Shapes that differ from tool to tool, so that nothing is inferred once for all. */
const SHAPES = [
  (n) =>
    `z.object({ id: z.string(), count${n}: z.number().int().min(1), deep: z.object({ a: z.string(), b: z.array(z.number()) }) })`,
  (n) =>
    `z.object({ kind: z.enum(['one', 'two', 'three']), label${n}: z.string().optional(), on: z.boolean().default(true) })`,
  (n) =>
    `z.object({ at: z.iso.datetime(), tags: z.array(z.string().max(20)), extra${n}: z.record(z.string(), z.unknown()) })`,
  (n) =>
    `z.object({ target: z.union([z.object({ by: z.literal('id'), id: z.string() }), z.object({ by: z.literal('name'), name${n}: z.string() })]) })`,
  (n) =>
    `z.object({ amount: z.number(), currency: z.string().length(3).transform((v) => v.toUpperCase()), note${n}: z.string().nullable() })`,
  (n) =>
    `z.object({ page: z.number().optional(), sort: z.object({ by${n}: z.string(), order: z.enum(['asc', 'desc']) }).partial(), ids: z.tuple([z.string(), z.number()]) })`,
]

const USES = [
  'args.deep.b.length',
  'args.kind.length',
  'args.tags.length',
  'args.target.by.length',
  'args.currency.length',
  'args.ids[1]',
]

const shape = (n) => SHAPES[n % SHAPES.length](n)
const use = (n) => USES[n % USES.length]

/** A third of the tools have structured output, a third ask a person first, the rest answer a text. */
const kind = (n) => ['plain', 'output', 'asks'][Math.floor(n / SHAPES.length) % 3]

const OUTPUT = (n) =>
  `z.object({ total${n}: z.number(), lines: z.array(z.object({ name: z.string(), value: z.number() })) })`
const ANSWER = (n) => `z.object({ reason${n}: z.string().min(3), level: z.enum(['low', 'high']) })`

const rondo = {
  head: `import { Server } from 'rondo'\nimport * as z from 'zod'\n\nconst server = new Server({ name: 'types', version: '1.0.0' })\n`,
  plain: (n) => `server.tool('tool_${n}', { input: ${shape(n)} }, async (args) => \`got \${${use(n)}}\`)`,
  output: (n) =>
    `server.tool('tool_${n}', { input: ${shape(n)}, output: ${OUTPUT(n)} }, async (args) => ({ total${n}: ${use(n)}, lines: [{ name: 'x', value: 1 }] }))`,
  asks: (n) => `server.tool('tool_${n}', { input: ${shape(n)} }, async (args, ctx) => {
  const answer = await ctx.ask.form('why', { message: 'Why?', schema: ${ANSWER(n)} })
  return answer.action === 'accept' ? \`\${answer.content.reason${n}} \${answer.content.level} \${${use(n)}}\` : 'No.'
})`,
}

const official = {
  head: `import { McpServer, acceptedContent, inputRequired } from '@modelcontextprotocol/server'\nimport * as z from 'zod'\n\nconst server = new McpServer({ name: 'types', version: '1.0.0' })\nconst text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })\n`,
  plain: (n) =>
    `server.registerTool('tool_${n}', { inputSchema: ${shape(n)} }, async (args) => text(\`got \${${use(n)}}\`))`,
  output: (n) =>
    `server.registerTool('tool_${n}', { inputSchema: ${shape(n)}, outputSchema: ${OUTPUT(n)} }, async (args) => ({ ...text('done'), structuredContent: { total${n}: ${use(n)}, lines: [{ name: 'x', value: 1 }] } }))`,
  asks: (n) => `const answer_${n} = ${ANSWER(n)}
server.registerTool('tool_${n}', { inputSchema: ${shape(n)} }, async (args, ctx) => {
  const answer = acceptedContent(ctx.mcpReq.inputResponses, 'why', answer_${n})
  if (answer === undefined) return inputRequired({ inputRequests: { why: inputRequired.elicit({ message: 'Why?', requestedSchema: answer_${n} }) } })
  return text(\`\${answer.reason${n}} \${answer.level} \${${use(n)}}\`)
})`,
}

const DIALECTS = { rondo, official }

/** TypeScript source of a server with so many tools. */
export function source(dialect, count) {
  const words = DIALECTS[dialect]
  return [words.head, ...Array.from({ length: count }, (_, n) => words[kind(n)](n)), ''].join('\n')
}
