import { expect, it } from 'vitest'
import { Server } from '../entry/index.ts'
import { callTool, rpc } from '../../test/support/rpc.ts'

it('an answer nested too deep to be written ends its call, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  let skip = false
  server.tool('branch', {}, async (_args, ctx) => {
    if (!skip) await ctx.ask.confirm('sure', '?')
    skip = true
    return (await ctx.ask.confirm('next', '?')) ? 'a' : 'b'
  })
  const first = await callTool(server, 'branch')
  const params = { name: 'branch', arguments: {}, requestState: first.result?.requestState }
  const answer = { action: 'accept', content: { value: true } }
  await rpc(server, 'tools/call', { ...params, inputResponses: { sure: answer } })
  const deep = JSON.parse('['.repeat(7000) + ']'.repeat(7000)) as unknown
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      ...params,
      inputResponses: { sure: { ...answer, x: deep } },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      },
    },
  }
  const reply = await server.handle(message)
  expect(reply.status).toBe(200)
  expect((await rpc(server, 'tools/list')).result).toBeDefined()
})

it('a visible rule that is async and rejects hides the tool, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  const visible = (async () => {
    throw new Error('no database')
  }) as unknown as () => boolean
  server.tool('t', { visible }, () => 'a')
  expect((await callTool(server, 't')).error?.code).toBe(-32602)
})

it('a step that rejects with what cannot be read has failed, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  server.tool('t', {}, async (_args, ctx) => {
    const thrown = Object.assign(new Error('x'), { name: Object.create(null) as string })
    return ctx
      .step('s', () => Promise.reject(thrown))
      .then(
        () => 'went well',
        () => 'failed',
      )
  })
  expect((await callTool(server, 't')).result?.content?.[0]?.text).toBe('failed')
})

it('a lister that throws what cannot be printed is an error reply, and nothing else', async () => {
  const server = new Server({ name: 'hostile', version: '1.0.0' }, { log: () => {} })
  server.resources(() => {
    throw Object.create(null) as Error
  })
  expect((await rpc(server, 'resources/list')).error).toEqual({ code: -32603, message: 'Internal error' })
})
