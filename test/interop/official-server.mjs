/** A server of the official SDK that asks in every way. Argument: `stdio` or `http`. Its only form returns what is asked. */
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const codec = createRequestStateCodec({ key: 'interop-key-of-at-least-32-bytes-long' })

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
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

const kinds = {
  form: [
    inputRequired.elicit({ message: 'Your name?', requestedSchema }),
    (view) => (view.action === 'accept' ? `hello ${view.content.name}` : view.action),
  ],
  url: [inputRequired.elicitUrl({ message: 'Please sign in', url }), (view) => `url ${view.action}`],
  sampling: [inputRequired.createMessage(question), (view) => `sampled ${blocks(view.result)[0].text}`],
  sampling_tools: [
    inputRequired.createMessage({ ...question, tools, toolChoice: { mode: 'auto' } }),
    (view) => `wants ${blocks(view.result).find(({ type }) => type === 'tool_use')?.name}`,
  ],
  roots: [inputRequired.listRoots(), (view) => `roots ${view.roots.map((root) => root.uri).join(' ')}`],
}

async function round(kind, ctx) {
  const [request, read] = kinds[kind]
  const view = inputResponse(ctx.mcpReq.inputResponses, 'it')
  if (view.kind === 'missing')
    return inputRequired({ inputRequests: { it: request }, requestState: await codec.mint({ said: 'round 1' }) })
  return `${read(view)} (state ${ctx.mcpReq.requestState().said})`
}

const done = (value, wrap) => (typeof value === 'string' ? wrap(value) : value)

function makeServer() {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { requestState: { verify: codec.verify } })
  for (const kind of Object.keys(kinds)) {
    server.registerTool(`return_${kind}`, { description: kind }, async (ctx) =>
      done(await round(kind, ctx), (text) => ({ content: [{ type: 'text', text }] })),
    )
  }
  server.registerPrompt('return_form', { description: 'asks' }, async (ctx) =>
    done(await round('form', ctx), (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] })),
  )
  server.registerResource('return_form', 'interop://return_form', {}, async (uri, ctx) =>
    done(await round('form', ctx), (text) => ({ contents: [{ uri: uri.href, text }] })),
  )
  return server
}

if (process.argv[2] === 'stdio') {
  serveStdio(makeServer)
} else {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
}
