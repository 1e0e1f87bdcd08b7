import { type ClientCapabilities } from './capabilities.ts'
import { type CompleteRequestParams, type CompleteResult } from './completion.ts'
import { type ContentBlock } from './content.ts'
import { type DiscoverResult } from './discover.ts'
import { type ElicitRequestParams, type ElicitResult } from './elicitation.ts'
import { type InputRequests, type InputResponses } from './input-requests.ts'
import { type LoggingMessageParams } from './logging.ts'
import { type NotificationMeta, type RequestMeta } from './meta.ts'
import { type GetPromptResult, type ListPromptsResult } from './prompt.ts'
import { type ListResourcesResult, type ListResourceTemplatesResult, type ReadResourceResult } from './resource.ts'
import { type ListRootsResult } from './roots.ts'
import { type CreateMessageRequestParams, type CreateMessageResult } from './sampling.ts'
import { type CallToolResult, type ListToolsResult } from './tool.ts'

/** Messages of every kind, as they stand on the wire, are of our types. */
const wire = <T>(..._examples: T[]): void => undefined

wire<RequestMeta>({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: { tools: {} }, roots: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1', icons: [{ src: 'https://example.com/a.png' }] },
  'io.modelcontextprotocol/logLevel': 'info',
  progressToken: 1,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
  'com.example/own': {},
})
// @ts-expect-error capabilities go with every request
wire<RequestMeta>({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' })
wire<NotificationMeta>({}, { 'io.modelcontextprotocol/subscriptionId': 'a' })
wire<ClientCapabilities>({}, { elicitation: { form: {}, url: {} }, extensions: { 'com.example/x': { a: 1 } } })
wire<DiscoverResult>({
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, completions: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
})

wire<ContentBlock>(
  { type: 'text', text: 'a', annotations: { audience: ['user'], priority: 1 } },
  { type: 'image', data: 'AA==', mimeType: 'image/png' },
  { type: 'resource_link', uri: 'file:///a', name: 'a', size: 1 },
  { type: 'resource', resource: { uri: 'file:///a', text: 'a' } },
  { type: 'resource', resource: { uri: 'file:///a', blob: 'AA==' } },
)
wire<CallToolResult>({ content: [] }, { content: [], structuredContent: null, isError: true, resultType: 'complete' })
wire<ListToolsResult>({
  tools: [{ name: 't', inputSchema: { type: 'object', $schema: 'x', allOf: [] }, outputSchema: { type: 'array' } }],
  nextCursor: '',
})
wire<GetPromptResult>({ messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] })
wire<ListPromptsResult>({ prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }] })
wire<ReadResourceResult>({ contents: [{ uri: 'file:///a', text: 'a' }] })
wire<ListResourcesResult>({ resources: [{ uri: 'file:///a', name: 'a' }] })
wire<ListResourceTemplatesResult>({ resourceTemplates: [{ uriTemplate: 'file:///{+path}', name: 'a' }] })
wire<CompleteRequestParams>({
  ref: { type: 'ref/prompt', name: 'p' },
  argument: { name: 'a', value: '' },
  context: { arguments: { b: 'x' } },
})
wire<CompleteResult>({ completion: { values: ['a'], total: 1, hasMore: false } })
wire<LoggingMessageParams>({ level: 'debug', data: [1] })

wire<ElicitRequestParams>(
  {
    message: 'm',
    requestedSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', format: 'email', default: '' },
        count: { type: 'integer', minimum: 0 },
        sure: { type: 'boolean' },
        one: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
        many: { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['a'] },
      },
      required: ['text'],
    },
  },
  { mode: 'url', message: 'm', url: 'https://example.com/' },
)
// @ts-expect-error forms are flat
wire<ElicitRequestParams>({ message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } })
wire<ElicitResult>({ action: 'decline' }, { action: 'accept', content: { a: 'x', b: 1, c: true, d: ['y'] } })
wire<CreateMessageRequestParams>({
  messages: [
    { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 't', input: {} }] },
    { role: 'user', content: { type: 'tool_result', toolUseId: '1', content: [] } },
  ],
  maxTokens: 1,
  tools: [{ name: 't', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'none' },
})
wire<CreateMessageResult>({ role: 'assistant', content: { type: 'text', text: 'a' }, model: 'm', stopReason: 'own' })
wire<ListRootsResult>({ roots: [{ uri: 'file:///a' }] })
wire<InputRequests>({
  a: { method: 'roots/list' },
  b: { method: 'elicitation/create', params: { mode: 'url', message: '', url: '' } },
})
// @ts-expect-error only three methods are embedded
wire<InputRequests>({ a: { method: 'tools/call', params: {} } })
wire<InputResponses>({ a: { action: 'cancel' }, b: { roots: [] } })
