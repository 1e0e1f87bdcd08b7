import { describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { Server } from '../../src/server/server.ts'
import { FakeHost, type Machine } from './fake-host.ts'

async function rondo(line: string, machine: Machine = {}) {
  const host = new FakeHost(machine)
  const exit = await run(
    line.split(' ').filter((word) => word !== ''),
    host,
  )
  return { exit, out: host.out, err: host.err }
}

describe('use', () => {
  test.each(['--help', 'help', 'call --help', 'list --help', 'check --help'])(
    '%s explains and succeeds',
    async (line) => {
      const { exit, out } = await rondo(line)
      expect(exit).toBe(0)
      expect(out).toContain('Usage: rondo')
    },
  )

  test('--version', async () => {
    expect(await rondo('--version')).toEqual({ exit: 0, out: '9.9.9\n', err: '' })
  })

  test.each([
    ['', 'Usage: rondo'],
    ['nonsense', "unknown command 'nonsense'"],
    ['call http://a x --nonsense', "unknown option '--nonsense'"],
    ['call', 'No server is given.'],
    ['list', 'No server is given.'],
    ['call a b', '"a" is not a URL of http: or https:.'],
    ['list http://a b', 'Unexpected word "b".'],
    ['call http://a b --timeout soon', '--timeout takes a time'],
    ['call http://a b --header x', '--header takes'],
    ['call --', 'No command stands after --.'],
  ])('%j is wrong use: exit code 2', async (line, message) => {
    const { exit, err, out } = await rondo(line)
    expect(exit).toBe(2)
    expect(err).toContain(message)
    expect(out).toBe('')
  })

  test.each(['call http://a x --json --nonsense', 'list --json', 'call http://a b --json --timeout soon'])(
    '%s prints wrong use as one document too',
    async (line) => {
      const { exit, out } = await rondo(line)
      expect(exit).toBe(2)
      expect(JSON.parse(out)).toMatchObject({ error: { exit: 2, code: 'CLI', message: expect.any(String) as string } })
    },
  )

  test('a server that is not there: exit code 4', async () => {
    const { exit, err } = await rondo('list http://127.0.0.1:9/')
    expect(exit).toBe(4)
    expect(err).toContain('could not be reached')
    expect(err).toContain('Does the server run, and at this port?\n')
  })

  test('keygen prints one key', async () => {
    const { exit, out } = await rondo('keygen')
    expect(exit).toBe(0)
    expect(out).toMatch(/^rk1_[\w-]{43}\n$/)
  })
})

describe('list', () => {
  const server = new Server({
    name: 'things',
    title: 'Things\x1b[31m',
    version: '1.0.0',
    instructions: 'Use them well',
  })
  const input = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] }
  server.tool('one', { title: 'One', description: 'Does one\nthing\u202e', input }, () => 'x')
  server.prompt('greet', { arguments: { name: { required: true } } }, () => 'hi')
  server.resource('note', { uri: 'notes://today' }, () => 'x')
  server.resourceTemplate('day', { uriTemplate: 'notes://{day}' }, () => 'x')

  test('shows what there is, harmless', async () => {
    const { exit, out } = await rondo('list http://a', { server })
    expect(exit).toBe(0)
    expect(out).toBe(`Things\\x1b[31m 1.0.0 (memory, protocol 2026-07-28)
┃ Use them well

Tools
  one(a: string, b?: number)
      One: Does one thing\\u202e

Prompts
  greet(name)

Resources
  notes://today
      note

Resource templates
  notes://{day}
      day
`)
  })

  test('--json is one document', async () => {
    const { out } = await rondo('list http://a --json', { server })
    expect(JSON.parse(out)).toMatchObject({
      server: { name: 'things', version: '1.0.0' },
      protocolVersion: '2026-07-28',
      tools: [{ name: 'one' }],
      prompts: [{ name: 'greet' }],
      resources: [{ uri: 'notes://today' }],
      resourceTemplates: [{ uriTemplate: 'notes://{day}' }],
    })
  })

  test('a server that offers nothing', async () => {
    const empty = new Server({ name: 'empty', version: '1.0.0' })
    expect((await rondo('list http://a', { server: empty })).out).toContain('It offers nothing.')
  })
})

describe('check', () => {
  const files = {
    'src/bad.ts':
      "server.tool('a', {}, async (_, ctx) => {\n  const at = Date.now()\n  await ctx.ask.confirm('go', `${at}`)\n})",
    'src/good.ts': 'export const a = 1',
  }

  test('prints place, rule, what happens and what to do; exit code 1', async () => {
    const { exit, out } = await rondo('check', { files })
    expect(exit).toBe(1)
    expect(out).toContain('src/bad.ts:2:14 unstable-value\n    Date.now() gives another value')
    expect(out).toContain('ctx.now()')
    expect(out).toContain('2 files looked at, 1 finding\n')
  })

  test('--json', async () => {
    const { exit, out } = await rondo('check src/bad.ts --json', { files })
    expect(exit).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      files: 1,
      findings: [{ file: 'src/bad.ts', line: 2, column: 14, rule: 'unstable-value' }],
    })
  })

  test('nothing found: exit code 0', async () => {
    expect(await rondo('check src/good.ts', { files })).toMatchObject({
      exit: 0,
      out: '1 file looked at, nothing found\n',
    })
  })

  test.each([
    ['check missing', 'A path cannot be read'],
    ['check other', 'There is no JavaScript or TypeScript file in other.'],
  ])('%s: exit code 2', async (line, message) => {
    const { exit, err } = await rondo(line, { files })
    expect(exit).toBe(2)
    expect(err).toContain(message)
  })
})
