import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Client, connect } from 'rondo/client'
import type { Era, EraAdapter, EraRequest } from '../../src/client/era.ts'
import { memoryTransport } from '../../src/transport/memory/client.ts'
import { readFileSync } from 'node:fs'
import { scripted, text } from './scripted-server.ts'

/** Pages by cursor. */
const paged = (member: string) =>
  scripted(({ params }) => {
    const item = (name: string) => ({ name, uri: `item:${name}`, inputSchema: { type: 'object' } })
    if (params['cursor'] === undefined) return { [member]: [item('a'), item('b')], nextCursor: '' }
    if (params['cursor'] === '') return { [member]: [], nextCursor: 'last' }
    return { [member]: [item('c')], nextCursor: null }
  })

describe('lists', () => {
  test('spec server/utilities/pagination: an empty cursor is a cursor, an empty page is not the end', async () => {
    const server = paged('tools')
    const client = await connect(server)
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(server.calls.map(({ params }) => params['cursor'])).toEqual([undefined, '', 'last'])
  })

  test('spec server/utilities/pagination: cursors are passed on as they are', async () => {
    const cursor = ' {"é": "\u2028%20"}\n'
    const server = scripted(() => ({ prompts: [] }))
    await (await connect(server)).listPrompts({ cursor })
    expect(server.calls[0]?.params['cursor']).toBe(cursor)
  })

  test('iterating asks for a page when it is reached', async () => {
    const server = paged('resources')
    const client = await connect(server)
    for await (const { name } of client.resources()) if (name === 'b') break
    expect(server.calls).toHaveLength(1)
  })

  test('pages are given as received', async () => {
    const client = await connect(scripted(() => ({ resourceTemplates: [], ttlMs: 5, cacheScope: 'public' })))
    const pages = []
    for await (const page of client.resourceTemplates().pages()) pages.push(page)
    expect(pages).toEqual([{ resourceTemplates: [], ttlMs: 5, cacheScope: 'public' }])
    expect(await client.resourceTemplates().all()).toEqual([])
  })

  test.each(['listTools', 'listPrompts', 'listResources', 'listResourceTemplates'] as const)(
    '%s refuses a result without its list',
    async (method) => {
      const client = await connect(scripted(() => ({ resultType: 'complete' })))
      await expect(client[method]()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
    },
  )
})

describe('tool results', () => {
  const server = scripted(({ params }) => {
    if (params['name'] === 'fails') return { ...text('no'), isError: true }
    return { content: [], structuredContent: params['arguments'] }
  })

  test('a failed tool is a result', async () => {
    const client = await connect(server)
    expect(await client.callTool('fails')).toMatchObject({ isError: true })
    expect(await client.callTool('fails', {}, { output: z.object({ n: z.number() }) })).toMatchObject({ isError: true })
  })

  test('spec server/tools: structured results are validated against the schema given', async () => {
    const client = await connect(server)
    const output = z.object({ when: z.string().transform((at) => new Date(at)) })
    const result = await client.callTool('t', { when: '2026-07-28' }, { output })
    if (result.isError) throw new Error('it did not fail')
    expect(result.structuredContent.when.getUTCFullYear()).toBe(2026)
    const bad = client.callTool('t', { when: 7 }, { output })
    await expect(bad).rejects.toMatchObject({ code: 'RESPONSE_INVALID', data: { issues: [{ path: ['when'] }] } })
  })

  test('spec server/tools: so are those of a JSON Schema', async () => {
    const lists = scripted(({ params }) => ({
      content: [],
      structuredContent: Object.values(params['arguments'] ?? {}),
    }))
    const client = await connect(lists)
    const output = { type: 'array', items: { type: 'integer' } } as const
    expect(await client.callTool('t', { a: 1, b: 2 }, { output })).toMatchObject({ structuredContent: [1, 2] })
    await expect(client.callTool('t', { a: 'x' }, { output })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })
})

describe('other requests', () => {
  test('completions', async () => {
    const server = scripted(() => ({ completion: { values: ['a'], total: 1, hasMore: false } }))
    const client = await connect(server)
    const ref = { type: 'ref/prompt', name: 'p' } as const
    const argument = { name: 'x', value: 'a' }
    expect(await client.complete(ref, argument)).toEqual({ values: ['a'], total: 1, hasMore: false })
    await client.complete(ref, argument, { arguments: { y: 'b' } })
    expect(server.calls.map(({ params: { _meta, ...params } }) => params)).toEqual([
      { ref, argument },
      { ref, argument, context: { arguments: { y: 'b' } } },
    ])
    const broken = await connect(scripted(() => ({})))
    await expect(broken.complete(ref, argument)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('a method of the server’s own', async () => {
    const server = scripted(() => ({ any: 'thing' }))
    const client = await connect(server)
    expect(await client.request('com.example/count', { by: 2, _meta: { 'com.example/a': 1 } })).toEqual({
      any: 'thing',
    })
    expect(server.calls[0]).toMatchObject({
      method: 'com.example/count',
      params: { by: 2, _meta: { 'com.example/a': 1 } },
    })
  })

  test('an error answer carries code, text and data', async () => {
    const client = await connect(scripted(() => ({ error: { code: 1234, message: 'Out of cake', data: { left: 0 } } })))
    await expect(client.readResource('x:y')).rejects.toMatchObject({
      code: 'RESPONSE_ERROR',
      wire: 1234,
      message: 'Out of cake',
      data: { left: 0 },
      method: 'resources/read',
    })
  })

  test('spec basic/index: clientInfo goes with every request unless the host keeps it to itself', async () => {
    const key = 'io.modelcontextprotocol/clientInfo'
    const server = scripted(() => text('ok'))
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    await (await connect(server)).callTool('t')
    await (await connect(server, { clientInfo: { name: 'host', version: '9' } })).callTool('t')
    await (await connect(server, { clientInfo: false })).callTool('t')
    expect(server.calls.map(({ params }) => params._meta[key])).toEqual([
      { name: 'rondo', version },
      { name: 'host', version: '9' },
      undefined,
    ])
  })

  test('spec basic/index: ids are never null and never used twice', async () => {
    const server = scripted(() => text('ok'))
    const client = await connect(server)
    await Promise.all(Array.from({ length: 20 }, () => client.callTool('t')))
    const ids = server.seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(21)
    expect(ids.every((id) => Number.isInteger(id))).toBe(true)
  })

  test('the client is let go of at the end of its block', async () => {
    const close = vi.fn()
    {
      await using client = await connect({ ...memoryTransport(scripted(() => text('ok'))), ...ported(close) })
      expect(client.address).toBe('here')
    }
    expect(close).toHaveBeenCalledOnce()
  })
})

/** A transport by hand. */
function ported(close: () => void) {
  return {
    kind: 'memory' as const,
    address: 'here',
    request: async ({ id }: { id: string | number }) => ({
      message: { jsonrpc: '2.0' as const, id, result: { supportedVersions: [], capabilities: {} } },
    }),
    close: async () => close(),
  }
}

describe('a server in this process', () => {
  test('it is told who calls', async () => {
    let seen: unknown
    const server = scripted((_, { principal, auth }) => {
      seen = { principal, auth }
      return text('ok')
    })
    await (await connect(server, { principal: 'ada', auth: { scope: 'x' } })).callTool('t')
    expect(seen).toEqual({ principal: 'ada', auth: { scope: 'x' } })
  })

  test('one that throws, or gives no response, is a typed error', async () => {
    const broken = {
      handle: () => {
        throw new Error('oops')
      },
    }
    await expect(connect(broken)).rejects.toMatchObject({ code: 'TRANSPORT_FAILED', cause: new Error('oops') })
    const rejecting = { handle: () => Promise.reject(new Error('oops')) }
    await expect(connect(rejecting)).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' })
    const silent = { handle: () => ({ status: 202, body: undefined }) }
    await expect(connect(silent)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  test('closing fails what is under way', async () => {
    let cancelled: string | undefined
    const client = await connect(
      scripted((_, exchange) => {
        exchange.onCancel?.((reason) => (cancelled = reason))
        return new Promise(() => undefined)
      }),
    )
    const call = client.callTool('t')
    call.catch(() => undefined)
    await client.close()
    await expect(call).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    expect(cancelled).toBe('The client was closed')
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})

describe('the port for other eras', () => {
  /** An era in which asks come as requests of the server's own, while the call is under way. */
  const oldEra = (seen: EraRequest[]): Era => ({
    name: 'legacy',
    version: '2025-11-25',
    async request(request) {
      seen.push(request)
      const ask = {
        method: 'elicitation/create',
        params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
      }
      return { content: [], answer: await request.answer?.('7', ask) }
    },
  })

  test('C10 an adapter takes over a server that gave no modern answer, and its asks go to the same handlers', async () => {
    const seen: EraRequest[] = []
    const adopt = vi.fn<EraAdapter['adopt']>(async () => oldEra(seen))
    const transport = memoryTransport(scripted(() => text('ok')))
    const legacy = {
      kind: 'stdio' as const,
      address: 'old',
      close: () => transport.close(),
      request: async ({ id }: { id: string | number }) => ({
        message: { jsonrpc: '2.0' as const, id, error: { code: -32601, message: 'Method not found' } },
      }),
    }
    const client = new Client(
      legacy,
      { onElicit: ({ key, call }) => ({ action: key === '7' && call.name === 't' ? 'decline' : 'cancel' }) },
      { adopt },
    )
    await client.ready()
    expect(adopt).toHaveBeenCalledWith(legacy, {
      tried: 'server/discover at 2026-07-28',
      status: undefined,
      said: '-32601 Method not found',
    })
    expect(client.version).toBe('2025-11-25')
    expect(await client.callTool('t', { x: 1 })).toEqual({ content: [], answer: { action: 'decline' } })
    expect(seen[0]).toMatchObject({ method: 'tools/call', members: '"name":"t","arguments":{"x":1}' })
  })
})
