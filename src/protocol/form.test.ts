import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isRondoError } from '../errors/rondo-error.ts'
import { type PrimitiveSchemaDefinition, type RequestedSchema } from './elicitation.ts'
import { checkContent, compileForm, fillDefaults } from './form.ts'
import { type Schema } from './standard-schema.ts'

const form = (schema: Schema): RequestedSchema => compileForm(schema).requestedSchema
const property = (definition: object): PrimitiveSchemaDefinition | undefined =>
  form({ type: 'object', properties: { a: definition } }).properties['a']
const zod = (definition: z.ZodType): PrimitiveSchemaDefinition | undefined =>
  form(z.object({ a: definition })).properties['a']
const refusal = (schema: Schema) => {
  try {
    compileForm(schema)
  } catch (error) {
    if (isRondoError(error, 'ASK_SCHEMA')) return error
    throw error
  }
  throw new Error('not refused')
}

describe('schemas of libraries', () => {
  test('zod', () => {
    const schema = z.object({
      reason: z.string().min(10).max(200).describe('In a sentence').meta({ title: 'Why' }),
      env: z.enum(['staging', 'production']).default('staging'),
      tags: z.array(z.enum(['a', 'b'])).max(2),
      count: z.int().min(1).optional(),
      ratio: z.number().min(0).max(0.5),
      sure: z.boolean().default(false),
      mail: z.email(),
      page: z.url(),
      day: z.iso.date(),
      when: z.iso.datetime(),
    })
    expect(form(schema)).toEqual({
      type: 'object',
      properties: {
        reason: { type: 'string', minLength: 10, maxLength: 200, title: 'Why', description: 'In a sentence' },
        env: { type: 'string', enum: ['staging', 'production'], default: 'staging' },
        tags: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
        count: { type: 'integer', minimum: 1 },
        ratio: { type: 'number', minimum: 0, maximum: 0.5 },
        sure: { type: 'boolean', default: false },
        mail: { type: 'string', format: 'email' },
        page: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date' },
        when: { type: 'string', format: 'date-time' },
      },
      required: ['reason', 'tags', 'ratio', 'mail', 'page', 'day', 'when'],
    })
  })

  test('arktype and valibot', () => {
    expect(
      form(type({ env: "'a'|'b'", 'n?': 'number.integer>=3', mail: 'string.email', only: "'x'", b: 'boolean' })),
    ).toEqual({
      type: 'object',
      properties: {
        b: { type: 'boolean' },
        env: { type: 'string', enum: ['a', 'b'] },
        mail: { type: 'string', format: 'email' },
        n: { type: 'integer', minimum: 3 },
        only: { type: 'string', enum: ['x'] },
      },
      required: ['b', 'env', 'mail', 'only'],
    })
    const valibot = v.object({
      a: v.optional(v.picklist(['x', 'y']), 'x'),
      b: v.pipe(v.string(), v.title('T'), v.isoDate()),
    })
    expect(form(toStandardJsonSchema(valibot))).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', enum: ['x', 'y'], default: 'x' },
        b: { type: 'string', format: 'date', title: 'T' },
      },
      required: ['b'],
    })
  })

  test('validation goes through the library, transforms and all', async () => {
    const { validate } = compileForm(z.object({ n: z.string().transform(Number), d: z.string().default('x') }))
    expect(await validate({ n: '7', more: 1 })).toEqual({ ok: true, value: { n: 7, d: 'x' } })
    expect(await validate({ n: 7 })).toMatchObject({ ok: false, issues: [{ path: ['n'] }] })
    expect(await validate(undefined)).toMatchObject({ ok: false })
  })

  test('definitions that a library puts aside are found', () => {
    const shared = z.enum(['a', 'b']).meta({ id: 'letters' })
    expect(form(z.object({ x: shared, y: shared.optional() })).properties).toEqual({
      x: { type: 'string', enum: ['a', 'b'] },
      y: { type: 'string', enum: ['a', 'b'] },
    })
  })
})

