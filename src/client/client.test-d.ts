import { type } from 'arktype'
import { z } from 'zod'
import { type CallToolResult } from '../protocol/tool.ts'
import { type Client } from './client.ts'
import { type Round, type RoundMethod, type RoundOutcome, type RoundResults } from './round.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T

declare const client: Client

// Without a schema nothing is known of the structured value.
const plain = await client.callTool('t', { x: 1 })
type _Plain = Expect<Equal<typeof plain, CallToolResult>>
type _Unknown = Expect<Equal<typeof plain.structuredContent, unknown>>
void plain

// With one it is typed, wherever the tool did not fail.
const zod = await client.callTool('t', {}, { output: z.object({ at: z.string().transform((text) => new Date(text)) }) })
if (zod.isError) {
  type _Failed = Expect<Equal<typeof zod.structuredContent, unknown>>
} else {
  type _Zod = Expect<Equal<typeof zod.structuredContent, { at: Date }>>
}
const ark = await client.callTool('t', {}, { output: type({ n: 'number' }) })
if (!ark.isError) {
  type _Ark = Expect<Equal<typeof ark.structuredContent, { n: number }>>
}
const json = await client.callTool(
  't',
  {},
  { output: { type: 'object' }, timeout: 5, onElicit: () => ({ action: 'cancel' }) },
)
if (!json.isError) {
  type _Json = Expect<Equal<typeof json.structuredContent, Record<string, unknown>>>
}

// A round keeps which method it belongs to, so that its result is known.
const tool = await client.startTool('t')
type _Tool = Expect<Equal<typeof tool, RoundOutcome<'tools/call'>>>
if (tool.kind === 'input_required') {
  const next = await client.resume(tool, { why: { action: 'accept', content: { a: 1 } } })
  if (next.kind === 'complete') {
    type _Result = Expect<Equal<typeof next.result, CallToolResult>>
  }
}
const loaded = JSON.parse('{}') as Round
const resumed = await client.resume(loaded)
if (resumed.kind === 'complete') {
  type _Any = Expect<Equal<typeof resumed.result, RoundResults[RoundMethod]>>
}

// Lists are iterated by item.
for await (const { name, uri } of client.resources()) {
  type _Uri = Expect<Equal<typeof uri, string>>
  void [name, uri]
}
const all = await client.tools().all()
void all.map(({ inputSchema }) => inputSchema)

// What fill gives is an answer's content.
await client.callTool('t', {}, { onElicit: (ask) => ({ action: 'accept', content: ask.fill({ name: 'Ada' }) }) })
// @ts-expect-error a form holds texts, numbers, yes or no, and lists of texts
await client.callTool('t', {}, { onElicit: (ask) => ({ action: 'accept', content: ask.fill({ name: { a: 1 } }) }) })
// @ts-expect-error an action is one of three
await client.callTool('t', {}, { onElicit: () => ({ action: 'maybe' }) })
// @ts-expect-error prompts take texts
await client.getPrompt('p', { n: 1 })
// @ts-expect-error there is no such kind of ask
await client.callTool('t', {}, { asks: ['forms'] })
