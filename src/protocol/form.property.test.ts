import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { checkContent, compileForm, fillDefaults } from './form.ts'
import { type JsonSchemaObject } from './standard-schema.ts'

const KEYWORDS = {
  title: fc.string(),
  description: fc.string(),
  default: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.constantFrom('a', 'b'))),
  minLength: fc.nat(5),
  maxLength: fc.integer({ min: 3, max: 9 }),
  minimum: fc.oneof(fc.integer(), fc.constant(Number.MIN_SAFE_INTEGER)),
  maximum: fc.oneof(fc.integer(), fc.constant(Number.MAX_SAFE_INTEGER)),
  exclusiveMinimum: fc.integer(),
  exclusiveMaximum: fc.integer(),
  multipleOf: fc.constantFrom(1, 2),
  format: fc.constantFrom('email', 'uri', 'date', 'date-time', 'uuid'),
  pattern: fc.constant('^a'),
  enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
  enumNames: fc.array(fc.string(), { maxLength: 3 }),
  const: fc.constantFrom('a', 1, true),
  minItems: fc.nat(2),
  maxItems: fc.nat(4),
  uniqueItems: fc.boolean(),
  examples: fc.array(fc.string()),
  'x-own': fc.jsonValue(),
}
const choice = fc.record(
  { const: fc.constantFrom('a', 'b', 'c'), title: fc.string(), type: fc.constant('string') },
  { requiredKeys: ['const'] },
)
const choices = fc.array(choice, { minLength: 1, maxLength: 3 })
const some = (names: (keyof typeof KEYWORDS)[], more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record(
    { ...Object.fromEntries(names.map((name) => [name, KEYWORDS[name]])), ...more },
    { requiredKeys: Object.keys(more) },
  )

/** Mostly near what forms can say, some of anything. */
const definition = fc.oneof(
  some(['title', 'description', 'minLength', 'maxLength', 'format', 'pattern', 'examples'], {
    type: fc.constant('string'),
  }),
  some(['title', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'x-own'], {
    type: fc.constantFrom('number', 'integer'),
  }),
  some(['title', 'description'], { type: fc.constant('boolean') }),
  some(['title', 'enumNames'], { enum: KEYWORDS.enum }),
  some(['description'], { oneOf: choices, type: fc.constant('string') }),
  some(['title'], { anyOf: choices }),
  some(['const', 'title']),
  some(['title', 'minItems', 'maxItems', 'uniqueItems'], {
    type: fc.constant('array'),
    items: fc.oneof(some([], { enum: KEYWORDS.enum }), some([], { anyOf: choices })),
  }),
  some(Object.keys(KEYWORDS) as (keyof typeof KEYWORDS)[], {
    type: fc.constantFrom('string', 'integer', 'boolean', 'array', 'null'),
  }),
)
const schema = fc.dictionary(fc.string(), definition, { maxKeys: 4 }).chain((properties) =>
  fc.record(
    {
      type: fc.constant('object'),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
      additionalProperties: fc.boolean(),
      title: fc.string(),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
)

const STRING = ['type', 'title', 'description', 'default']
/** The definitions of client/elicitation, "Requested Schema": what each must have, and all it may have. */
const SHAPES: [must: string[], may: string[]][] = [
  [['type'], [...STRING, 'minLength', 'maxLength', 'format']],
  [['type'], [...STRING, 'minimum', 'maximum']],
  [
    ['type', 'enum'],
    [...STRING, 'enum'],
  ],
  [
    ['type', 'oneOf'],
    [...STRING, 'oneOf'],
  ],
  [
    ['type', 'items'],
    [...STRING, 'items', 'minItems', 'maxItems'],
  ],
]
const fits = (keys: string[]) =>
  SHAPES.some(([must, may]) => must.every((key) => keys.includes(key)) && keys.every((key) => may.includes(key)))

test('spec client/elicitation: any schema that is taken becomes a flat, closed form', () => {
  let taken = 0
  fc.assert(
    fc.property(schema, (any) => {
      let requested
      try {
        requested = compileForm(any as JsonSchemaObject).requestedSchema
      } catch (error) {
        expect(isRondoError(error, 'ASK_SCHEMA')).toBe(true)
        return
      }
      if (Object.keys(requested.properties).length > 0) taken++
      expect(Object.keys(requested).every((key) => ['type', 'properties', 'required'].includes(key))).toBe(true)
      expect(Object.keys(requested.properties)).toEqual(Object.keys(any.properties))
      for (const property of Object.values(requested.properties)) {
        expect(['string', 'number', 'integer', 'boolean', 'array']).toContain(property.type)
        expect(fits(Object.keys(property))).toBe(true)
      }
      // A form is its own fixed point, and its defaults fit it.
      expect(compileForm(requested as unknown as JsonSchemaObject).requestedSchema).toEqual(requested)
      expect(checkContent({ ...requested, required: [] }, fillDefaults(requested, {}))).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
  expect(taken).toBeGreaterThan(100)
})
