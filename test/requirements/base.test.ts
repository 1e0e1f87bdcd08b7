import { PassThrough } from 'node:stream'
import { ERRORS, Server, WireError } from 'rondo'
import { connect, ResponseError } from 'rondo/client'
import { serve } from 'rondo/stdio'
import { describe, expect, it } from 'vitest'
import { plainServer, REQUESTS } from '../mrtr/plain-server.ts'
import { callTool, requestText, rpc, type RpcReply, textOf } from '../support/rpc.ts'

describe('messages', () => {
  it('MUST-base-03 every result has the id of its request and a result type', async () => {
    const server = plainServer()
    let results = 0
    for (const [index, [method, params]] of REQUESTS.entries()) {
      for (const id of [index, `id ${index}`, '']) {
        const reply = await rpc(server, method, params, { id })
        expect(reply.id).toBe(id)
        if (reply.result === undefined) continue
        results += 1
        expect(reply.result.resultType).toBe('complete')
      }
    }
    expect(results).toBeGreaterThan(30)
  })

  it('MUST-base-24 every message says that it is JSON-RPC 2.0', async () => {
    const server = plainServer()
    const sent: string[] = []
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }
    for (const [method, params] of REQUESTS) {
      const exchange = { notify: (message: string) => void sent.push(message) }
      sent.push((await server.handle(requestText(method, params, { meta }), exchange)).body ?? '')
    }
    for (const text of sent) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
    for (const jsonrpc of [undefined, '1.0', 2, '2']) {
      const message = { jsonrpc, id: 1, method: 'tools/list', params: {} }
      expect((await server.handle(message)).body).toContain('-32600')
    }
  })

  it('MUST-base-11 a notification is never answered, whatever it is', async () => {
    const server = plainServer()
    const sent: string[] = []
    for (const method of ['notifications/cancelled', 'notifications/anything', 'tools/call', 'nothing', '']) {
      const message = { jsonrpc: '2.0', method, params: { name: 'say' } }
      const reply = await server.handle(message, { notify: (text) => void sent.push(text) })
      expect(reply.body).toBeUndefined()
    }
    expect(sent).toEqual([])
  })
})

describe('error codes', () => {
  const RESERVED = (code: number) => code <= -32000 && code >= -32768

  it('MUST-base-08 no code outside the closed table is ever sent', () => {
    const codes = new Set(Object.values(ERRORS).flatMap(({ wire }) => (wire === undefined || wire === 0 ? [] : [wire])))
    const known = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022]
    expect([...codes].sort()).toEqual([...known].sort())
  })

  it('MUST-base-08 an author cannot send one either', async () => {
    for (let code = -32768; code <= -32000; code += 1) expect(() => new WireError(code, 'x')).toThrow(RangeError)
    const server = new Server({ name: 'codes', version: '1.0.0' })
    server.tool('own', {}, () => {
      throw new WireError(1001, 'mine', { data: { a: 1 } })
    })
    server.tool('forged', {}, () => {
      const error = new WireError(1001, 'mine')
      Object.defineProperty(error, 'wire', { value: -32005 })
      throw error
    })
    expect((await callTool(server, 'own')).error).toEqual({ code: 1001, message: 'mine', data: { a: 1 } })
    expect(RESERVED((await callTool(server, 'own')).error?.code ?? 0)).toBe(false)
  })

  it('MUST-base-09 the codes of earlier revisions are never sent', () => {
    for (const { wire } of Object.values(ERRORS)) expect([-32002, -32042]).not.toContain(wire)
    for (const code of [-32002, -32042]) expect(() => new WireError(code, 'x')).toThrow(RangeError)
  })

  it('MUST-base-10 a client takes codes of the legacy range to mean nothing in particular', async () => {
    for (const code of [-32000, -32001, -32005, -32019]) {
      const server = {
        handle: (text: string) => {
          const { id } = JSON.parse(text) as { id: number }
          return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'legacy' } }) }
        },
      }
      const client = await connect(server, { lazy: true })
      const error: unknown = await client.callTool('x').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ResponseError)
      expect(error).toMatchObject({ code: 'RESPONSE_ERROR', wire: code, retryable: false })
    }
  })
})