describe('conversion', () => {
  test('spec client/elicitation: the form is a flat object of primitive properties, closed and frozen', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'T',
      type: 'object',
      additionalProperties: false,
    }
    expect(form(schema)).toEqual({ type: 'object', properties: {} })
    const requested = form({
      ...schema,
      properties: { a: { type: 'string', 'x-own': 1, examples: ['x'] } },
      required: [],
    })
    expect(requested).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
    expect(Object.isFrozen(requested.properties['a'])).toBe(true)
  })

  test('a constant becomes a choice of one', () => {
    expect(zod(z.literal('x'))).toEqual({ type: 'string', enum: ['x'] })
    expect(property({ const: 'x', default: 'x' })).toEqual({ type: 'string', enum: ['x'], default: 'x' })
  })

  test('a union of texts becomes choices, with titles where there are any', () => {
    expect(zod(z.union([z.literal('a'), z.literal('b'), z.enum(['b', 'c'])]))).toEqual({
      type: 'string',
      enum: ['a', 'b', 'c'],
    })
    expect(zod(z.union([z.literal('a').meta({ title: 'First' }), z.literal('b')]))).toEqual({
      type: 'string',
      oneOf: [
        { const: 'a', title: 'First' },
        { const: 'b', title: 'b' },
      ],
    })
    expect(property({ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, uniqueItems: true })).toEqual({
      type: 'array',
      items: { anyOf: [{ const: 'a', title: 'A' }] },
    })
    expect(property({ type: 'string', enum: ['a', 'b'], enumNames: ['A'] })).toEqual({
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    })
  })

  test('bounds of whole numbers in JavaScript are dropped, open bounds of whole numbers are moved', () => {
    expect(zod(z.int())).toEqual({ type: 'integer' })
    expect(zod(z.int().positive().lt(10))).toEqual({ type: 'integer', minimum: 1, maximum: 9 })
    expect(property({ type: 'number', multipleOf: 1, exclusiveMinimum: 0.5, minimum: 0 })).toEqual({
      type: 'integer',
      minimum: 1,
    })
  })

  test.each([
    [
      'in place',
      { type: 'object', properties: { x: { type: 'string', format: 'email', pattern: '@corp\\.example$' } } },
    ],
    [
      'referred to by way of another',
      {
        type: 'object',
        properties: { x: { $ref: '#/$defs/work' } },
        $defs: {
          work: { $ref: '#/$defs/mail' },
          mail: { type: 'string', format: 'email', pattern: '@corp\\.example$' },
        },
      },
    ],
    [
      'referred to',
      {
        type: 'object',
        properties: { x: { $ref: '#/$defs/mail' } },
        $defs: { mail: { type: 'string', format: 'email', pattern: '@corp\\.example$' } },
      },
    ],
  ])('E17 an answer is held to the pattern that the form could not say, %s', async (_where, schema) => {
    const { validate } = compileForm(schema as Schema)
    expect(await validate({ x: 'ada@corp.example' })).toEqual({ ok: true, value: { x: 'ada@corp.example' } })
    expect(await validate({ x: 'eve@evil.example' })).toMatchObject({ ok: false, issues: [{ path: ['x'] }] })
    expect(await validate({})).toEqual({ ok: true, value: {} })
  })

  test('a pattern beside a known format is dropped', () => {
    expect(property({ type: 'string', format: 'date', pattern: '^x' })).toEqual({ type: 'string', format: 'date' })
  })

  test('names of Object.prototype are ordinary property names', () => {
    const requested = form(
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}') as Schema,
    )
    expect(JSON.stringify(requested)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )
    expect(checkContent(requested, JSON.parse('{"__proto__":1}'))).toBe('__proto__: must be text')
    expect(checkContent(requested, {})).toBe('__proto__: is required')
  })
})

