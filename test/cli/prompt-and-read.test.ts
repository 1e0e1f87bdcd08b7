import { describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { Server } from '../../src/server/server.ts'
import { FakeHost, KEY, Person } from './fake-host.ts'

function notes(): Server {
  const server = new Server({ name: 'notes', version: '1.0.0' })
  const who = { name: { required: true, description: 'Whom' }, tone: {} }
  server.prompt('greet', { arguments: who }, async ({ name }, ctx) => {
    const how = await ctx.ask.text('how', 'How?', { orEnd: 'No greeting.' })
    return `${how}, ${name}\x1b[2J`
  })
  server.resource('today', { uri: 'notes://today' }, async (_, ctx) =>
    (await ctx.ask.confirm('go', 'Show it?')) ? 'The note\nof today\x07' : 'Nothing',
  )
  server.resource('picture', { uri: 'notes://picture' }, () => new Uint8Array(3))
  return server
}

async function script(line: string, answers?: unknown) {
  const files = answers === undefined ? {} : { 'a.json': JSON.stringify(answers) }
  const host = new FakeHost({ server: notes(), files })
  const more = answers === undefined ? [] : ['--answers', 'a.json']
  const exit = await run([...line.split(' '), ...more], host)
  return { exit, out: host.out, err: host.err }
}

async function live(line: string, act: (person: Person) => Promise<void>) {
  const person = new Person()
  const host = new FakeHost({ server: notes(), person })
  const [exit] = await Promise.all([run(line.split(' '), host), act(person)])
  return { exit, out: host.out, drawn: person.drawn }
}

describe('prompt', () => {
  test('asks like a tool, and prints who says what', async () => {
    const { exit, out, drawn } = await live('prompt http://a greet --arg name=Ann', async (person) => {
      await person.at('Answer', 'Hello', KEY.enter)
      await person.at('Send this?', KEY.enter)
    })
    expect({ exit, out }).toEqual({ exit: 0, out: 'user:\nHello, Ann\\x1b[2J\n' })
    expect(drawn).toContain('prompts/get greet, round 1, ask "how"')
  })

  test('is answered from a file, and prints one document', async () => {
    const { exit, out } = await script('prompt http://a greet --arg name=Ann --json', { how: 'Hi' })
    expect(exit).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ messages: [{ role: 'user', content: { text: 'Hi, Ann\x1b[2J' } }] })
  })

  test.each([
    ['prompt http://a greet', 'error: name is required.'],
    [
      'prompt http://a greet --arg nam=Ann',
      'The prompt has no argument "nam".\nDid you mean "name"? It takes: name, tone',
    ],
    ['prompt http://a gret', 'The server has no prompt "gret".\nDid you mean "greet"?\nIt has: greet'],
    ['prompt http://a', 'No prompt is named.'],
  ])('%s is wrong use', async (line, told) => {
    const { exit, err } = await script(line)
    expect(exit).toBe(2)
    expect(err).toContain(told)
  })

  test('a number or a yes is sent as the text that was typed', async () => {
    const { out } = await script('prompt http://a greet --arg name=12', { how: 'Hi' })
    expect(out).toContain('Hi, 12')
  })

  test('that nobody answers ends with 3, and one that is declined as the server says', async () => {
    expect((await script('prompt http://a greet --arg name=Ann')).exit).toBe(3)
    const declined = await script('prompt http://a greet --arg name=Ann', { how: { action: 'decline' } })
    expect(declined).toMatchObject({ exit: 5, err: expect.stringContaining('No greeting.') as string })
  })
})

describe('read', () => {
  test('asks like a tool, and prints what the resource holds', async () => {
    const { exit, out, drawn } = await live('read http://a notes://today', async (person) => {
      await person.at('y or n', 'y')
      await person.at('Send this?', KEY.enter)
    })
    expect({ exit, out }).toEqual({ exit: 0, out: 'The note\nof today\\x07\n' })
    expect(drawn).toContain('resources/read notes://today, round 1, ask "go"')
  })

  test('is answered from a file, and prints one document', async () => {
    const { out } = await script('read http://a notes://today --json', { go: true })
    expect(JSON.parse(out)).toMatchObject({ contents: [{ uri: 'notes://today', text: 'The note\nof today\x07' }] })
  })

  test('tells the size of what is no text', async () => {
    expect((await script('read http://a notes://picture')).out).toBe('[resource notes://picture, 3 bytes]\n')
  })

  test('a resource that is not there is the error of the server, and takes no arguments', async () => {
    const { exit, err } = await script('read http://a notes://none')
    expect(exit).toBe(5)
    expect(err).toContain('error -32602: Resource not found\nrondo list shows what the server has.\n')
    expect((await script('read http://a notes://today --arg a=b')).exit).toBe(2)
    expect((await script('read http://a')).err).toContain('No resource is named.')
  })
})

test('a prompt or a resource of a program is named before its command', async () => {
  const host = new FakeHost({ server: notes(), files: { 'a.json': '{"go":true}' } })
  expect(await run(['read', 'notes://today', '--answers', 'a.json', '--', 'node', 'server.js'], host)).toBe(0)
  expect(host.out).toContain('The note')
})
