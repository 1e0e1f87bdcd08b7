import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createValidator as node } from './validator.node.ts'
import { createValidator as web } from './validator.web.ts'

const schema = {
  type: 'object',
  properties: {
    a: { type: 'string', minLength: 2, format: 'email' },
    n: { type: 'integer', minimum: 0 },
    list: { type: 'array', items: { $ref: '#/$defs/item' }, maxItems: 2 },
    either: { anyOf: [{ const: 1 }, { type: 'string' }] },
    format: { type: 'string', pattern: '^a' },
  },
  required: ['a'],
  additionalProperties: false,
  $defs: { item: { enum: ['x', 'y', null] } },
}

describe.each([
  ['node', node],
  ['web', web],
])('%s', (_name, create) => {
  test('names the place', () => {
    const find = create(schema)
    expect(find({ a: 'ab', list: ['x', 'q'] })?.[0]?.path).toEqual(['list', 1])
    expect(find({ a: 'ab', n: 1.5 })?.[0]?.path).toEqual(['n'])
    expect(find({ a: 'ab', list: ['x', null], either: 1, format: 'ab' })).toBeUndefined()
    expect(find({})?.[0]).toMatchObject({ path: [] })
    expect(find([])?.length).toBeGreaterThan(0)
  })

  test('a property named __proto__ is held to its schema', () => {
    const find = create(
      JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}') as never,
    )
    for (let n = 0; n < 40; n++) {
      expect(find(JSON.parse('{"__proto__":"x"}'))).toBeUndefined()
      expect(find(JSON.parse('{"__proto__":1}'))?.[0]?.path).toEqual(['__proto__'])
      expect(find({})).toBeUndefined()
    }
  })

  test('does not change the schema it is given, which may be frozen', () => {
    const text = JSON.stringify(schema)
    create(Object.freeze({ ...schema }))({ a: 1 })
    expect(JSON.stringify(schema)).toBe(text)
  })

  test('takes draft-07', () => {
    const find = create({
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      additionalItems: false,
    })
    expect(find(['a'])).toBeUndefined()
    expect(find(['a', 'b'])).toBeDefined()
  })
})

test('the first values are told apart like the later ones, with the same words', () => {
  const plain = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const find = node(plain)
  for (let n = 0; n < 40; n++) expect(find({ a: 'x' })).toBeUndefined()
  const words = find({ a: 1 })
  expect(words).toEqual([{ path: ['a'], message: 'must be string' }])
  expect(node(plain)({ a: 1 })).toEqual(words)
})

test('what JSON cannot say counts as absent', () => {
  for (const create of [node, web]) {
    const find = create({ type: 'object', properties: { a: { type: 'string' } } })
    expect(find({ a: undefined })).toBeUndefined()
    expect(find(undefined)?.length).toBe(1)
  }
})

test('property: both engines agree', () => {
  const [first, second] = [node(schema), web(schema)]
  const value = fc.record(
    {
      a: fc.oneof(fc.string(), fc.integer()),
      n: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      list: fc.array(fc.constantFrom('x', 'y', 'z', null)),
      either: fc.oneof(fc.constantFrom(1, 2), fc.string()),
      format: fc.string(),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(value, fc.jsonValue()), (any) => {
      expect(first(any) === undefined).toBe(second(any) === undefined)
    }),
    { numRuns: 500 },
  )
})
