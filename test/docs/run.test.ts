import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { Server } from 'rondo'
import { connect } from 'rondo/client'
import { type Listening, listen } from 'rondo/node'
import { harness } from 'rondo/testing'
import { describe, expect, test, vi } from 'vitest'
import { checkSource } from '../../src/cli/lint/check-source.ts'
import { run } from '../../src/cli/program.ts'
import { FakeHost, KEY, Person } from '../cli/fake-host.ts'
import { pageText, pathOf, SNIPPETS } from './snippets.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Runs a program of the guide and gives its exports. */
async function program(
  name: string,
  change: (code: string) => string = (code) => code,
): Promise<Record<string, unknown>> {
  const found = SNIPPETS.filter((snippet) => snippet.run === name)
  if (found.length !== 1) throw new Error(`There are ${found.length} programs called ${name} in the guide`)
  const [snippet] = found
  mkdirSync(pathOf('.tmp/docs'), { recursive: true })
  const file = pathOf(`.tmp/docs/${name}.${snippet?.language ?? 'ts'}`)
  writeFileSync(file, change(snippet?.code ?? ''))
  return (await import(file)) as Record<string, unknown>
}

const RUN = ['readme', 'express', 'asks', 'url-ask', 'return-form', 'server', 'client', 'rounds', 'outcome', 'testing']

test('S1.50 every program of the guide is run here', () => {
  expect(SNIPPETS.flatMap(({ run: name }) => name ?? []).sort()).toEqual([...RUN].sort())
})

test('the guide keeps to what rondo check says', () => {
  const findings = SNIPPETS.filter(({ code }) => !code.includes('@modelcontextprotocol')).flatMap(
    ({ page, line, code, inside, language }) => {
      const text = inside === 'handler' ? `async function handler(args, ctx) {\n${code}\n}` : code
      const found = checkSource(text, `${page}.${language}`)
      return found.map(({ rule, line: at }) => `${page}:${line + at} ${rule}`)
    },
  )
  expect(findings).toEqual([])
})

describe('README', () => {
  test('S1.50 its program answers its command, and shows what it says it shows', async () => {
    const printed = vi.spyOn(console, 'log').mockReturnValue()
    const { listening } = await program('readme', (code) =>
      code.replace(
        'const { url } = await listen(server, { port: 3920 })',
        'export const listening = await listen(server, { port: 0 })\nconst { url } = listening',
      ),
    )
    const { url, close } = listening as Listening
    expect(printed).toHaveBeenCalledExactlyOnceWith(`Listening at ${url}`)
    printed.mockRestore()
    const page = pageText('README.md')
    const command = /^npx rondo (.+)$/m.exec(page)?.[1]?.replace('http://127.0.0.1:3920/mcp', url).split(' ') ?? []
    const person = new Person()
    const host = new FakeHost({ person })
    const act = async (): Promise<void> => {
      await person.at('reason (at least 10 characters)', 'Release 14 is due', KEY.enter)
      await person.at('Send this?', KEY.enter)
      await person.at('Build staging-7 is ready. Release it?', 'y')
      await person.at('Send this?', KEY.enter)
    }
    const [exit] = await Promise.all([run(command, host), act()])
    await close()
    expect(host.err).toBe('')
    expect({ exit, out: host.out }).toEqual({ exit: 0, out: 'Released staging-7.\n' })
    const shown = /^```text\n([^]+?)^```/m.exec(page)?.[1]?.trim().split('\n') ?? []
    const drawn = person.drawn.replaceAll(url, 'http://127.0.0.1:3920/mcp')
    expect(shown.length).toBeGreaterThan(5)
    for (const line of shown) expect(drawn).toContain(line)
  })

  test('S1.50 fits on two screens', () => {
    const page = pageText('README.md')
    expect(page.slice(0, page.indexOf('## Where to go on')).split('\n').length).toBeLessThan(100)
  })
})

