import { expect, test } from 'vitest'
import { isListRootsResult } from './roots.ts'

const roots = (...uris: unknown[]) => isListRootsResult({ roots: uris.map((uri) => ({ uri })) })

test('spec client/roots: every root is a file:// URI', () => {
  expect(roots('file:///home/user/project', 'file:///', 'FILE:///C:/x%20y', 'file://host/share/a..b')).toBe(true)
  expect(roots()).toBe(true)
  for (const uri of ['https://example.com/', 'file:', 'file:/x', '/home', '', 7, undefined, 'file://['])
    expect(roots(uri), String(uri)).toBe(false)
})

test('spec client/roots: no root climbs out of a directory', () => {
  for (const uri of [
    'file:///a/../b',
    'file:///..',
    'file:///a/%2e%2E/b',
    'file:///a\\..\\b',
    'file:///a%2f..',
    'file:///a%00',
  ]) {
    expect(roots(uri), uri).toBe(false)
  }
})

test('a list of roots is an object with an array', () => {
  for (const value of [
    null,
    [],
    {},
    { roots: {} },
    { roots: [null] },
    { roots: ['file:///'] },
    { roots: [{ uri: 'file:///', name: 1 }] },
  ]) {
    expect(isListRootsResult(value)).toBe(false)
  }
  expect(isListRootsResult({ roots: [{ uri: 'file:///', name: 'Root', _meta: {} }], _meta: {} })).toBe(true)
})
