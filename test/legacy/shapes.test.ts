import { result, Server } from 'rondo'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { LineClient } from './line-client.ts'

const icons = [{ src: 'https://example.com/i.png' }]

function everything(): Server {
  const server = new Server(
    { name: 'all', version: '1', title: 'All', description: 'Everything', icons },
    { extensions: { 'com.example/x': {} } },
  )
  const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
  const hints = { readOnlyHint: true }
  server.tool('sum', { title: 'Sum', icons, output, annotations: hints, meta: { 'com.example/a': 1 } }, () => ({
    n: 1,
  }))
  server.tool('list', { output: z.array(z.int()) }, () => [1, 2])
  server.tool('media', {}, () => [
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'note://a', name: 'a', title: 'Note A', icons },
    {
      type: 'text',
      text: 'x',
      annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' },
      _meta: { 'com.example/b': 2 },
    },
  ])
  server.tool('work', {}, (_args, ctx) => {
    ctx.progress(1, 2, 'half')
    return 'done'
  })
  server.prompt(
    'hello',
    { title: 'Hello', icons, arguments: { who: { title: 'Who' } }, complete: { who: () => ['you'] } },
    () => 'hi',
  )
  server.resource(
    'note',
    { uri: 'note://a', title: 'Note', icons, annotations: { lastModified: '2026-01-01T00:00:00Z' } },
    () => 'text',
  )
  return server
}

/** What each revision has of it: a row is a path into what it is sent, a column whether it is there. */
const ROWS: readonly [string, (client: LineClient) => Promise<unknown>, readonly string[]][] = [
  [
    'structuredContent that is an object',
    async (c) => (await tool(c, 'sum'))['structuredContent'],
    ['2025-06-18', '2025-11-25'],
  ],
  ['structuredContent of another kind', async (c) => (await tool(c, 'list'))['structuredContent'], []],
  [
    'outputSchema of an object',
    async (c) => (await listed(c, 'tools', 'sum'))['outputSchema'],
    ['2025-06-18', '2025-11-25'],
  ],
  ['outputSchema of another kind', async (c) => (await listed(c, 'tools', 'list'))['outputSchema'], []],
  ['icons of a tool', async (c) => (await listed(c, 'tools', 'sum'))['icons'], ['2025-11-25']],
  ['title of a tool', async (c) => (await listed(c, 'tools', 'sum'))['title'], ['2025-06-18', '2025-11-25']],
  ['_meta of a tool', async (c) => (await listed(c, 'tools', 'sum'))['_meta'], ['2025-06-18', '2025-11-25']],
  [
    'annotations of a tool',
    async (c) => (await listed(c, 'tools', 'sum'))['annotations'],
    ['2025-03-26', '2025-06-18', '2025-11-25'],
  ],
  ['icons of a prompt', async (c) => (await listed(c, 'prompts', 'hello'))['icons'], ['2025-11-25']],
  [
    'title of an argument',
    async (c) => ((await listed(c, 'prompts', 'hello'))['arguments'] as { title?: string }[])[0]?.title,
    ['2025-06-18', '2025-11-25'],
  ],
  ['icons of a resource', async (c) => (await listed(c, 'resources', 'note'))['icons'], ['2025-11-25']],
  ['title of a resource', async (c) => (await listed(c, 'resources', 'note'))['title'], ['2025-06-18', '2025-11-25']],
  [
    'lastModified of a resource',
    async (c) => ((await listed(c, 'resources', 'note'))['annotations'] as Record<string, unknown>)['lastModified'],
    ['2025-06-18', '2025-11-25'],
  ],
  ['audio', async (c) => block(c, 'audio'), ['2025-03-26', '2025-06-18', '2025-11-25']],
  ['a link to a resource', async (c) => block(c, 'resource_link'), ['2025-06-18', '2025-11-25']],
  ['icons of a link', async (c) => (await block(c, 'resource_link'))?.['icons'], ['2025-11-25']],
  ['_meta of content', async (c) => (await block(c, 'text', 'x'))?.['_meta'], ['2025-06-18', '2025-11-25']],
  ['a message with progress', async (c) => progress(c), ['2025-03-26', '2025-06-18', '2025-11-25']],
]

async function tool(client: LineClient, name: string): Promise<Record<string, unknown>> {
  return (await client.request('tools/call', { name, arguments: {} })).result ?? {}
}

async function listed(client: LineClient, list: string, name: string): Promise<Record<string, unknown>> {
  const { result: page = {} } = await client.request(`${list}/list`)
  const found = (page[list] as Record<string, unknown>[]).find((one) => one['name'] === name)
  if (found === undefined) throw new Error(`${list}/list has no ${name}`)
  return found
}

