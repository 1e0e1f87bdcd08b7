import { describe, expect, it } from 'vitest'
import { cacheHints, readHint, type CacheOptions } from './cache-hints.ts'

describe('cacheHints', () => {
  it('has lists public for a minute and contents private and stale at once', () => {
    const hints = cacheHints(undefined)
    expect(hints.tools).toEqual({ ttlMs: 60_000, scope: 'public' })
    expect(hints.read).toEqual({ ttlMs: 0, scope: 'private' })
  })

  it('lets the narrower option win, member by member', () => {
    const hints = cacheHints({ ttlMs: '5 min', tools: { ttlMs: 0 }, read: { scope: 'public' } })
    expect(hints.discover).toEqual({ ttlMs: 300_000, scope: 'public' })
    expect(hints.tools).toEqual({ ttlMs: 0, scope: 'public' })
    expect(hints.read).toEqual({ ttlMs: 300_000, scope: 'public' })
    expect(readHint(hints, { cache: { ttlMs: '1 s' }, visible: undefined })).toEqual({ ttlMs: 1000, scope: 'public' })
  })

  it('spec server/utilities/caching: what not everybody may see is private, whatever is said', () => {
    const hints = cacheHints({ scope: 'public' })
    expect(readHint(hints, { cache: { scope: 'public' }, visible: () => true })).toEqual({ ttlMs: 0, scope: 'private' })
  })

  it('spec server/utilities/caching: ttlMs is a whole number from 0 up', () => {
    expect(cacheHints({ ttlMs: 0.2 }).tools.ttlMs).toBe(1)
    for (const ttlMs of [-1, NaN, Infinity, '5 minutes', null]) {
      expect(() => cacheHints({ ttlMs } as CacheOptions)).toThrow(/Option cache: ttlMs must be a whole number/)
    }
  })

  it('refuses a scope and a kind it does not know', () => {
    expect(() => cacheHints({ tools: { scope: 'shared' } } as unknown as CacheOptions)).toThrow(
      "Option cache.tools: scope must be 'public' or 'private', not \"shared\".",
    )
    expect(() => cacheHints({ lists: {} } as CacheOptions)).toThrow(/there is no option `lists`/)
  })
})
