import { describe, expect, test } from 'vitest'
import { InputRequiredResult, type InputRequiredOptions } from './input-required-result.ts'
import { normalizeInputRequests } from './input-requests.ts'

const roots = { method: 'roots/list' } as const
const keys = (input: unknown) => Object.keys(normalizeInputRequests(input))

describe('normalizeInputRequests', () => {
  test.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])('S0.6 %s may be embedded', (method) => {
    expect(normalizeInputRequests({ a: { method, params: { x: 1 } } })['a']).toEqual({ method, params: { x: 1 } })
  })

  test('S0.22 the map is a plain object, one without prototype, or a Map', () => {
    const bare = Object.assign(Object.create(null) as object, { a: roots })
    for (const input of [{ a: roots }, bare, new Map([['a', roots]])]) expect(keys(input)).toEqual(['a'])
    class Asks {
      a = roots
    }
    for (const input of [
      [],
      [roots],
      'x',
      7,
      true,
      new Date(),
      new Asks(),
      () => roots,
      new Set([roots]),
      Symbol('s'),
    ]) {
      expect(() => normalizeInputRequests(input)).toThrow(/^inputRequests must be an object or a Map, not /)
    }
  })

  test('S0.23 every entry is a plain object, else the error names the key', () => {
    for (const region of ['x', null, undefined, [], 1, new Date(), () => roots]) {
      expect(() => normalizeInputRequests({ ok: roots, region })).toThrow(TypeError)
      expect(() => normalizeInputRequests({ ok: roots, region })).toThrow(/inputRequests\["region"\] must be an object/)
    }
  })

  test('S0.24 any other method is refused, with the three, the value and the key in the message', () => {
    for (const [method, shown] of [
      ['tools/call', '"tools/call"'],
      [undefined, 'undefined'],
      ['ELICITATION/CREATE', '"ELICITATION/CREATE"'],
      [['roots/list'], 'an array'],
      [null, 'null'],
    ]) {
      expect(() => normalizeInputRequests({ region: { method } })).toThrow(
        new TypeError(
          `inputRequests["region"].method must be one of elicitation/create, sampling/createMessage, roots/list, not ${shown as string}`,
        ),
      )
    }
  })

  test('S0.25 params are an object or absent; null is absent', () => {
    for (const params of ['x', [], 1, true, new Date(), new Map()]) {
      expect(() => normalizeInputRequests({ a: { method: 'roots/list', params } })).toThrow(
        /inputRequests\["a"\]\.params must be an object or absent/,
      )
    }
    for (const params of [null, undefined]) {
      expect(normalizeInputRequests({ a: { method: 'roots/list', params } })['a']).toEqual(roots)
      expect('params' in normalizeInputRequests({ a: { method: 'roots/list', params } })['a']!).toBe(false)
    }
  })

  test('S0.26 keys become strings, prototype keys stay own, members of an entry beyond the two are dropped', () => {
    expect(keys({ 1: roots })).toEqual(['1'])
    expect(keys(new Map<unknown, unknown>([[1, roots]]))).toEqual(['1'])
    const hostile = JSON.parse('{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}') as object
    const map = normalizeInputRequests(hostile)
    expect(Object.keys(map)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(map)).toBeNull()
    const entry = { method: 'roots/list', params: { a: 1 }, id: 7, jsonrpc: '2.0' }
    expect(JSON.stringify(normalizeInputRequests({ a: entry }))).toBe('{"a":{"method":"roots/list","params":{"a":1}}}')
    for (const input of [new Map([[Symbol('s'), roots]]), { [Symbol('s')]: roots }, new Map([[{}, roots]])]) {
      expect(() => normalizeInputRequests(input)).toThrow(/^inputRequests keys must be strings/)
    }
  })

  test('S0.27 own enumerable keys only, and getters are read once', () => {
    let reads = 0
    const input = Object.create({ inherited: 1 }, { hidden: { value: roots, enumerable: false } }) as object
    expect(() => normalizeInputRequests(input)).toThrow(TypeError)
    const counted = {
      get a() {
        reads++
        return {
          get method() {
            reads++
            return 'roots/list'
          },
          get params() {
            reads++
            return {
              get x() {
                reads++
                return 1
              },
            }
          },
        }
      },
    }
    Object.defineProperty(counted, 'hidden', { value: roots, enumerable: false })
    const result = new InputRequiredResult({ inputRequests: counted } as unknown as InputRequiredOptions)
    JSON.stringify(result)
    JSON.stringify(result)
    expect(reads).toBe(4)
    expect(Object.keys(result.inputRequests ?? {})).toEqual(['a'])
  })

  test('spec basic/patterns/mrtr: keys are unique, after numbers became strings too', () => {
    const twice = new Map<unknown, unknown>([
      [1, roots],
      ['1', roots],
    ])
    expect(() => normalizeInputRequests(twice)).toThrow('inputRequests has two entries under "1"')
  })

  test('spec basic/patterns/mrtr: entries are of the three kinds alone', () => {
    expect(() => normalizeInputRequests({ a: { method: 'ping' } })).toThrow(TypeError)
  })

  test('S1.7 nothing but the three shapes, with string keys and object params, gets through', () => {
    expect(() => normalizeInputRequests({ a: { method: 'tools/list' } })).toThrow(TypeError)
    expect(normalizeInputRequests({ a: roots, b: { method: 'sampling/createMessage', params: {} } })).toEqual({
      a: roots,
      b: { method: 'sampling/createMessage', params: {} },
    })
  })
})

