import { expect, it } from 'vitest'
import { ByteLines } from './byte-lines.node.ts'

function cut(chunks: readonly (string | Buffer)[], maxBytes = 100): string[] {
  const got: string[] = []
  const lines = new ByteLines(maxBytes, {
    line: (text) => got.push(text),
    tooLong: () => got.push('(too long)'),
    notUtf8: () => got.push('(not UTF-8)'),
  })
  for (const chunk of chunks) lines.feed(Buffer.from(chunk as Buffer))
  lines.end()
  return got
}

it('HS1 one line, several in a chunk, and one over several chunks', () => {
  expect(cut(['a\n'])).toEqual(['a'])
  expect(cut(['a\nb\nc\n'])).toEqual(['a', 'b', 'c'])
  expect(cut(['a', 'b', 'c\nd', '\n'])).toEqual(['abc', 'd'])
})

it('HS1 a carriage return before the line feed goes, wherever the chunk ends', () => {
  expect(cut(['a\r\nb\r\n'])).toEqual(['a', 'b'])
  expect(cut(['a\r', '\nb'])).toEqual(['a', 'b'])
  expect(cut(['a\rb\n'])).toEqual(['a\rb'])
})

it('HS1 a byte order mark before the first line goes, and no other', () => {
  expect(cut(['\ufeffa\n\ufeffb\n'])).toEqual(['a', '\ufeffb'])
  expect(cut([...Buffer.from('\ufeff\r\na\n')].map((byte) => Buffer.from([byte])))).toEqual(['a'])
})

it('HS1 empty lines are passed over', () => {
  expect(cut(['\n\r\n\n', 'a\n\n', '\r', '\n'])).toEqual(['a'])
})

it('HS1 a last line without its line feed counts', () => {
  expect(cut(['a\nb'])).toEqual(['a', 'b'])
  expect(cut([''])).toEqual([])
})

it('HS1 characters may be split between chunks at every byte', () => {
  const text = 'Grüße 世界 🌍'
  const bytes = Buffer.from(`${text}\n${text}\n`)
  for (let at = 0; at <= bytes.length; at++) {
    expect(cut([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([text, text])
  }
  expect(cut([...bytes].map((byte) => Buffer.from([byte])))).toEqual([text, text])
})

it('HS1 a line over the limit is reported once, and the next one is read', () => {
  expect(cut([`${'x'.repeat(101)}\nnext\n`])).toEqual(['(too long)', 'next'])
  expect(cut(['x'.repeat(60), 'x'.repeat(60), 'x'.repeat(60), '\nnext\n'])).toEqual(['(too long)', 'next'])
  expect(cut(['x'.repeat(100), '\n'])).toEqual(['x'.repeat(100)])
  expect(cut(['x'.repeat(200)])).toEqual(['(too long)'])
})

it('HS1 a line that is not UTF-8 is reported, and the next one is read', () => {
  expect(cut([Buffer.from([0x61, 0xff, 0x0a]), 'next\n'])).toEqual(['(not UTF-8)', 'next'])
  expect(cut([Buffer.from([0xe4, 0xb8, 0x0a, 0x96, 0x0a])])).toEqual(['(not UTF-8)', '(not UTF-8)'])
})
