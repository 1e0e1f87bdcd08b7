import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { paintFor, wantsColour } from './paint.ts'
import { plainOutput } from './plain-output.node.ts'

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
])('colour on a terminal (%s) with %j: %s', (isTerminal, env, wanted) => {
  expect(wantsColour(isTerminal, env)).toBe(wanted)
})

test('text is set apart, or left as it is', () => {
  expect(paintFor(true)('red', 'x')).toBe('\x1b[31mx\x1b[39m')
  expect(paintFor(false)('red', 'x')).toBe('x')
})

test('a plain terminal takes the colours out of prompts, and keeps the rest', async () => {
  let drawn = ''
  const terminal = Object.assign(new Writable({ decodeStrings: false }), { columns: 80, rows: 24, isTTY: true })
  terminal._write = (chunk, _encoding, done) => {
    drawn += String(chunk)
    done()
  }
  const plain = plainOutput(terminal as unknown as NodeJS.WriteStream)
  await new Promise<void>((resolve) => void plain.write('\x1b[2K\x1b[1;36mred\x1b[39m\x1b[1A', () => resolve()))
  expect(drawn).toBe('\x1b[2Kred\x1b[1A')
  expect(plain).toMatchObject({ columns: 80, rows: 24, isTTY: true })
})