describe('spec client/elicitation: what a form cannot say is refused, naming property and keyword', () => {
  test.each<[string, string, z.ZodType]>([
    ['a nested object', 'type', z.object({ b: z.string() })],
    ['a list of any text', 'items', z.array(z.string())],
    ['a list of objects', 'items', z.array(z.object({}))],
    ['a pattern', 'pattern', z.string().regex(/x/)],
    ['an unknown format', 'format', z.uuid()],
    ['null', 'null', z.string().nullable()],
    ['null in a union', 'null', z.union([z.boolean(), z.null()])],
    ['several types', 'type', z.union([z.string(), z.number()])],
    ['a union of types', 'anyOf', z.union([z.string(), z.array(z.string())])],
    ['a fixed number', 'const', z.literal(1)],
    ['fixed numbers', 'enum', z.literal([1, 2])],
    ['steps', 'multipleOf', z.number().multipleOf(0.5)],
    ['an open bound of a number', 'exclusiveMinimum', z.number().positive()],
    ['anything', 'type', z.any()],
    ['a record', 'type', z.record(z.string(), z.string())],
    ['an intersection', 'allOf', z.intersection(z.string(), z.string())],
    ['more choices than there are', 'minItems', z.array(z.enum(['a', 'b'])).min(3)],
    ['an open range that no whole number is in', 'minimum', z.int().gt(1).lt(2)],
    ['a default that does not fit', 'default', z.string().max(1).prefault('xx').default('xxx')],
  ])('%s', (_what, keyword, definition) => {
    const error = refusal(z.object({ field: definition }))
    expect(error.message).toContain(`${keyword} of its property "field"`)
    expect(error.data).toEqual({ property: 'field', keyword })
  })

  test.each<[string, string, Schema]>([
    ['no object', 'type', z.string()],
    ['a union', 'type', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['conditions', 'if', { type: 'object', properties: {}, if: {}, then: {} }],
    ['patterns of names', 'patternProperties', { type: 'object', patternProperties: { a: { type: 'string' } } }],
    ['a number of properties', 'minProperties', { type: 'object', minProperties: 1 }],
    ['a required property that is none', 'required', { type: 'object', properties: {}, required: ['a'] }],
  ])('at the root: %s', (_what, keyword, schema) => {
    expect(refusal(schema).message).toContain(`${keyword} of its root`)
  })

  test.each<[string, object]>([
    ['a text', { type: 'string', minLength: 2, maxLength: 1 }],
    ['a number', { type: 'number', minimum: 2, maximum: 1 }],
    ['a list', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, maxItems: 1 }],
  ])('what no answer can fit is refused before it is asked: %s', (_what, definition) => {
    expect(refusal({ type: 'object', properties: { a: definition } }).message).toContain('nothing fits #/properties/a')
  })

  test('a choice that stands twice is refused, and is offered once where a library repeats it', () => {
    expect(refusal({ type: 'object', properties: { a: { enum: ['a', 'a'] } } }).message).toContain('"a" twice')
    expect(zod(z.enum({ Live: 'prod', Production: 'prod' }))).toEqual({ type: 'string', enum: ['prod'] })
  })

  test('what is no schema, or has no JSON Schema, is refused as well', () => {
    expect(refusal(z.object({ d: z.date() })).message).toMatch(/Date/)
    expect(refusal({ type: 'object', properties: { a: { $ref: 'https://example.com/' } } }).message).toMatch(
      /leads outside/,
    )
    expect(refusal({ type: 'object', properties: { a: true } }).message).toContain('type of its property "a"')
    const loop = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } }
    expect(refusal(loop).message).toContain('leads in a circle')
  })
})

