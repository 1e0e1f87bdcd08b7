import fc from 'fast-check'
import { type Client, connect, isRondoError } from 'rondo/client'
import { describe, expect, test } from 'vitest'
import { DISCOVERED, scripted } from './scripted-server.ts'

type Ask = (client: Client) => Promise<unknown>

const ref = { type: 'ref/prompt', name: 'p' } as const
const ASKS: Readonly<Record<string, Ask>> = {
  'server/discover': (client) => client.discover(),
  'tools/list': (client) => client.tools().all(),
  'prompts/list': (client) => client.prompts().all(),
  'resources/list': (client) => client.resources().all(),
  'resources/templates/list': (client) => client.resourceTemplates().all(),
  'tools/call': (client) => client.callTool('t'),
  'prompts/get': (client) => client.getPrompt('p'),
  'resources/read': (client) => client.readResource('a:b'),
  'completion/complete': (client) => client.complete(ref, { name: 'x', value: '' }),
}

/** A result of each method that can be used. */
const GOOD: Readonly<Record<string, object>> = {
  'server/discover': DISCOVERED,
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: null },
  'prompts/list': { prompts: [{ name: 'a' }] },
  'resources/list': { resources: [{ uri: 'a:b', name: 'a' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'a' }] },
  'tools/call': {
    content: [
      { type: 'text', text: '' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'a:b', name: 'a' },
      { type: 'resource', resource: { uri: 'a:b', blob: '' } },
      { type: 'of a later revision' },
    ],
    isError: false,
    more: 1,
  },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], description: 'A' },
  'resources/read': { contents: [{ uri: 'a:b', text: '' }] },
  'completion/complete': { completion: { values: ['a'], total: 1, hasMore: false } },
}

/** A client of a server that gives this result, whatever it is asked. */
async function clientOf(method: string, result: unknown): Promise<Client> {
  const server = scripted(() => result as never)
  const handle: typeof server.handle = async (message, exchange) => {
    const { id, method: asked } = JSON.parse(message) as { id: number; method: string }
    if (asked !== method) return server.handle(message, exchange)
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, result }) }
  }
  return connect({ handle }, { lazy: true })
}

const without = (method: string, member: string): object => ({ ...GOOD[method], [member]: undefined })
const asks: Ask = (client) => client.startTool('t')

const BAD: [string, unknown, string, Ask?][] = [
  [
    'server/discover',
    without('server/discover', 'supportedVersions'),
    'supportedVersions must be a list, not undefined',
  ],
  ['server/discover', { ...DISCOVERED, supportedVersions: '2026-07-28' }, 'supportedVersions must be a list'],
  ['server/discover', { ...DISCOVERED, supportedVersions: [null] }, 'supportedVersions[0] must be a text, not null'],
  ['server/discover', { ...DISCOVERED, capabilities: [] }, 'capabilities must be an object, not an array'],
  ['server/discover', { ...DISCOVERED, instructions: {} }, 'instructions must be a text'],
  [
    'server/discover',
    { ...DISCOVERED, _meta: { 'io.modelcontextprotocol/serverInfo': { name: {} } } },
    '_meta.io.modelcontextprotocol/serverInfo.name must be a text, not an object',
  ],
  ['tools/list', {}, 'tools must be a list, not undefined'],
  ['tools/list', { tools: {} }, 'tools must be a list, not an object'],
  ['tools/list', { tools: [null] }, 'tools[0] must be an object, not null'],
  ['tools/list', { tools: [{ name: 7 }] }, 'tools[0].name must be a text, not a number'],
  ['tools/list', { tools: [{ name: 'a' }] }, 'tools[0].inputSchema must be an object'],
  ['tools/list', { tools: [], nextCursor: 7 }, 'nextCursor must be a text, not a number'],
  ['prompts/list', { prompts: 'none' }, 'prompts must be a list'],
  ['prompts/list', { prompts: [{}] }, 'prompts[0].name must be a text'],
  ['prompts/list', { prompts: [], nextCursor: {} }, 'nextCursor must be a text'],
  ['resources/list', { resources: [{ name: 'a' }] }, 'resources[0].uri must be a text'],
  [
    'resources/templates/list',
    { resourceTemplates: [{ name: 'a' }] },
    'resourceTemplates[0].uriTemplate must be a text',
  ],
  ['tools/call', {}, 'content must be a list, not undefined'],
  ['tools/call', {}, 'content must be a list, not undefined', asks],
  ['tools/call', { content: 'text' }, 'content must be a list, not a string'],
  ['tools/call', { content: [null] }, 'content[0] must be an object'],
  ['tools/call', { content: [{ text: 'a' }] }, 'content[0].type must be a text'],
  ['tools/call', { content: [{ type: 'text' }] }, 'content[0].text must be a text'],
  ['tools/call', { content: [{ type: 'image', data: '' }] }, 'content[0].mimeType must be a text'],
  ['tools/call', { content: [{ type: 'resource' }] }, 'content[0].resource must be an object'],
  ['tools/call', { content: [], isError: 'no' }, 'isError must be true or false'],
  ['prompts/get', {}, 'messages must be a list'],
  ['prompts/get', { messages: [{ role: 'user' }] }, 'messages[0].content must be an object'],
  ['prompts/get', { messages: [{ content: { type: 'text', text: '' } }] }, 'messages[0].role must be a text'],
  ['resources/read', {}, 'contents must be a list'],
  ['resources/read', { contents: [{ text: '' }] }, 'contents[0].uri must be a text'],
  ['resources/read', { contents: [{ uri: 'a:b' }] }, 'contents[0] must have a text or a blob'],
  ['completion/complete', {}, 'completion must be an object'],
  ['completion/complete', { completion: { values: 'a' } }, 'completion.values must be a list'],
  ['completion/complete', { completion: { values: [1] } }, 'completion.values[0] must be a text'],
]

describe('results that a server may not give', () => {
  test.each(Object.keys(GOOD))('%s: one that can be used is given as it is', async (method) => {
    await (ASKS[method] as Ask)(await clientOf(method, GOOD[method]))
  })

  test.each(BAD)('%s: %j is RESPONSE_INVALID: %s', async (method, result, told, ask = ASKS[method] as Ask) => {
    await expect(ask(await clientOf(method, result))).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining(`The server's result for ${method} cannot be used: ${told}`) as unknown,
      data: { method },
    })
  })

  test('connecting fails with it too', async () => {
    const { handle } = scripted(() => ({}))
    const broken = {
      handle: async (message: string, exchange: object) => {
        const { status, body } = await handle(message, exchange)
        return { status, body: body?.replace('"supportedVersions":["2026-07-28"]', '"supportedVersions":{}') }
      },
    }
    await expect(connect(broken)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('whatever a server gives in place of any part of a result, no stranger is thrown', async () => {
    const strange = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, null, {}, [], [[]], [null], [{}], '', 0, true))
    const changed = fc.constantFrom(...Object.keys(GOOD)).chain((method) =>
      fc.tuple(fc.constant(method), strange, fc.nat()).map(([, value, at]) => {
        let parts = 0
        JSON.parse(JSON.stringify(GOOD[method]), (_key, old: unknown) => (parts++, old))
        let part = 0
        const swap = (_key: string, old: unknown): unknown => (part++ === at % parts ? value : old)
        return { method, result: JSON.parse(JSON.stringify(GOOD[method]), swap) as unknown }
      }),
    )
    await fc.assert(
      fc.asyncProperty(changed, async ({ method, result }) => {
        const outcome = await (ASKS[method] as Ask)(await clientOf(method, result)).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(isRondoError(outcome)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
