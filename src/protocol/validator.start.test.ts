import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

/** Each value meets an engine that has compiled nothing yet. */
async function fresh() {
  vi.resetModules()
  return (await import('./validator.node.ts')).createValidator
}

const schema = {
  type: 'object',
  properties: {
    a: { type: 'string', minLength: 2, maxLength: 3 },
    n: { type: ['integer', 'null'], minimum: 0, maximum: 9 },
    list: { type: 'array', items: { enum: ['x', 1, null, { y: 1 }] }, minItems: 1, maxItems: 2 },
    inner: { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'], additionalProperties: false },
  },
  required: ['a'],
  additionalProperties: { type: 'number' },
}

test('property: the first value is judged as every later one', async () => {
  const first = await fresh()
  const later = first(schema)
  for (let n = 0; n < 20; n++) later({ a: 'ab' })
  const value = fc.record(
    {
      a: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.integer()),
      n: fc.oneof(
        fc.integer({ min: -1, max: 10 }),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      list: fc.array(fc.constantFrom('x', 1, 2, null, { y: 1 }, { y: 2 })),
      inner: fc.record({ b: fc.oneof(fc.boolean(), fc.string()), c: fc.string() }, { requiredKeys: [] }),
      other: fc.oneof(fc.integer(), fc.string()),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(value, fc.jsonValue()), async (any) => {
      const create = await fresh()
      expect(create(schema)(any)).toEqual(later(any))
    }),
    { numRuns: 100 },
  )
}, 60_000)
