import { expect, test } from 'vitest'
import { isSafeIcon } from './icon.ts'

const origin = 'https://example.com'

test('spec basic/index: icons are taken from https of the server itself, and from data URIs', () => {
  expect(isSafeIcon({ src: 'https://example.com/a.png' }, { origin })).toBe(true)
  expect(isSafeIcon({ src: 'data:image/png;base64,AA==' })).toBe(true)
  expect(isSafeIcon({ src: 'https://example.com/a.png' })).toBe(false)
  expect(isSafeIcon({ src: 'https://cdn.example.com/a.png' }, { origin })).toBe(false)
  expect(isSafeIcon({ src: 'https://user:pass@example.com/a.png' }, { origin })).toBe(false)
})

test('spec basic/index: icons with unsafe schemes are rejected', () => {
  for (const src of [
    'http://example.com/a',
    'javascript:alert(1)',
    'file:///a.png',
    'ftp://h/a',
    'ws://h/',
    'vscode://a',
    'a.png',
    '',
  ]) {
    expect(isSafeIcon({ src }, { origin, svg: true }), src).toBe(false)
  }
})

test('only images are taken, SVG when asked for', () => {
  expect(isSafeIcon({ src: 'data:text/html,x' })).toBe(false)
  expect(isSafeIcon({ src: 'data:,x' })).toBe(false)
  expect(isSafeIcon({ src: 'data:image/svg+xml,x' })).toBe(false)
  expect(isSafeIcon({ src: 'data:image/svg+xml,x' }, { svg: true })).toBe(true)
  expect(isSafeIcon({ src: 'https://example.com/a', mimeType: 'image/svg+xml' }, { origin })).toBe(false)
})
