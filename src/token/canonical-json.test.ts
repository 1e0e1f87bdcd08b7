import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

/** The same value with the members of every object added in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, turned(member)] as const)
  const copy: unknown = Object.fromEntries(entries.reverse())
  return copy
}

describe('canonicalJson', () => {
  it('T2 sorts members by UTF-16 code units, at every depth', () => {
    const value = { b: [{ z: 1, a: 2 }], '\u20ac': 1, '\ud83d\ude00': 2, '\ufb33': 3, a: {}, '10': 1, '9': 2 }
    expect(canonicalJson(value)).toBe(
      '{"10":1,"9":2,"a":{},"b":[{"a":2,"z":1}],"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3}',
    )
  })

  it('T2 gives one text for one value, whatever order its members came in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(turned(value))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('T2 gives different texts for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [left, right] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))] as unknown[]
        fc.pre(!Object.is(left, right))
        let same = true
        try {
          expect(left).toEqual(right)
        } catch {
          same = false
        }
        expect(canonicalJson(left) === canonicalJson(right)).toBe(same)
      }),
    )
  })

  it('T2 tells apart what JSON.stringify would blur', () => {
    const texts = [
      '{"a":1e999}',
      '{"a":-1e999}',
      '{"a":null}',
      '{}',
      '{"a":"Infinity"}',
      '{"a":"\\ud800"}',
      '{"a":"\\ud801"}',
      '{"a":"\\\\ud800"}',
      '{"__proto__":{"a":1}}',
      '{"a":[]}',
      '{"a":{}}',
      '{"a":[[1],2]}',
      '{"a":[1,2]}',
    ]
    expect(new Set(texts.map((text) => canonicalJson(JSON.parse(text)))).size).toBe(texts.length)
  })

  it('leaves members that are undefined out', () => {
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}')
    expect(canonicalJson({ a: undefined, b: 1, c: [undefined] })).toBe('{"b":1,"c":[null]}')
    expect(canonicalJson(undefined)).toBe('null')
  })

  it('writes values far deeper than the call stack reaches', () => {
    const depth = 100_000
    let value: unknown = { b: 1, a: 2 }
    for (let i = 0; i < depth; i += 1) value = [value]
    expect(canonicalJson(value)).toBe(`${'['.repeat(depth)}{"a":2,"b":1}${']'.repeat(depth)}`)
  })

  it('writes as many members and items as there are', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => i)
    const object = Object.fromEntries(many.map((i) => [`k${i}`, 0]))
    for (const value of [[{ b: 1, a: 2 }, ...many], { b: 1, a: object, list: many }]) {
      expect(JSON.parse(canonicalJson(value))).toEqual(value)
    }
  })
})
