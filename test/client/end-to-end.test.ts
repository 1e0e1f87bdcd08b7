import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, connect, type ConnectOptions, type Round } from 'rondo/client'
import { type Exchange, type Reply } from '../../src/server/exchange.ts'
import { command } from '../../src/transport/stdio/command.node.ts'
import { ensureBuilt } from '../ensure-built.ts'

interface Real {
  handle(message: string, exchange: Exchange): Reply | Promise<Reply>
}

const program = fileURLToPath(new URL('programs/real-server.mjs', import.meta.url))
const open: { close(): unknown }[] = []
let server: Real
let url: string

beforeAll(async () => {
  await ensureBuilt()
  const { makeServer } = (await import(program)) as { makeServer(): Real }
  const { listen } = (await import(new URL('../../dist/node.js', import.meta.url).href)) as {
    listen(server: Real, options: object): Promise<{ url: string; close(): Promise<void> }>
  }
  server = makeServer()
  const listening = await listen(server, { port: 0 })
  open.push(listening)
  url = listening.url
}, 180_000)

afterAll(async () => {
  for (const one of open.reverse()) await one.close()
})

const answers: ConnectOptions = {
  onElicit: ({ key }) => ({ action: 'accept', content: key === 'many' ? { gift: false } : { value: true } }),
  onUrl: ({ host }) => ({ action: host === 'pay.example' ? 'accept' : 'decline' }),
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' }),
  onRoots: () => [{ uri: 'file:///srv' }],
}

describe.each(['memory', 'http', 'stdio'] as const)('our client and our server over %s', (kind) => {
  const client = async (options: ConnectOptions = {}): Promise<Client> => {
    const target = { memory: server, http: url, stdio: command(process.execPath, [program]) }[kind]
    const connected = await connect(target, options)
    open.push(connected)
    return connected
  }
  const textOf = ({ content }: { content: readonly object[] }): string => (content[0] as { text: string }).text

  test('S1.32 a call that asks in every way comes to its end by the handlers', async () => {
    const connected = await client(answers)
    expect(connected.server).toMatchObject({ name: 'real', title: 'Real' })
    const result = await connected.callTool('order', { what: 'cakes' })
    expect(JSON.parse(textOf(result))).toEqual({
      count: 2,
      gift: false,
      pay: 'accept',
      hint: 'hm',
      root: 'file:///srv',
      go: true,
    })
  })

  test('prompts and resources ask too', async () => {
    const connected = await client(answers)
    expect((await connected.getPrompt('greet')).messages[0]?.content).toMatchObject({ text: 'Good day' })
    expect((await connected.readResource('note://today')).contents[0]).toMatchObject({ text: 'Yes' })
  })

  test('twenty rounds in a loop', async () => {
    expect(textOf(await (await client(answers)).callTool('twice'))).toBe('20')
  })

  test('C8 a round goes on in another client', async () => {
    const first = await client({ asks: ['form'] })
    const round = await first.startTool('order', { what: 'cakes' })
    expect(round).toMatchObject({ kind: 'input_required', expires: expect.any(Number) as number })
    const loaded = JSON.parse(JSON.stringify(round)) as Round<'tools/call'>
    await first.close()
    const second = await client()
    const outcome = await second.resume(loaded, { many: { action: 'decline' } })
    expect(outcome.kind === 'complete' && textOf(outcome.result)).toBe('No cakes.')
  })

  test('C9 a token with other arguments is refused', async () => {
    const connected = await client({ asks: ['form'] })
    const round = (await connected.startTool('order', { what: 'cakes' })) as Round<'tools/call'>
    const other = { ...round, request: { ...round.request, params: { name: 'order', arguments: { what: 'gold' } } } }
    await expect(connected.resume(other, { many: { action: 'decline' } })).rejects.toMatchObject({
      code: 'ROUND_REFUSED',
      request: { params: { arguments: { what: 'gold' } } },
    })
  })

  test('E11 a server does not ask what was not declared', async () => {
    const connected = await client({ asks: ['url'] })
    await expect(connected.callTool('order', { what: 'x' })).rejects.toMatchObject({
      wire: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    })
  })

  test('progress and log messages arrive', async () => {
    const connected = await client()
    const seen: unknown[] = []
    const result = await connected.callTool(
      'report',
      {},
      {
        onProgress: ({ progress, message }) => seen.push([progress, message]),
        onLog: ({ level, data }) => seen.push([level, data]),
      },
    )
    expect(textOf(result)).toBe('reported')
    expect(seen).toEqual([
      [1, 'half'],
      ['info', { at: 'half' }],
      [2, undefined],
    ])
  })

  test('spec basic/transports/streamable-http: mirrored parameters reach a strict server without a list first', async () => {
    const connected = await client()
    expect(textOf(await connected.callTool('mirrored', { region: 'zürich' }))).toBe('zürich')
  })

  test('an abandoned call is cancelled at the server', async () => {
    const connected = await client()
    const before = Number(textOf(await connected.callTool('cancelled')))
    const controller = new AbortController()
    let call: Promise<unknown> = Promise.resolve()
    await new Promise<void>((started) => {
      call = connected.callTool('hang', {}, { signal: controller.signal, onProgress: () => started() })
    })
    call.catch(() => undefined)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await vi.waitFor(async () => expect(Number(textOf(await connected.callTool('cancelled')))).toBe(before + 1))
  })

  test('lists', async () => {
    const connected = await client()
    expect((await connected.tools().all()).map(({ name }) => name)).toContain('order')
    expect((await connected.prompts().all()).map(({ name }) => name)).toEqual(['greet'])
    expect((await connected.resources().all()).map(({ uri }) => uri)).toEqual(['note://today'])
    expect(await connected.resourceTemplates().all()).toEqual([])
  })
})