async function block(client: LineClient, type: string, text?: string): Promise<Record<string, unknown> | undefined> {
  const { content } = await tool(client, 'media')
  return (content as Record<string, unknown>[]).find(
    (one) => one['type'] === type && (text === undefined || one['text'] === text),
  )
}

async function progress(client: LineClient): Promise<unknown> {
  client.begin('tools/call', { name: 'work', arguments: {}, _meta: { progressToken: 'p' } })
  const { params } = await client.until(({ method }) => method === 'notifications/progress')
  expect(params).toMatchObject({ progressToken: 'p', progress: 1, total: 2 })
  return params?.['message']
}

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

for (const revision of REVISIONS) {
  test.each(ROWS)(`L1 ${revision}: %s is there only where the revision has it`, async (_what, look, has) => {
    const client = await LineClient.connect(everything(), revision)
    expect((await look(client)) !== undefined).toBe(has.includes(revision))
    await client.close()
  })

  test(`L1 ${revision}: nothing of 2026-07-28 stands on a result`, async () => {
    const client = await LineClient.connect(everything(), revision)
    const results = [
      await client.request('tools/list'),
      await client.request('prompts/list'),
      await client.request('resources/list'),
      await client.request('resources/templates/list'),
      await client.request('tools/call', { name: 'sum', arguments: {} }),
      await client.request('prompts/get', { name: 'hello', arguments: {} }),
      await client.request('resources/read', { uri: 'note://a' }),
      await client.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'hello' },
        argument: { name: 'who', value: '' },
      }),
    ]
    for (const { result: given } of results) {
      expect(given).toBeDefined()
      for (const member of ['resultType', 'ttlMs', 'cacheScope', '_meta']) expect(given).not.toHaveProperty(member)
    }
    await client.close()
  })
}

test('L1 what a revision cannot say stands there as text', async () => {
  const client = await LineClient.connect(everything(), '2024-11-05')
  const { content } = await tool(client, 'media')
  expect(content).toEqual([
    { type: 'text', text: '(Audio, audio/wav, which revision 2024-11-05 of MCP cannot carry.)' },
    { type: 'text', text: 'Note A: note://a' },
    { type: 'text', text: 'x', annotations: { priority: 1 } },
  ])
  expect((await tool(client, 'list'))['content']).toEqual([{ type: 'text', text: '[1,2]' }])
  await client.close()
})

test('L1 the one title that 2025-03-26 has is given there', async () => {
  const client = await LineClient.connect(everything(), '2025-03-26')
  expect((await listed(client, 'tools', 'sum'))['annotations']).toEqual({ title: 'Sum', readOnlyHint: true })
  await client.close()
})

test.each([
  ['2024-11-05', { name: 'all', version: '1' }, ['logging', 'prompts', 'resources', 'tools']],
  ['2025-03-26', { name: 'all', version: '1' }, ['completions', 'logging', 'prompts', 'resources', 'tools']],
  [
    '2025-06-18',
    { name: 'all', title: 'All', version: '1' },
    ['completions', 'logging', 'prompts', 'resources', 'tools'],
  ],
  [
    '2025-11-25',
    { name: 'all', title: 'All', version: '1', description: 'Everything', icons },
    ['completions', 'extensions', 'logging', 'prompts', 'resources', 'tools'],
  ],
])('L1 initialize of %s says who the server is and what it can do, in its words', async (revision, info, has) => {
  const client = new LineClient(everything())
  client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: revision, capabilities: {} } })
  const { result: given } = await client.until(({ id }) => id === 1)
  expect(given).toMatchObject({ protocolVersion: revision, serverInfo: info })
  expect(Object.keys(given?.['serverInfo'] as object).sort()).toEqual(Object.keys(info).sort())
  expect(Object.keys(given?.['capabilities'] as object).sort()).toEqual(has)
  await client.close()
})

test('L1 members of the author that are called like those of 2026-07-28 stay', async () => {
  const server = new Server({ name: 'own', version: '1' })
  server.method('com.example/own', {}, () => ({ ttlMs: 5, cacheScope: 'mine' }))
  const client = await LineClient.connect(server, '2025-11-25')
  expect((await client.request('com.example/own')).result).toEqual({ ttlMs: 5, cacheScope: 'mine' })
  await client.close()
})

test('L1 _meta of a result of the author is passed on', async () => {
  const server = new Server({ name: 'own', version: '1' })
  server.tool('it', {}, () => result({ content: [], _meta: { 'com.example/a': 1 } }))
  const client = await LineClient.connect(server, '2025-06-18')
  expect((await tool(client, 'it'))['_meta']).toEqual({ 'com.example/a': 1 })
  await client.close()
})
