import { type Context, type Exchange, Server } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, EVERYTHING, readReply, textOf } from '../support/rpc.ts'
import { asking, askingServer, CALLS, FORM } from './asking-server.ts'

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

const legacy = (protocolVersion: string): Exchange => ({ legacy: { protocolVersion, capabilities: EVERYTHING } })

/** A request without the modern envelope. */
const bare = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

describe('clients of the legacy era, without a bridge', () => {
  it.each(VERSIONS.flatMap((version) => CALLS.map((call) => ({ ...call, version }))))(
    'S1.20 a client of $version that calls $name gets an internal error, never the result type',
    async ({ method, params, version }) => {
      const server = askingServer(() => asking('x'))
      const { body } = await server.handle(bare(method, params), legacy(version))
      expect(JSON.parse(body ?? '')).toMatchObject({ id: 1, error: { code: -32603 } })
      for (const word of ['resultType', 'input_required', 'inputRequests', 'requestState']) {
        expect(body).not.toContain(word)
      }
    },
  )

  it('S1.20 the ask form is held back in the same way', async () => {
    const server = askingServer(async (ctx) => ((await ctx.ask.confirm('go', 'Go?')) ? 'gone' : 'stayed'))
    for (const version of VERSIONS) {
      const { body } = await server.handle(bare('tools/call', { name: 'it' }), legacy(version))
      expect(JSON.parse(body ?? '')).toMatchObject({ error: { code: -32603 } })
      expect(body).not.toContain('resultType')
    }
  })

  it('S1.20 a state alone is held back too, whatever was declared', async () => {
    const server = askingServer(() => ({ resultType: 'input_required', requestState: 'later' }))
    const { body } = await server.handle(bare('tools/call', { name: 'it' }), legacy('2025-11-25'))
    expect(JSON.parse(body ?? '')).toMatchObject({ error: { code: -32603 } })
  })

  it('S1.20 a complete result of a legacy request has no result type', async () => {
    const server = askingServer(() => 'done')
    for (const { method, params } of CALLS) {
      const { body } = await server.handle(bare(method, params), legacy('2025-11-25'))
      expect(body).toContain('done')
      expect(body).not.toContain('resultType')
    }
  })

  it('S1.20 a request with neither envelope nor session never reaches a handler', async () => {
    const entered: string[] = []
    const server = askingServer(() => entered.push('entered') && 'done')
    for (const { method, params } of CALLS) {
      const reply = readReply(await server.handle(bare(method, params)))
      expect(reply.error?.code).toBeLessThan(0)
      expect(JSON.stringify(reply)).not.toContain('resultType')
    }
    expect(entered).toEqual([])
  })

  it('S1.43 a handler without context gets its client an internal error', async () => {
    const server = new Server({ name: 'asking', version: '1.0.0' })
    server.tool('it', {}, () => asking('x'))
    const reply = readReply(await server.handle(bare('tools/call', { name: 'it' }), legacy('2025-11-25')))
    expect(reply.error?.code).toBe(-32603)
    expect(reply.error?.message).toContain('2026-07-28')
    expect(textOf(await callTool(server, 'it'))).toBeUndefined()
  })

  it('S1.43 a handler with context gets its client an internal error', async () => {
    const server = new Server({ name: 'asking', version: '1.0.0' })
    server.tool('it', {}, (_args: unknown, ctx: Context) => {
      expect(ctx.protocolVersion).toBe('2025-11-25')
      return { resultType: 'input_required', inputRequests: { which: FORM } } as const
    })
    const reply = readReply(await server.handle(bare('tools/call', { name: 'it' }), legacy('2025-11-25')))
    expect(reply.error?.code).toBe(-32603)
  })
})
