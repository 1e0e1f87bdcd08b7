import { describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { WireError } from '../../src/errors/wire-error.ts'
import { fail } from '../../src/server/results.ts'
import { Server } from '../../src/server/server.ts'
import { FakeHost, KEY, Person } from './fake-host.ts'

const COLUMNS = 40

/** Texts by which a server could pass its words for ours: each of its words is `evil`. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['long', 'evil '.repeat(60)],
  ['without a blank', 'evil'.repeat(60)],
  ['padded to the edge', `evil${' '.repeat(COLUMNS * 3)}evil`],
  ['padded with blanks of other scripts', `evil${'\u2800\u3000'.repeat(40)}evil`],
  ['of many lines', 'evil\n\n\nevil\r\nevil\revil\u2028evil'],
  ['wide', '日本evil語'.repeat(30)],
  ['of emoji', 'evil\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d'.repeat(30)],
  ['of one joined emoji', `evil${'\u{1f468}\u200d'.repeat(90)}evil`],
  ['of flags and hearts', 'evil\u{1f1e9}\u{1f1ea}\u2764\ufe0f'.repeat(30)],
  ['with tabs', 'evil\tevil\t\t'.repeat(20)],
  ['of heaped marks', `evil${'\u0301'.repeat(200)}evil`.repeat(5)],
  ['with zero-width characters', 'ev\u200bil\u2060evil\ufeff evil\u3164'.repeat(20)],
  ['with bidirectional characters', '\u202eevil\u2066 evil \u2069\u202c\u061c'.repeat(20)],
  ['that moves the cursor', 'evil\x1b[1A\x1b[2K\x9b1Aevil\b\b\x7f'.repeat(20)],
]

const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u206f\u061c\u3164\ufeff]/

/** Columns of a row in a terminal that joins nothing. */
function columnsOf(row: string): number {
  const wide = /\p{Emoji_Presentation}|\p{Script=Han}|[\ufe0f\u3000]/u
  return [...row].reduce((sum, each) => sum + (/[\p{Mn}\u200d]/u.test(each) ? 0 : wide.test(each) ? 2 : 1), 0)
}

/** Every row that was shown fits the terminal, and every row with the server's words says whose they are. */
function expectMarked(drawn: string): void {
  const rows = drawn.split('\n')
  for (const row of rows) {
    expect({ row, fits: columnsOf(row) <= COLUMNS }).toEqual({ row, fits: true })
    expect(row).not.toMatch(HIDDEN)
    if (row.includes('evil')) expect(row).toMatch(/^[┃│◆◇■▲└]|^ {2,}/u)
  }
  expect(drawn).toContain('evil')
}

async function live(server: Server, tool: string, act: (person: Person) => Promise<void>): Promise<string> {
  const person = new Person(COLUMNS)
  const host = new FakeHost({ server, person, tty: true, columns: COLUMNS })
  await Promise.all([run(['call', 'http://a', tool], host), act(person)])
  return `${person.drawn}\n${host.err}`
}

test('only our own word is painted in the error of a server', async () => {
  const server = new Server({ name: 'x', version: '1' }, { log: () => undefined })
  server.prompt('p', {}, () => {
    throw new WireError(1001, 'error: all is well')
  })
  const host = new FakeHost({ server, colour: true })
  await run(['prompt', 'http://a', 'p'], host)
  expect(host.err).toBe('\x1b[31merror 1001:\x1b[39m error: all is well\n')
})

describe.each(TEXTS)('a text %s cannot pass for words of the command line', (_name, evil) => {
  const server = new Server({ name: 'x', version: '1' }, { log: () => undefined })
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string', title: evil, description: evil, default: evil },
      one: { type: 'string', title: evil, description: evil, oneOf: [{ const: 'a', title: evil }] },
      more: { type: 'array', title: evil, items: { anyOf: [{ const: 'a', title: evil }] } },
      yes: { type: 'boolean', title: evil, description: evil },
    },
    required: ['text', 'one', 'more', 'yes'],
  }
  server.tool('form', {}, async (_, ctx) => (await ctx.ask.form('f', { message: evil, schema })).action)
  server.tool('fails', {}, () => fail(evil))
  server.tool('sample', {}, async (_, ctx) => {
    const messages = [{ role: 'user', content: { type: 'text', text: evil } }] as const
    await ctx.ask.sample('s', { messages: [...messages], systemPrompt: evil, maxTokens: 1 })
    return ''
  })
  server.tool('url', {}, async (_, ctx) => {
    const url = `https://example.com/${encodeURIComponent(evil)}`
    return (await ctx.ask.url('u', { message: evil, url })).action
  })

  test('in what it offers', async () => {
    const offering = new Server({ name: 'x', version: '1', title: evil, instructions: evil })
    offering.tool('t', { title: evil, description: evil }, () => '')
    const host = new FakeHost({ server: offering, tty: true, columns: COLUMNS })
    await run(['list', 'http://a'], host)
    expectMarked(host.out.slice(host.out.indexOf('\n') + 1))
  })

  test('in a form', async () => {
    const drawn = await live(server, 'form', async (person) => {
      await person.at('1 of 4', KEY.tab, KEY.enter)
      await person.at('2 of 4', KEY.enter)
      await person.at('3 of 4', KEY.space, KEY.enter)
      await person.at('4 of 4', KEY.enter)
      await person.at('Your answer:')
      await person.at('Cancel', KEY.escape)
    })
    expectMarked(drawn)
  })

  test('in a sampling request', async () => {
    expectMarked(
      await live(server, 'sample', async (person) => {
        await person.at('submit', KEY.escape)
        await person.at('What now?', KEY.escape)
      }),
    )
  })

  test('in a page to open', async () => {
    expectMarked(await live(server, 'url', (person) => person.at('Open it?', KEY.ctrlC)))
  })

  test('in the error of a tool', async () => {
    const host = new FakeHost({ server, tty: true, columns: COLUMNS })
    await run(['call', 'http://a', 'fails'], host)
    expectMarked(host.err)
  })
})
