import { expect, test } from 'vitest'
import { harmless, harmlessJson, oneLine } from './harmless.ts'

test.each([
  ['plain\ttext\nwith lines', 'plain\ttext\nwith lines'],
  ['\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
  ['over\rwritten', 'over\\x0dwritten'],
  ['a\r\nb', 'a\nb'],
  ['\x9b31m', '\\x9b31m'],
  ['abc\u202ecba', 'abc\\u202ecba'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['\u2028line', '\\u2028line'],
  ['\u{e0041}tag', '\\u{e0041}tag'],
  ['lone \ud83d end', 'lone \\ud83d end'],
  ['fine \u{1f44d} é 日本', 'fine \u{1f44d} é 日本'],
  ['\u0000', '\\x00'],
  ['Hangul\u3164filler, combining\u034fjoiner', 'Hangul\\u3164filler, combining\\u034fjoiner'],
  ['a\u200db \u200c \u200d', 'a\\u200db \\u200c \\u200d'],
  ['\u2066isolated\u2069 \u061c', '\\u2066isolated\\u2069 \\u061c'],
  [
    'family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}, heart \u2764\ufe0f',
    'family \u{1f468}\u{1f469}\u{1f467}, heart \u2764\ufe0f',
  ],
  ['hidden a\ufe0f\u{e0101}', 'hidden a\\ufe0f\\u{e0101}'],
  ['\u{1f468}\u200d', '\u{1f468}\\u200d'],
  ['क्\u200dष क्\u200d', 'क्\u200dष क्\\u200d'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['e\u0301\u0302\u0303\u0304\u0305\u0306', 'e\u0301\u0302\u0303\u0304\\u0305\\u0306'],
])('%j is printed as %j', (text, printed) => {
  expect(harmless(text)).toBe(printed)
})

test('one line is one line, and short', () => {
  expect(oneLine('a\n\n  b\x1b[0m')).toBe('a b\\x1b[0m')
  expect(oneLine('x'.repeat(300), 10)).toBe('xxxxxxxxx…')
  expect(oneLine('日本語日本語', 8)).toBe('日本語…')
  expect(oneLine('\u{1f44d}'.repeat(9), 6)).toBe('\u{1f44d}\u{1f44d}…')
})

test('JSON stays the same value', () => {
  const value = { a: '\x1b[31m\u202e\u009b \u{e0041} \ud83d', b: ['line\nfeed', '\u{1f44d}'] }
  const text = harmlessJson(value)
  expect(JSON.parse(text)).toEqual(value)
  expect(text).not.toMatch(/[\u001b\u202e\u009b]/)
})
