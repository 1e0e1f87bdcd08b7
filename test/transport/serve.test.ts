import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../ensure-built.ts'
import { requestText } from '../support/rpc.ts'

const program = fileURLToPath(new URL('stdio-program.mjs', import.meta.url))
const call = (name: string, id: number) => `${requestText('tools/call', { name }, { id, capabilities: {} })}\n`
const running: ChildProcessWithoutNullStreams[] = []

beforeAll(ensureBuilt, 120_000)

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

class Child {
  readonly process: ChildProcessWithoutNullStreams
  readonly exit: Promise<number | null>
  out = ''
  err = ''

  constructor(...args: string[]) {
    this.process = spawn(process.execPath, [program, ...args])
    running.push(this.process)
    this.process.stdin.on('error', () => undefined)
    this.process.stdout.setEncoding('utf8').on('data', (chunk: string) => (this.out += chunk))
    this.process.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.err += chunk))
    this.exit = once(this.process, 'close').then(([code]) => code as number | null)
  }

  /** Waits until standard error says so. */
  async says(text: string): Promise<void> {
    while (!this.err.includes(text)) await once(this.process.stderr, 'data')
  }

  get messages(): { id?: number; result?: { content: { text: string }[] } }[] {
    return this.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object)
  }
}

it('HS1 nothing but messages reaches stdout; console.log in a handler goes to stderr', async () => {
  const child = new Child()
  child.process.stdin.end(call('noisy', 1) + call('child', 2))
  expect(await child.exit).toBe(0)
  expect(child.messages.map(({ id }) => id).sort()).toEqual([1, 2])
  expect(child.messages.find(({ id }) => id === 1)?.result?.content[0]?.text).toBe('quiet')
  for (const told of ['console.log', 'console.info formatted', 'process.stdout.write', 'bytes', 'with a callback']) {
    expect(child.err).toContain(`${told}\n`)
  }
})

it('HS1 the program ends with its input, whatever handlers left open', async () => {
  const child = new Child()
  child.process.stdin.end()
  expect(await child.exit).toBe(0)
})

it('HS1 a running call may still finish, and its reply is written', async () => {
  const child = new Child('100')
  child.process.stdin.end(call('slow', 1))
  expect(await child.exit).toBe(0)
  expect(child.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'finished' }] } }])
})

it('HS1 one that does not finish is cancelled, and the program ends', async () => {
  const child = new Child()
  child.process.stdin.end(call('slow', 1))
  expect(await child.exit).toBe(0)
  expect(child.messages).toEqual([])
  expect(child.err).toContain('aborted')
})

it('HS1 a client that dies ends the program, in the middle of a call', async () => {
  const child = new Child()
  child.process.stdin.write(call('slow', 1))
  await child.says('running')
  child.process.stdout.destroy()
  child.process.stdin.write(call('noisy', 2))
  expect(await child.exit).toBe(0)
  expect(child.err).toContain('aborted')
  expect(child.err).not.toContain('EPIPE')
})

it('HS1 large replies reach a client that reads late, before the program ends', async () => {
  const child = new Child()
  child.process.stdout.pause()
  child.process.stdin.end(Array.from({ length: 4 }, (_, id) => call('big', id)).join(''))
  await once(child.process.stdout, 'readable').catch(() => undefined)
  child.process.stdout.resume()
  expect(await child.exit).toBe(0)
  expect(child.messages.map(({ id, result }) => [id, result?.content[0]?.text.length])).toEqual(
    [0, 1, 2, 3].map((id) => [id, 4 * 1024 * 1024]),
  )
})
