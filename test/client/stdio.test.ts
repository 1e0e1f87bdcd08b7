import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, connect, type ConnectOptions } from 'rondo/client'
import { type CommandOptions, command } from '../../src/transport/stdio/command.node.ts'
import { ensureBuilt } from '../ensure-built.ts'

const program = fileURLToPath(new URL('programs/server.mjs', import.meta.url))
const parent = fileURLToPath(new URL('programs/parent.mjs', import.meta.url))
const open: Client[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

function start(mode = 'plain', options: CommandOptions = {}, args: readonly string[] = []): ReturnType<typeof command> {
  return command(process.execPath, [program, mode, ...args], { stderr: 'ignore', ...options })
}

async function client(mode?: string, options?: CommandOptions, more?: ConnectOptions): Promise<Client> {
  const connected = await connect(start(mode, options), more)
  open.push(connected)
  return connected
}

async function textOf(connected: Client, name: string, args?: Record<string, unknown>): Promise<string> {
  const { content } = await connected.callTool(name, args)
  return (content[0] as { text: string }).text
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a server that is a program', () => {
  test('spec basic/transports/stdio: the first message is server/discover', async () => {
    const connected = await client()
    expect(JSON.parse(await textOf(connected, 'log'))).toEqual(['server/discover', 'tools/call'])
  })

  test('HS1 it is started without a shell, with its arguments as they are', async () => {
    const args = ['a b', '$HOME', '; rm -rf /', '*', '']
    const connected = await connect(start('plain', {}, args))
    open.push(connected)
    expect(JSON.parse(await textOf(connected, 'argv'))).toEqual(args)
  })

  test('it gets the environment, what is added to it, and its folder', async () => {
    const cwd = realpathSync(tmpdir())
    const connected = await client('plain', { env: { RONDO_TEST_VALUE: 'é', PATH: undefined }, cwd })
    expect(await textOf(connected, 'env')).toBe(`é true ${cwd}`)
  })

  test('HS1 characters split over chunks and CR LF are read', async () => {
    expect(await textOf(await client(), 'split')).toBe('é😀')
  })

  test('HS1 several messages in a chunk, empty lines and stray text are read', async () => {
    const bytes =
      '\n\r\nnot json\n{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hi"}}\n' +
      '{"jsonrpc":"2.0","id":"nobody","result":{}}\n{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"raw"}]}}\n'
    const heard: unknown[] = []
    const result = await (await client()).callTool('raw', { bytes }, { onLog: ({ data }) => heard.push(data) })
    expect(result.content).toEqual([{ type: 'text', text: 'raw' }])
    expect(heard).toEqual(['hi'])
  })

  test.each([
    ['a result and an error', '{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"no"}}', 'not both'],
    ['neither', '{"jsonrpc":"2.0","id":$ID}', 'method is missing'],
    ['null for both', '{"jsonrpc":"2.0","id":$ID,"result":null,"error":null}', 'both'],
    ['a result that is a text', '{"jsonrpc":"2.0","id":$ID,"result":"ok"}', 'result must be an object'],
    ['an error without a code', '{"jsonrpc":"2.0","id":$ID,"error":{"message":"no"}}', 'integer code'],
    ['another version', '{"jsonrpc":"1.0","id":$ID,"result":{}}', 'jsonrpc must be'],
    [
      'a nesting without end',
      `{"jsonrpc":"2.0","id":$ID,"result":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}`,
      'too deep',
    ],
  ])('HS1 a response with %s is the end of its request, and of no other', async (_what, bytes, told) => {
    const connected = await client()
    const other = connected.callTool('never').catch((error: unknown) => error)
    await expect(connected.callTool('raw', { bytes: `${bytes}\n` })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining(told) as unknown,
    })
    expect(await textOf(connected, 'log')).toContain('tools/call')
    await connected.close()
    expect(await other).toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })

  test('HS1 a request of a server’s own that is none is nobody’s answer', async () => {
    const connected = await client()
    const bytes =
      '{"jsonrpc":"2.0","id":$ID,"method":"roots/list","params":[]}\n{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n'
    expect((await connected.callTool('raw', { bytes })).content).toEqual([])
  })

  test('spec basic/transports/stdio: no message carries a line break', async () => {
    const connected = await client()
    await connected.callTool('any', { text: 'a\nb\r\nc\u2028' })
    expect(await textOf(connected, 'log')).toContain('tools/call')
  })

  test('spec basic/patterns/progress: progress goes to the request whose token it names', async () => {
    const connected = await client()
    const seen: Record<string, number[]> = { a: [], b: [] }
    await Promise.all(
      ['a', 'b'].map((key) =>
        connected.callTool('progress', {}, { onProgress: ({ progress }) => seen[key]?.push(progress) }),
      ),
    )
    expect(seen).toEqual({ a: [1, 2], b: [1, 2] })
  })

  test('spec basic/transports/stdio: a cancelled request sends notifications/cancelled', async () => {
    const connected = await client()
    const controller = new AbortController()
    const call = connected.callTool('never', {}, { signal: controller.signal })
    call.catch(() => undefined)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(JSON.parse(await textOf(connected, 'log'))).toContain('notifications/cancelled')
  })

  test('spec basic/patterns/cancellation: so does one that ran out of time', async () => {
    const connected = await client()
    await expect(connected.callTool('never', {}, { timeout: 20 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    expect(JSON.parse(await textOf(connected, 'log'))).toContain('notifications/cancelled')
  })

  test('a line longer than the limit ends it', async () => {
    const connected = await client('plain', { maxLine: 1000, restart: false })
    await expect(connected.callTool('raw', { bytes: 'x'.repeat(2000) })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    })
  })
})

describe('a legacy or silent program', () => {
  test('C10 an error to server/discover is a legacy server', async () => {
    const attempt = connect(start('legacy'))
    await expect(attempt).rejects.toMatchObject({
      code: 'ERA_UNSUPPORTED',
      data: { tried: 'server/discover at 2026-07-28', said: '-32601 Method not found' },
    })
  })

  test('C10 so is silence', async () => {
    const attempt = connect(start('silent'), { connectTimeout: 300 })
    await expect(attempt).rejects.toMatchObject({ code: 'ERA_UNSUPPORTED', data: { said: 'nothing' } })
  })

  test('a program that does not exist is a typed error', async () => {
    await expect(connect(command('/no/such/program'))).rejects.toMatchObject({ code: 'TRANSPORT_FAILED' })
  })

  test('what cannot be a command is refused', async () => {
    expect(() => command('')).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    await expect(connect(start('plain', {}, ['\0']))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('a program that ends at once is a typed error with its code', async () => {
    await expect(connect(start('dies-at-once', { stderr: 'ignore' }))).rejects.toMatchObject({
      code: 'TRANSPORT_CLOSED',
      data: { exitCode: 3, stderr: ['started dies-at-once'] },
    })
  })
})

describe('ends', () => {
  test('HS1 the exit of the program fails every request under way, with its last words', async () => {
    const lines: string[] = []
    const connected = await client('plain', { stderr: (line) => lines.push(line), restart: false })
    const waiting = [connected.callTool('never'), connected.callTool('never'), connected.callTool('die')]
    for (const call of waiting) {
      await expect(call).rejects.toMatchObject({
        code: 'TRANSPORT_CLOSED',
        data: { exitCode: 7, signal: null, stderr: ['started plain', 'first', 'second', 'last words é'] },
      })
    }
    await expect(waiting[0]).rejects.toThrow(/exited with code 7[^]*last words é/)
    expect(lines).toContain('last words é')
    await expect(connected.callTool('any')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })

  test('spec basic/transports/stdio: a program that ended by itself is started again', async () => {
    const connected = await client()
    const first = await textOf(connected, 'pid')
    await expect(connected.callTool('die')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    expect(await textOf(connected, 'pid')).not.toBe(first)
  })

  test('HS1 a program that closes its output and lives on is given up and ended', async () => {
    const connected = await client('deaf', { grace: 200 })
    const pid = Number(await textOf(connected, 'pid'))
    await expect(connected.callTool('mute')).rejects.toMatchObject({
      code: 'TRANSPORT_CLOSED',
      message: expect.stringContaining('closed its output and did not exit') as unknown,
    })
    await expect.poll(() => alive(pid)).toBe(false)
    expect(await textOf(connected, 'any')).toBe('ok')
  })

  test('HS1 closing the client ends the program', async () => {
    const connected = await client()
    const pid = Number(await textOf(connected, 'pid'))
    const call = connected.callTool('never')
    call.catch(() => undefined)
    await connected.close()
    await expect(call).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    expect(alive(pid)).toBe(false)
    await expect(connected.callTool('any')).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await connected.close()
  })

  test.each(['deaf', 'stubborn'])('HS1 a %s program is ended by force', async (mode) => {
    const connected = await client(mode, { grace: 100 })
    const pid = Number(await textOf(connected, 'pid'))
    await connected.close()
    expect(alive(pid)).toBe(false)
  })

  test('closing a client that never started anything does nothing', async () => {
    const transport = start()
    await transport.close()
    await expect(connect(transport)).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})

describe('the process with the client ends', () => {
  beforeAll(ensureBuilt, 180_000)

  const orphanOf = async (how: string, mode: string, signal?: NodeJS.Signals): Promise<number> => {
    const child = spawn(process.execPath, [parent, how, mode], { stdio: ['ignore', 'pipe', 'ignore'] })
    let pid = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      pid += chunk
      if (signal && pid.endsWith('\n')) child.kill(signal)
    })
    await once(child, 'close')
    return Number(pid)
  }

  test.each<[string, string, NodeJS.Signals?]>([
    ['exit', 'deaf'],
    ['exit', 'stubborn'],
    ['throw', 'stubborn'],
    ['signal', 'deaf', 'SIGINT'],
    ['signal', 'stubborn', 'SIGTERM'],
    ['signal', 'stubborn', 'SIGHUP'],
    ['signal', 'plain', 'SIGKILL'],
  ])('HS1 by %s: a %s program does not outlive it (%s)', async (how, mode, signal) => {
    const pid = await orphanOf(how, mode, signal)
    expect(pid).toBeGreaterThan(0)
    await vi.waitFor(() => expect(alive(pid)).toBe(false), { timeout: 5000 })
  })
})