test('S1.50 the ask form: a runnable example', async () => {
  const { server } = await program('asks')
  const who = { name: 'Ada', email: 'ada@example.org', seats: 2 }
  const kit = harness(server as Server)
  const { text, rounds } = await kit.tool('book', {}, { to: 'par', who, sure: true })
  expect(text).toBe('Booked par.')
  expect(rounds.map((round) => round.keys)).toEqual([['to'], ['who'], ['sure']])
  expect(rounds[2]?.message('sure')).toBe('Book 2 to par for Ada?')
})

test('S1.50 the ask of a page: a runnable example, with the page', async () => {
  const port = await freePort()
  const { http } = (await program('url-ask', (code) => code.replaceAll('3921', String(port)))) as { http: HttpServer }
  if (!http.listening) await new Promise((resolve) => http.once('listening', resolve))
  const seen: unknown[] = []
  const client = await connect(`http://127.0.0.1:${port}/mcp`, {
    onUrl: async ({ request: { url } }) => {
      for (const [address, method] of [
        [url.replace('/connect', '/other'), 'GET'],
        [url.slice(0, -1), 'POST'],
        [url, 'GET'],
        [url, 'POST'],
      ] as const) {
        const reply = await fetch(address, { method })
        seen.push([reply.status, (await reply.text()).slice(0, 5)])
      }
      return { action: 'accept' }
    },
  })
  const { content } = await client.callTool('connect')
  await client.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  expect(content).toEqual([{ type: 'text', text: 'Connected ada.' }])
  expect(seen).toEqual([
    [404, 'There'],
    [404, 'There'],
    [200, '<form'],
    [200, 'Done:'],
  ])
})

test('S1.50 the return form: a runnable example', async () => {
  const { server } = await program('return-form')
  const client = await connect(server as Server, {
    onElicit: () => ({ action: 'accept', content: { reason: 'It is time' } }),
  })
  expect((await client.callTool('deploy')).content).toEqual([
    { type: 'text', text: 'Deployed: It is time (asked 1 time)' },
  ])
})

test('the program of the server page', async () => {
  const { server } = await program('server')
  const kit = harness(server as Server)
  expect((await kit.tool('stock', { item: 'apple' })).structured).toEqual({ item: 'apple', left: 3 })
  expect((await kit.tool('order', { item: 'apple', count: 9 })).isError).toBe(true)
  const order = await kit.tool('order', { item: 'apple', count: 2 }, { sure: true })
  expect(order.result).toMatchObject({ content: [{ text: 'Ordered.' }], _meta: { 'com.example/count': 2 } })
  expect((await kit.prompt('advice', { item: 'pear' })).text).toBe('What can I make of pear?')
  expect((await kit.resource('shop://opening')).text).toBe('Monday to Friday')
  expect((await kit.resource('shop://items/apple')).text).toBe('{"name":"apple"}')
  await expect(kit.resource('shop://items/plum')).rejects.toMatchObject({ wire: -32602 })
})

test('the Express program of the page on transports', async () => {
  const { http } = (await program('express', (code) => code.replace('3000', '0'))) as { http: HttpServer }
  if (!http.listening) await new Promise((resolve) => http.once('listening', resolve))
  await using client = await connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  expect(client.server?.name).toBe('shop')
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
})

describe('programs of the client page', () => {
  test.each(['client', 'rounds', 'outcome'])('%s', async (name) => {
    const server = new Server({ name: 'greeter', version: '1.0.0' })
    const input = { type: 'object', properties: { name: { type: 'string' } } }
    server.tool('greet', { input }, async (args, ctx) => {
      const loud = await ctx.ask.confirm('loud', 'Loudly?')
      return `Hello ${String(args['name'])}${loud ? '!' : '.'}`
    })
    const listening = await listen(server, { port: 0 })
    const printed: unknown[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(line))
    await program(name, (code) => code.replaceAll('3920', String(listening.port)))
    log.mockRestore()
    await listening.close()
    expect(printed.at(-1)).toEqual([{ type: 'text', text: 'Hello Ada!' }])
  })
})

// Brings its own tests along.
await program('testing')