describe('statelessness', () => {
  it('MUST-base-12 nothing of an earlier request on the same connection counts for a later one', async () => {
    const server = new Server({ name: 'stateless', version: '1.0.0' })
    server.tool('look', {}, (_args, ctx) => {
      ctx.progress(1)
      ctx.log.error('here')
      return JSON.stringify([ctx.can.form, ctx.client?.name, ctx.inputResponses ?? null, ctx.meta['com.example/own']])
    })
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const serving = serve(server, { stdin, stdout })
    const rich = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug', 'com.example/own': 1 }
    stdin.write(`${requestText('tools/call', { name: 'look' }, { id: 1, meta: rich })}\n`)
    const poor = { 'io.modelcontextprotocol/clientInfo': undefined }
    stdin.write(`${requestText('tools/call', { name: 'look' }, { id: 2, meta: poor, capabilities: {} })}\n`)
    stdin.write('{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look"}}\n')
    stdin.end()
    await serving.closed
    const lines = String(stdout.read()).trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line) as RpcReply & { method?: string })
    const reply = (id: number) => messages.find((message) => message.id === id) as RpcReply
    expect(textOf(reply(1))).toBe('[true,"test",null,1]')
    expect(textOf(reply(2))).toBe('[false,null,null,null]')
    expect(reply(3)).toMatchObject({ error: { code: -32602 } })
    expect(messages.filter(({ method }) => method !== undefined)).toHaveLength(2)
  })
})

describe('extensions', () => {
  const extensions = { 'com.example/one': { size: 1 }, 'com.example/two': {} }

  it('MUST-version-04 a server whose extension the client lacks serves the core', async () => {
    const server = new Server({ name: 'extended', version: '1.0.0' }, { extensions })
    server.tool('look', {}, (_args, ctx) => JSON.stringify(ctx.clientCapabilities))
    for (const capabilities of [{}, { extensions: {} }, { extensions: { 'com.example/other': {} } }]) {
      const reply = await callTool(server, 'look', {}, {}, { capabilities })
      expect(textOf(reply)).toBe(JSON.stringify(capabilities))
      expect(Object.keys(reply.result ?? {}).sort()).toEqual(['_meta', 'content', 'resultType'])
    }
    expect((await rpc(server, 'server/discover')).result?.['capabilities']).toMatchObject({ extensions })
  })

  it('MUST-version-04 a client whose extension the server lacks uses the core', async () => {
    const server = plainServer()
    const client = await connect(server, { capabilities: { extensions } })
    expect(client.capabilities).not.toHaveProperty('extensions')
    expect((await client.callTool('say')).content).toEqual([{ type: 'text', text: 'said' }])
  })
})

describe('what every request of a client carries', () => {
  it('MUST-base-20 version and capabilities go with each', async () => {
    const server = plainServer()
    const sent: { method: string; params: { _meta: Record<string, unknown> } }[] = []
    const recorded = {
      handle: (text: string, exchange: object) => {
        sent.push(JSON.parse(text) as (typeof sent)[number])
        return server.handle(text, exchange)
      },
    }
    const client = await connect(recorded, { onElicit: () => ({ action: 'cancel' }), onRoots: () => [] })
    await client.callTool('say')
    await client.startTool('say')
    await client.getPrompt('greet', { who: 'Ada' })
    await client.readResource('note://one')
    await client.tools().all()
    await client.prompts().all()
    await client.resources().all()
    await client.resourceTemplates().all()
    await client.complete({ type: 'ref/resource', uri: 'day://{day}' }, { name: 'day', value: '' })
    await client.request('acme/double', { n: 1 })
    expect(new Set(sent.map(({ method }) => method)).size).toBe(10)
    for (const { params } of sent) {
      expect(params._meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, roots: {} },
      })
    }
  })

  it('MUST-transport-03 a transport of the host carries the same messages, metadata and all', async () => {
    const server = plainServer()
    const seen: string[] = []
    const client = await connect(
      {
        kind: 'memory',
        address: 'carrier pigeon',
        async request(request, options) {
          seen.push(request.text)
          const notify = (text: string) => options.onNotification?.(JSON.parse(text))
          const reply = await server.handle(request.text, { notify })
          return { message: JSON.parse(reply.body ?? '') as never, status: reply.status }
        },
        close: async () => undefined,
      },
      { lazy: true },
    )
    const progress: number[] = []
    await client.callTool('tell', {}, { onProgress: (step) => progress.push(step.progress) })
    expect(progress).toEqual([1])
    const message = JSON.parse(seen[0] ?? '') as { jsonrpc: string; params: { _meta: object } }
    expect(message.jsonrpc).toBe('2.0')
    expect(Object.keys(message.params._meta)).toContain('io.modelcontextprotocol/protocolVersion')
  })
})
