import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyJson } from './json-copy.ts'

describe('copyJson', () => {
  test('property: copies JSON values, frozen to their depth, and shares what it copied before', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copied = copyJson(value, 'v')
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value))
        expect(Object.isFrozen(copied)).toBe(true)
        if (typeof copied === 'object') expect(copyJson(copied, 'v')).toBe(copied)
      }),
    )
  })

  test('property: is what JSON.stringify would send, where it sends all of it', () => {
    fc.assert(
      fc.property(fc.object({ withBigInt: false, withDate: true, withBoxedValues: false }), (value) => {
        let copied: unknown
        try {
          copied = copyJson(value, 'v')
        } catch {
          return
        }
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('writes what is not a value as JSON does', () => {
    const value = { a: undefined, b: () => 1, c: [undefined, Symbol('s')], d: new Date(0), e: new URL('http://h/') }
    expect(copyJson(value, 'v')).toEqual({ c: [null, null], d: '1970-01-01T00:00:00.000Z', e: 'http://h/' })
  })

  test('keeps __proto__ as an own member', () => {
    const copied = copyJson(JSON.parse('{"__proto__":{"x":1}}'), 'v') as object
    expect(Object.keys(copied)).toEqual(['__proto__'])
    expect((copied as { x?: number }).x).toBeUndefined()
  })

  test.each<[string, unknown, RegExp]>([
    ['NaN', { a: [NaN] }, /^v\.a\[0\] is NaN/],
    ['a bigint', { a: 1n }, /^v\.a is a bigint/],
    ['a Map', { a: new Map() }, /^v\.a is not plain JSON/],
  ])('refuses %s and names the place', (_what, value, message) => {
    expect(() => copyJson(value, 'v')).toThrow(message)
  })

  test('refuses a circular value', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(() => copyJson(loop, 'v')).toThrow(/circular/)
  })
})
