import { Server } from 'rondo'
import { connect } from 'rondo/client'
import { listen } from 'rondo/node'
import { command } from 'rondo/stdio'
import { describe, expect, it } from 'vitest'
import { begin, Events } from '../support/http.ts'
import { requestText } from '../support/rpc.ts'

interface Sent {
  readonly jsonrpc: string
  readonly id?: number | string
  readonly method: string
  readonly params: Record<string, unknown>
}

/** A server in this process that answers by a script. */
function scripted(answer: (sent: Sent) => object) {
  const sent: Sent[] = []
  return {
    sent,
    handle: (text: string) => {
      const message = JSON.parse(text) as Sent
      sent.push(message)
      const result = { resultType: 'complete', ...answer(message) }
      return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: message.id, result }) }
    },
  }
}

describe('pages', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
  /** Pages by cursor; the first under `start`. */
  const pages: Record<string, { tools: object[]; nextCursor?: string }> = {
    start: { tools: ['a', 'b', 'c'].map(tool), nextCursor: '' },
    '': { tools: [], nextCursor: ' {"odd":"é\u2028"} ' },
    ' {"odd":"é\u2028"} ': { tools: [tool('d')], nextCursor: '0' },
    '0': { tools: ['e', 'f'].map(tool) },
  }
  const server = () =>
    scripted(({ method, params }) =>
      method === 'tools/list' ? (pages[(params['cursor'] as string | undefined) ?? 'start'] ?? {}) : {},
    )

  it('MUST-page-01 pages of any size follow one another, empty ones too', async () => {
    const client = await connect(server(), { lazy: true })
    const names = (await client.tools().all()).map(({ name }) => name)
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('MUST-page-02 a cursor is sent back as it came, and an empty one is not the end', async () => {
    const recorded = server()
    const client = await connect(recorded, { lazy: true })
    await client.tools().all()
    expect(recorded.sent.map(({ params }) => params['cursor'])).toEqual([undefined, '', ' {"odd":"é\u2028"} ', '0'])
  })
})

/** A stdio server that keeps every line it was sent, and gives them all to the tool `lines`. */
const KEEPER = `
  const lines = []
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    lines.push(line)
    const { id, method, params } = JSON.parse(line)
    const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }))
    if (id === undefined) return
    if (method === 'server/discover') say({ supportedVersions: ['2026-07-28'], capabilities: {} })
    else if (params.name === 'lines') say({ content: [{ type: 'text', text: JSON.stringify(lines) }] })
    else if (params.name === 'ask' && params.inputResponses === undefined)
      say({ resultType: 'input_required', inputRequests: { dirs: { method: 'roots/list' } }, requestState: 'x\\ny' })
    else if (params.name !== 'never') say({ content: [] })
  })
`

describe('stdio', () => {
  async function keeper() {
    const client = await connect(command(process.execPath, ['-e', KEEPER]), { onRoots: () => [] })
    const lines = async (): Promise<Sent[]> => {
      const { content } = await client.callTool('lines')
      const kept = JSON.parse((content[0] as { text: string }).text) as string[]
      return kept.map((line) => JSON.parse(line) as Sent)
    }
    return { client, lines }
  }

  it('MUST-stdio-03 a client writes requests and notifications, and no responses', async () => {
    const { client, lines } = await keeper()
    await client.callTool('ask', { text: 'two\nlines' })
    const controller = new AbortController()
    const never = client.callTool('never', {}, { signal: controller.signal })
    controller.abort()
    await expect(never).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    const kept = await lines()
    expect(kept.length).toBeGreaterThan(5)
    for (const message of kept) {
      expect(message.jsonrpc).toBe('2.0')
      expect(typeof message.method).toBe('string')
      expect(message).not.toHaveProperty('result')
      expect(message).not.toHaveProperty('error')
    }
    await client.close()
  })

  it('MUST-cancel-05 only requests of its own that are still in progress are cancelled', async () => {
    const { client, lines } = await keeper()
    const controllers = Array.from({ length: 3 }, () => new AbortController())
    const [early, late, unused] = controllers as [AbortController, AbortController, AbortController]
    await client.callTool('done', {}, { signal: late.signal })
    late.abort()
    unused.abort()
    await expect(client.callTool('never', {}, { signal: unused.signal })).rejects.toThrow()
    const never = client.callTool('never', { mark: 1 }, { signal: early.signal })
    await lines()
    early.abort()
    await expect(never).rejects.toThrow()
    const kept = await lines()
    const cancelled = kept.filter(({ method }) => method === 'notifications/cancelled')
    const marked = kept.find(({ params }) => JSON.stringify(params).includes('"mark"'))
    expect(cancelled.map(({ params }) => params['requestId'])).toEqual([marked?.id])
    await client.close()
  })
})

describe('streams of one server', () => {
  it('MUST-log-03 log messages go to the stream of their own request', async () => {
    const waiting = new Map<string, () => void>()
    const server = new Server({ name: 'chatty', version: '1.0.0' })
    server.tool('it', {}, async (args, ctx) => {
      const { name } = args as { name: string }
      ctx.log.info(`begin ${name}`)
      await new Promise<void>((resolve) => waiting.set(name, resolve))
      ctx.log.info(`end ${name}`)
      return name
    })
    await using listening = await listen(server, { port: 0, log: () => undefined })
    const call = (name: string) => {
      const meta = { 'io.modelcontextprotocol/logLevel': 'info' }
      const body = requestText('tools/call', { name: 'it', arguments: { name } }, { meta })
      return begin(listening.url, { body, headers: { 'mcp-method': 'tools/call', 'mcp-name': 'it' } }).response
    }
    const [a, b] = (await Promise.all([call('a'), call('b')])).map((response) => new Events(response))
    const said = async (events: Events | undefined) =>
      ((await events?.next()) as { params?: { data?: string } } | undefined)?.params?.data
    expect([await said(a), await said(b)]).toEqual(['begin a', 'begin b'])
    waiting.get('b')?.()
    expect(await said(b)).toBe('end b')
    waiting.get('a')?.()
    expect(await said(a)).toBe('end a')
    for (const events of [a, b]) expect(await events?.next()).toHaveProperty('result')
  })
})
