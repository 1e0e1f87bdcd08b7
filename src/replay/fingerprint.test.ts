import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { spec } from '../../test/replay/kit.ts'
import * as node from './context.node.ts'
import * as web from './context.web.ts'
import { fingerprint } from './fingerprint.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

test('E16 a fingerprint is the same on every host', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(web.digest(text)).toBe(sha256(text))
      expect(node.digest(text)).toBe(sha256(text))
    }),
  )
  for (let length = 50; length < 70; length++) expect(web.digest('x'.repeat(length))).toBe(sha256('x'.repeat(length)))
})

test('E16 it covers the kind and what the answer is pinned to, and nothing else', () => {
  const base = fingerprint(spec('a'))
  expect(fingerprint(spec('a', { payload: 'other', text: 'other', schemaPrint: 'other' }))).toBe(base)
  expect(fingerprint(spec('b', { message: 'a?' }))).toBe(base)
  expect(fingerprint(spec('a', { message: 'b?' }))).not.toBe(base)
  expect(fingerprint(spec('a', { kind: 'url' }))).not.toBe(base)
  expect(fingerprint(spec('a', { pin: 'schema', message: 'b?' }))).toBe(fingerprint(spec('a', { pin: 'schema' })))
})

test('E16 a long text is told by its digest, a short one by itself, and never one for the other', () => {
  const long = fingerprint(spec('a', { message: 'x'.repeat(200) }))
  expect(long).toMatch(/^[\w-]{22}$/)
  expect(fingerprint(spec('a', { message: 'y'.repeat(200) }))).not.toBe(long)
  fc.assert(
    fc.property(fc.string({ maxLength: 120 }), fc.string({ maxLength: 120 }), (one, other) => {
      const same = fingerprint(spec('a', { message: one })) === fingerprint(spec('a', { message: other }))
      expect(same).toBe(one === other)
    }),
  )
  expect(fingerprint(spec('a', { message: long }))).not.toBe(long)
})

test('E10 where the host has no async context, running in one is running', () => {
  const run = (): object | undefined => web.currentContext()
  const store = {}
  expect(web.runInContext(store, run)).toBe(web.contextIsFree ? store : undefined)
  expect(node.runInContext(store, () => node.currentContext())).toBe(store)
  expect(node.currentContext()).toBeUndefined()
})

test('E10 a worker deployed with it has async context', async () => {
  vi.resetModules()
  const hooks = await import('node:async_hooks')
  vi.stubGlobal('process', { ...process, getBuiltinModule: () => hooks })
  try {
    const worker = await import('./context.web.ts')
    const store = {}
    expect(worker.contextIsFree).toBe(true)
    expect(worker.runInContext(store, () => worker.currentContext())).toBe(store)
  } finally {
    vi.unstubAllGlobals()
  }
})