describe('content', () => {
  const requested = form({
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 2, maxLength: 3 },
      mail: { type: 'string', format: 'email' },
      page: { type: 'string', format: 'uri' },
      day: { type: 'string', format: 'date' },
      when: { type: 'string', format: 'date-time' },
      n: { type: 'integer', minimum: 1, maximum: 3 },
      x: { type: 'number' },
      b: { type: 'boolean' },
      one: { enum: ['a', 'b'] },
      titled: { oneOf: [{ const: 'a', title: 'A' }] },
      many: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
    },
    required: ['text'],
  })
  const problem = (content: object) => checkContent(requested, { text: 'ok', ...content })

  test.each<object>([
    {},
    { text: '😀😀' },
    { mail: 'a@b.c', page: 'https://example.com/', day: '2024-02-29', when: '2026-07-28T09:00:00.5+02:00' },
    { n: 1, x: 1.5, b: false, one: 'a', titled: 'a', many: ['a', 'c'] },
    { day: '2000-02-29', when: '2016-12-31t23:59:60z', page: 'mailto:a@b' },
  ])('that fits: %j', (content) => {
    expect(problem(content)).toBeUndefined()
  })

  test.each<[object, string]>([
    [{ text: undefined }, 'text: is required'],
    [{ text: '😀' }, 'text: must have at least 2 characters'],
    [{ text: 'long' }, 'text: must have at most 3 characters'],
    [{ text: 1 }, 'text: must be text'],
    [{ text: null }, 'text: must be text'],
    [{ mail: 'a b@c' }, 'mail: must be an e-mail address'],
    [{ mail: '@c' }, 'mail: must be an e-mail address'],
    [{ page: '/here' }, 'page: must be a full URL'],
    [{ day: '2026-02-29' }, 'day: must be a date such as 2026-07-28'],
    [{ day: '2026-13-01' }, 'day: must be a date such as 2026-07-28'],
    [{ when: '2026-07-28' }, 'when: must be a date and time such as 2026-07-28T09:00:00Z'],
    [{ when: '2026-07-28T24:00:00Z' }, 'when: must be a date and time such as 2026-07-28T09:00:00Z'],
    [{ n: 0 }, 'n: must be at least 1'],
    [{ n: 4 }, 'n: must be at most 3'],
    [{ n: 1.5 }, 'n: must be a whole number'],
    [{ n: '1' }, 'n: must be a whole number'],
    [{ x: NaN }, 'x: must be a number'],
    [{ b: 'true' }, 'b: must be true or false'],
    [{ one: 'c' }, 'one: must be one of ["a","b"]'],
    [{ titled: 'A' }, 'titled: must be one of ["a"]'],
    [{ many: 'a' }, 'many: must be a list of choices'],
    [{ many: [] }, 'many: must have at least 1 of the choices'],
    [{ many: ['a', 'b', 'c'] }, 'many: must have at most 2 of the choices'],
    [{ many: ['a', 'a'] }, 'many: must not have a choice twice'],
    [{ many: ['z'] }, 'many: must be among ["a","b","c"], not "z"'],
    [{ other: 1 }, 'other: was not asked for'],
    [{ n: 0, b: 1 }, 'n: must be at least 1; b: must be true or false'],
  ])('that does not fit: %j', (content, message) => {
    expect(problem(content)).toBe(message)
  })

  test('that is no object', () => {
    for (const content of [undefined, null, [], 'x'])
      expect(checkContent(requested, content)).toBe('the content must be an object')
  })

  test('of a plain JSON Schema is checked by the form, and what was not asked for is dropped', async () => {
    const { validate } = compileForm({
      type: 'object',
      properties: { a: { type: 'string', format: 'email' } },
      required: ['a'],
    })
    expect(await validate({ a: 'a@b.c', more: 1 })).toEqual({ ok: true, value: { a: 'a@b.c' } })
    expect(await validate({ a: 'no' })).toEqual({
      ok: false,
      issues: [{ path: ['a'], message: 'must be an e-mail address' }],
    })
    expect(await validate(undefined)).toMatchObject({ ok: false })
  })

  test('gets defaults where it says nothing, and keeps what it says', () => {
    const withDefaults = form({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'boolean', default: true },
        n: { type: 'integer', default: 7 },
        many: { type: 'array', items: { enum: ['p'] }, default: ['p'] },
        none: { type: 'string' },
      },
    })
    expect(fillDefaults(withDefaults, {})).toEqual({ a: 'x', b: true, n: 7, many: ['p'] })
    const said = { a: '', b: false, n: 0, many: [] }
    expect(fillDefaults(withDefaults, said)).toEqual(said)
    expect(fillDefaults(withDefaults, { a: undefined })).toMatchObject({ a: 'x' })
    expect(said).toEqual({ a: '', b: false, n: 0, many: [] })
  })

  test('property: an asked schema of any peer is read without throwing', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (schema, properties, content) => {
          for (const asked of [schema, { type: 'object', properties }, { properties: { a: properties } }, undefined]) {
            fillDefaults(asked as unknown as RequestedSchema, content)
            checkContent(asked as unknown as RequestedSchema, { a: 1, ...content })
          }
        },
      ),
    )
  })
})