describe('ported construction validation', () => {
  const make = (options: unknown) => new InputRequiredResult(options as InputRequiredOptions)
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no field', {}],
    ['an empty map', { inputRequests: {} }],
    ['a map that is an array', { inputRequests: [roots] }],
    ['a map that is a string', { inputRequests: 'roots/list' }],
    ['an entry that is a string', { inputRequests: { a: 'roots/list' } }],
    ['an entry without method', { inputRequests: { a: {} } }],
    ['an entry of another method', { inputRequests: { a: { method: 'tools/call' } } }],
    ['params that are a string', { inputRequests: { a: { method: 'roots/list', params: 'x' } } }],
    ['a state that is a number', { requestState: 1 }],
  ])('S1.34 %s is refused', (_what, options) => {
    expect(() => make(options)).toThrow(TypeError)
  })

  test('S1.34 asks alone are accepted', () => {
    expect(make({ inputRequests: { a: roots } }).inputRequests).toEqual({ a: roots })
  })

  test('S1.34 a state alone is accepted', () => {
    expect(make({ requestState: 's' }).requestState).toBe('s')
  })
})

describe('ported key normalization and freezing', () => {
  test('S1.35 a number key reads back as a string', () => {
    expect(normalizeInputRequests({ 7: roots })['7']).toEqual(roots)
  })

  test('S1.35 string keys are kept as they are, in order', () => {
    expect(keys({ b: roots, 'a/é~2': roots, '': roots })).toEqual(['b', 'a/é~2', ''])
  })

  test('S1.35 prototype keys are ordinary keys', () => {
    expect(keys(new Map([['__proto__', roots]]))).toEqual(['__proto__'])
    expect(normalizeInputRequests({ a: roots })['toString']).toBeUndefined()
  })

  test('S1.35 the map is frozen', () => {
    expect(Object.isFrozen(normalizeInputRequests({ a: roots }))).toBe(true)
  })

  test('S1.35 entries are frozen', () => {
    expect(Object.isFrozen(normalizeInputRequests({ a: roots })['a'])).toBe(true)
  })

  test('S1.35 params are frozen to their depth', () => {
    const entry = normalizeInputRequests({ a: { method: 'roots/list', params: { _meta: { list: [{}] } } } })['a']
    const meta = entry?.params?.['_meta'] as { list: object[] }
    for (const part of [entry?.params, meta, meta.list, meta.list[0]]) expect(Object.isFrozen(part)).toBe(true)
  })
})
