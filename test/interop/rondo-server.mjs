/** A server of ours that asks in every way, in both handler forms. Argument: `stdio` or `http`. */
import { inputRequired, Server } from 'rondo'

const server = new Server({ name: 'interop', version: '1.0.0' })

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const question = { messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }], maxTokens: 50 }
const tools = [
  {
    name: 'weather',
    description: 'Weather at a place',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
]
const url = 'https://example.com/sign-in?state=1'

const blocks = ({ content }) => (Array.isArray(content) ? content : [content])
const readSample = (result) => `sampled ${blocks(result)[0].text}`
const readToolUse = (result) => `wants ${blocks(result).find(({ type }) => type === 'tool_use')?.name}`
const readRoots = ({ roots }) => `roots ${roots.map(({ uri }) => uri).join(' ')}`
const readForm = (answer) => (answer.action === 'accept' ? `hello ${answer.content.name}` : answer.action)

/** Ask form: code that awaits. */
const asked = {
  form: async (ctx) => readForm(await ctx.ask.form('name', { message: 'Your name?', schema })),
  url: async (ctx) => `url ${(await ctx.ask.url('visit', { message: 'Please sign in', url })).action}`,
  sampling: async (ctx) => readSample(await ctx.ask.sample('capital', question)),
  sampling_tools: async (ctx) =>
    readToolUse(await ctx.ask.sample('capital', { ...question, tools, toolChoice: { mode: 'auto' } })),
  roots: async (ctx) => readRoots(await ctx.ask.roots()),
}

/** Return form: each kind's request, and how its answer is read. */
const returned = {
  form: [
    { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?', requestedSchema: schema } },
    readForm,
  ],
  url: [
    { method: 'elicitation/create', params: { mode: 'url', message: 'Please sign in', url } },
    ({ action }) => `url ${action}`,
  ],
  sampling: [{ method: 'sampling/createMessage', params: question }, readSample],
  sampling_tools: [
    { method: 'sampling/createMessage', params: { ...question, tools, toolChoice: { mode: 'auto' } } },
    readToolUse,
  ],
  roots: [{ method: 'roots/list' }, readRoots],
}

function returning(kind) {
  const [request, read] = returned[kind]
  return (ctx) => {
    const answer = ctx.inputResponse('it')
    if (answer.kind !== 'missing') return `${read(answer.response)} (state ${ctx.requestState})`
    return inputRequired({ inputRequests: { it: request }, requestState: 'round 1' })
  }
}

for (const [kind, handler] of Object.entries(asked)) server.tool(`ask_${kind}`, {}, (_args, ctx) => handler(ctx))
for (const kind of Object.keys(returned)) server.tool(`return_${kind}`, {}, (_args, ctx) => returning(kind)(ctx))

server.prompt('ask_form', {}, (_args, ctx) => asked.form(ctx))
server.prompt('return_form', {}, (_args, ctx) => returning('form')(ctx))
server.resource('ask_form', { uri: 'interop://ask_form' }, (_uri, ctx) => asked.form(ctx))
server.resource('return_form', { uri: 'interop://return_form' }, (_uri, ctx) => returning('form')(ctx))

if (process.argv[2] === 'stdio') {
  const { serve } = await import('rondo/stdio')
  await serve(server)
} else {
  const { listen } = await import('rondo/node')
  const listening = await listen(server, { port: 0 })
  process.send?.({ port: listening.port })
}
