import { describe, expect, test } from 'vitest'
import { type Named, readHeaders, readTarget, readTimeout, splitCommand } from './command-line.ts'

const read = (line: string, wanted: Named | undefined = 'tool') => {
  const { own, command } = splitCommand(line.split(' '))
  return readTarget(own, command, wanted)
}

describe('where the server is', () => {
  test.each([
    ['http://127.0.0.1:3920/mcp deploy', { url: 'http://127.0.0.1:3920/mcp' }, ['deploy']],
    ['deploy -- node server.js --port 1', { command: ['node', 'server.js', '--port', '1'] }, ['deploy']],
    ['-- node server.js -- deploy', { command: ['node', 'server.js'] }, ['deploy']],
    ['-- node server.js deploy', { command: ['node', 'server.js'] }, ['deploy']],
  ])('%s', (line, target, words) => {
    expect(read(line)).toEqual({ target, words })
  })

  test('a list takes no further word', () => {
    expect(readTarget([], ['node', 'server.js'])).toEqual({ target: { command: ['node', 'server.js'] }, words: [] })
  })

  test.each([
    ['localhost:3920 deploy', '"localhost:3920" is not a URL of http: or https:.'],
    ['http://a deploy extra', 'Unexpected word "extra".'],
    ['http://a', 'No tool is named.'],
    ['-- node', 'No tool is named.'],
    ['-- node app.mjs', 'No tool is named.'],
    ['-- node server.js --port 1', 'No tool is named.'],
    ['deploy --', 'No command stands after --.'],
  ])('%s is refused', (line, message) => {
    expect(() => read(line)).toThrow(message)
  })

  test.each([
    ['prompt', 'No prompt is named.'],
    ['resource', 'No resource is named.'],
  ] as const)('a %s that is not named', (wanted, message) => {
    expect(() => read('http://a', wanted)).toThrow(message)
    expect(() => read('-- node server.js', wanted)).toThrow(message)
  })

  test.each([
    ['localhost:3920/mcp deploy', 'Did you mean http://localhost:3920/mcp?'],
    ['127.0.0.1:3920 deploy', 'Did you mean http://127.0.0.1:3920?'],
    ['[::1]:3920/mcp deploy', 'Did you mean http://[::1]:3920/mcp?'],
    ['node server.js deploy', 'A server that is a program stands after --: -- node server.js deploy'],
    ['server.mjs', 'A server that is a program stands after --: -- server.mjs'],
    ['deploy', 'Give a URL (http://127.0.0.1:3920/mcp), or a command after -- (-- node server.js).'],
    ['ws://a/mcp deploy', 'Give a URL (http://127.0.0.1:3920/mcp), or a command after -- (-- node server.js).'],
    ['http://a deploy env=staging', 'Arguments are given with --arg: --arg env=staging'],
  ])('%s is told what it is meant for', (line, hint) => {
    expect(() => read(line)).toThrow(expect.objectContaining({ hint }) as Error)
  })

  test('nothing at all is refused', () => {
    expect(() => readTarget([], undefined)).toThrow('No server is given.')
  })
})

test('headers', () => {
  expect(readHeaders(['Authorization: Bearer a:b', 'X-Empty:'])).toEqual({ Authorization: 'Bearer a:b', 'X-Empty': '' })
  expect(() => readHeaders(['nonsense'])).toThrow('--header takes "Name: value"')
  expect(() => readHeaders(['a b: c'])).toThrow('--header takes "Name: value"')
})

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['30', 30_000],
  ['30s', 30_000],
  ['500ms', 500],
  ['2min', 120_000],
  ['0.5 s', 500],
])('--timeout %s', (text, milliseconds) => {
  expect(readTimeout(text)).toBe(milliseconds)
})

test.each(['soon', '-1', '3h', ''])('--timeout %j is refused', (text) => {
  expect(() => readTimeout(text)).toThrow('--timeout takes a time')
})
