import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from './width.ts'
import { hung, wrap } from './wrap.ts'

test.each<[string, number, string[]]>([
  ['one two three', 7, ['one two', 'three']],
  ['one two', 20, ['one two']],
  ['a\n\nb', 5, ['a', '', 'b']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['日本語日本語', 5, ['日本', '語日', '本語']],
  ['ab日本', 3, ['ab', '日', '本']],
  ['\ta\tb', 20, ['    a   b']],
  [`padded${' '.repeat(300)}Send this?`, 20, ['padded', 'Send this?']],
  ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
  ['x'.repeat(9), Infinity, ['x'.repeat(9)]],
])('%j in %i columns', (text, columns, rows) => {
  expect(wrap(text, columns)).toEqual(rows)
})

test('no row is wider than was asked for, and nothing but blanks is lost', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(' ', '\t', '\n', '\u{1f468}\u200d', '\u1100', '日'), fc.string({ unit: 'binary' })),
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, columns) => {
      const rows = wrap(given, columns)
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns)
      expect(rows.join('').replace(/[\s\u200d]/g, '')).toBe(given.replace(/[\s\u200d]/g, ''))
    }),
  )
})

test('further rows hang', () => {
  expect(hung('one two three four', 12)).toBe('one two\n    three\n    four')
  expect(hung('one two three four', 18)).toBe('one two three four')
})
