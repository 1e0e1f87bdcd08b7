import { createRequire } from 'node:module'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { isRondoError } from '../errors/rondo-error.ts'
import { issuesText } from './issue.ts'
import { SCHEMA_LIMITS } from './json-schema.ts'
import { compileSchema, type Validated } from './schema.ts'
import { type Schema } from './standard-schema.ts'

const refusal = (schema: unknown, role: 'input' | 'output' = 'input'): string => {
  try {
    compileSchema(schema as Schema, role)
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('not refused')
}
const inside = (keyword: object) => ({ type: 'object', properties: { a: keyword } })
const validate = async (schema: Schema, value: unknown): Promise<Validated> =>
  compileSchema(schema, 'input').validate(value)
const issues = async (schema: Schema, value: unknown): Promise<string> => {
  const validated = await validate(schema, value)
  return validated.ok ? '' : issuesText(validated.issues)
}

describe('schemas of libraries', () => {
  const libraries: [string, Schema][] = [
    ['zod', z.object({ env: z.enum(['a', 'b']), n: z.number().default(1) })],
    ['arktype', type({ env: "'a'|'b'", n: 'number = 1' })],
    ['valibot', toStandardJsonSchema(v.object({ env: v.picklist(['a', 'b']), n: v.optional(v.number(), 1) }))],
  ]

  test.each(libraries)('%s gives JSON Schema without a needless $schema, and validates', async (_name, schema) => {
    const { json } = compileSchema(schema, 'input')
    expect(json).toMatchObject({ type: 'object', required: ['env'] })
    expect(json['properties']).toMatchObject({ env: { enum: ['a', 'b'] }, n: { type: 'number' } })
    expect(json).not.toHaveProperty('$schema')
    expect(Object.isFrozen(json)).toBe(true)
    expect(await validate(schema, { env: 'a' })).toEqual({ ok: true, value: { env: 'a', n: 1 } })
    const missed = await validate(schema, { env: 'c' })
    expect(missed).toMatchObject({ ok: false, issues: [{ path: ['env'] }] })
  })

  test('input and output sides are told apart', () => {
    const schema = z.object({ n: z.number().default(1) })
    expect(compileSchema(schema, 'input').json).not.toHaveProperty('required')
    expect(compileSchema(schema, 'output').json).toHaveProperty('required', ['n'])
  })

  test('transforms apply, and a promise comes only where the schema needs one', async () => {
    const sync = compileSchema(z.object({ s: z.string().transform(Number) }), 'input')
    expect(sync.validate({ s: '7' })).toEqual({ ok: true, value: { s: 7 } })
    const late = compileSchema(z.object({ s: z.string().refine(async (s) => Promise.resolve(s !== 'x')) }), 'input')
    await expect(late.validate({ s: 'x' })).resolves.toMatchObject({ ok: false })
  })

  test('a recursive schema is taken', async () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree)
      },
    })
    expect(await validate(tree, { name: 'a', children: [{ name: 'b', children: [] }] })).toMatchObject({ ok: true })
    expect(await issues(tree, { name: 'a', children: [{ name: 'b' }] })).toContain('children[0].children')
  })

  test('what a library cannot say is refused at once, with its reason', () => {
    expect(refusal(z.object({ d: z.date() }))).toMatch(/zod cannot say it in JSON Schema: .*Date/)
    expect(refusal(z.object({ s: z.string().transform(Number) }), 'output')).toMatch(/zod cannot say it/)
  })

  test('a library without JSON Schema is refused with advice', () => {
    expect(refusal(v.object({ a: v.string() }))).toContain('toStandardJsonSchema')
    expect(refusal({ '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } })).toContain('zod 4.2')
    expect(refusal({ '~standard': { version: 1, vendor: 'own', validate: () => ({ value: 1 }) } })).toContain('own')
  })

  test('what is no schema at all is refused', () => {
    for (const schema of [null, 'object', 7, [], new Date()]) expect(refusal(schema)).toMatch(/neither/)
  })
})

describe('plain JSON Schema', () => {
  test('validates, and says all that is wrong', async () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'string' },
        list: { type: 'array', items: { enum: ['x', 'y'] } },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    }
    expect(await validate(schema, { a: '', b: 1 })).toMatchObject({ ok: false })
    const text = await issues(schema, { a: 1, list: ['z'], more: 1 })
    expect(text).toContain("must have required property 'b'")
    expect(text).toContain('a: must be string')
    expect(text).toContain('list[0]: must be one of ["x","y"]')
    expect(text).toContain('has the unknown property "more"')
  })

  test('gives the first issue alone of a large value', async () => {
    const schema = inside({ type: 'array', items: { type: 'string' } })
    const validated = await validate(schema, { a: new Array<number>(5_000).fill(1) })
    expect(validated).toMatchObject({ ok: false })
    expect(validated.ok ? [] : validated.issues).toHaveLength(1)
  })

  test('is copied: what the author does to it later changes nothing', async () => {
    const schema = inside({ type: 'string' })
    const compiled = compileSchema(schema, 'input')
    Object.assign(schema.properties.a, { type: 'number' })
    expect(compiled.json['properties']).toEqual({ a: { type: 'string' } })
    expect(await compiled.validate({ a: 'x' })).toMatchObject({ ok: true })
  })

  test('names of Object.prototype are ordinary property names', async () => {
    const schema = { type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] }
    expect(await issues(schema, {})).toContain("required property 'toString'")
    expect(await validate(schema, { toString: 1 })).toMatchObject({ ok: true })
    expect(await issues(inside({}), JSON.parse('{"__proto__":{"a":1}}'))).toBe('')
  })

  test('a property named __proto__ is a property like any other, in schema and value', async () => {
    const parse = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
    const schema = parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
    )
    const { json, validate: check } = compileSchema(schema, 'input')
    expect(JSON.stringify(json)).toBe(JSON.stringify(schema))
    // More values than are checked before a schema is compiled.
    for (let n = 0; n < 40; n++) {
      expect(await check(parse('{"__proto__":"x"}'))).toMatchObject({ ok: true })
      expect(await check(parse('{"__proto__":{"polluted":true}}'))).toMatchObject({
        ok: false,
        issues: [{ path: ['__proto__'] }],
      })
      expect(await check({})).toMatchObject({ ok: false })
    }
    expect('polluted' in {}).toBe(false)
    const closed = { type: 'object', additionalProperties: false }
    expect(await issues(closed, parse('{"__proto__":1}'))).toContain('__proto__')
    expect(await issues({ ...closed, patternProperties: { '^_': { type: 'number' } } }, parse('{"__proto__":1}'))).toBe(
      '',
    )
    expect(
      await issues({ type: 'object', additionalProperties: { type: 'string' } }, parse('{"__proto__":1}')),
    ).not.toBe('')
  })

  test('format is an annotation', async () => {
    expect(await validate(inside({ type: 'string', format: 'email' }), { a: 'no' })).toMatchObject({ ok: true })
  })

  test('a regular expression that has no Unicode form is taken as it is', async () => {
    const schema = inside({ type: 'string', pattern: '^[\\w-.]+$' })
    expect(await validate(schema, { a: 'a-b.c' })).toMatchObject({ ok: true })
    expect(await validate(schema, { a: '!' })).toMatchObject({ ok: false })
  })
})

describe('the root of an input', () => {
  test('of an object stays as it is, extra keywords too', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false, 'x-own': [1] }
    expect(compileSchema(schema, 'input').json).toEqual(schema)
  })

  test('a union of objects is given the type', async () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })])
    const { json } = compileSchema(schema, 'input')
    expect(Object.keys(json)).toEqual(['type', 'anyOf'])
    expect(json['type']).toBe('object')
    expect(compileSchema(z.discriminatedUnion('k', [z.object({ k: z.literal(1) })]), 'input').json).toMatchObject({
      type: 'object',
      oneOf: [{ type: 'object' }],
    })
    expect(await validate(schema, { b: 1 })).toEqual({ ok: true, value: { b: 1 } })
  })

  test('without a type, or with several, it becomes object', () => {
    expect(compileSchema({}, 'input').json).toEqual({ type: 'object' })
    expect(compileSchema({ type: ['object', 'null'] }, 'input').json).toEqual({ type: 'object' })
    expect(
      compileSchema(z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })), 'input').json,
    ).toMatchObject({
      type: 'object',
    })
  })

  test('that no object can fit is refused', () => {
    for (const schema of [
      z.string(),
      z.union([z.string(), z.number()]),
      { type: 'array' },
      { enum: ['a'] },
      { const: 1 },
    ]) {
      expect(refusal(schema)).toContain('the root of an input must be an object')
      expect(refusal(schema)).toContain('Give what it holds a name: z.object({')
    }
    expect(refusal(z.string())).toContain('not of the type "string"')
  })

  test('of an output may be anything', async () => {
    for (const [schema, value] of [
      [z.array(z.string()), ['a']],
      [z.number(), 1],
      [{ type: 'null' }, null],
    ] as const) {
      expect(await compileSchema(schema, 'output').validate(value)).toEqual({ ok: true, value })
    }
  })
})

describe('rules of the specification', () => {
  test('spec basic/index: a schema without $schema is 2020-12', async () => {
    const schema = inside({ prefixItems: [{ type: 'string' }], items: false, type: 'array' })
    expect(await validate(schema, { a: ['x'] })).toMatchObject({ ok: true })
    expect(await validate(schema, { a: ['x', 1] })).toMatchObject({ ok: false })
    expect(
      await validate({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' }, { a: [1] }),
    ).toMatchObject({
      ok: false,
    })
  })

  test('spec basic/index: a schema of another dialect is validated by that, or refused saying so', async () => {
    const schema = {
      ...inside({ type: 'array', items: [{ type: 'string' }], additionalItems: false }),
      $schema: 'http://json-schema.org/draft-07/schema#',
    }
    expect(compileSchema(schema, 'input').json['$schema']).toBe(schema.$schema)
    expect(await validate(schema, { a: ['x'] })).toMatchObject({ ok: true })
    expect(await validate(schema, { a: ['x', 'y'] })).toMatchObject({ ok: false })
    for (const $schema of ['http://json-schema.org/draft-04/schema#', 'https://example.com/own', 7, '']) {
      expect(refusal({ type: 'object', $schema })).toMatch(/dialect .* is not supported/)
    }
  })

  test.each<[string, object, string]>([
    ['type', { type: 'text' }, '#/properties/a/type must be one or several of'],
    ['type, twice', { type: ['string', 'string'] }, '#/properties/a/type'],
    ['properties', { properties: [] }, '#/properties/a/properties must be an object of schemas'],
    ['a property', { properties: { 'b/c': 1 } }, '#/properties/a/properties/b~1c must be a schema'],
    ['required', { required: 'b' }, '#/properties/a/required must be an array of different strings'],
    ['anyOf', { anyOf: [] }, '#/properties/a/anyOf must be an array of schemas, not empty'],
    ['pattern', { pattern: '(' }, '#/properties/a/pattern must be a regular expression'],
    ['patternProperties', { patternProperties: { '(': {} } }, 'whose keys are regular expressions'],
    ['minLength', { minLength: -1 }, '#/properties/a/minLength must be a whole number'],
    ['multipleOf', { multipleOf: 0 }, '#/properties/a/multipleOf must be a number above 0'],
    ['enum', { enum: 'a' }, '#/properties/a/enum must be an array'],
    [
      'items, a list',
      { items: [{ type: 'string' }] },
      '#/properties/a/items must be a schema: a list of them is called prefixItems',
    ],
    ['$anchor, twice', { allOf: [{ $anchor: 'q' }, { $anchor: 'q' }] }, '/$anchor "q" stands twice'],
    ['items', { items: 'string' }, '#/properties/a/items must be a schema'],
    ['enum, empty', { enum: [] }, '#/properties/a/enum must be an array that is not empty'],
    ['$ref', { $ref: 1 }, '#/properties/a/$ref must be a string'],
  ])('spec basic/index: a schema is valid in its dialect: %s', (_what, keyword, message) => {
    expect(refusal(inside(keyword))).toContain(message)
  })

  test.each<[string, object, string]>([
    ['numbers', { minimum: 2, maximum: 1 }, 'minimum (2) and maximum (1) leave no value'],
    ['an open range', { exclusiveMinimum: 1, maximum: 1 }, 'exclusiveMinimum (1) and maximum (1)'],
    ['an open range above', { minimum: 1, exclusiveMaximum: 1 }, 'minimum (1) and exclusiveMaximum (1)'],
    ['a range open on both sides', { exclusiveMinimum: 1, exclusiveMaximum: 1 }, 'exclusiveMinimum (1)'],
    ['lengths', { minLength: 2, maxLength: 1 }, 'minLength (2) and maxLength (1)'],
    ['items', { minItems: 2, maxItems: 1 }, 'minItems (2) and maxItems (1)'],
    ['properties', { minProperties: 2, maxProperties: 1 }, 'minProperties (2) and maxProperties (1)'],
    ['contained items', { contains: true, minContains: 2, maxContains: 1 }, 'minContains (2) and maxContains (1)'],
    ['what is required and barred', { required: ['b'], additionalProperties: false }, '"b" is required'],
  ])('a schema that contradicts itself is refused: %s', (_what, keywords, message) => {
    for (const place of [inside(keywords), inside({ items: keywords }), inside({ anyOf: [keywords] })]) {
      expect(refusal(place)).toMatch(/nothing fits #\/properties\/a/)
      expect(refusal(place)).toContain(message)
    }
    if (!('contains' in keywords)) expect(refusal(z.object({ a: z.any().meta({ ...keywords }) }))).toContain(message)
  })

  test('ranges of one value are taken', () => {
    for (const keywords of [
      { minimum: 1, maximum: 1 },
      { minLength: 0, maxLength: 0 },
      { exclusiveMinimum: 0, exclusiveMaximum: 1 },
      { required: ['b'], patternProperties: { '^b': {} }, additionalProperties: false },
    ]) {
      expect(compileSchema(inside(keywords), 'input').json).toEqual(inside(keywords))
    }
  })

  test('a choice that stands twice is refused where an author wrote it, not where a library did', async () => {
    for (const choices of [
      ['a', 'b', 'a'],
      [0, -0],
      [{ b: 1 }, { b: 1 }],
    ]) {
      expect(refusal(inside({ enum: choices }))).toMatch(/#\/properties\/a\/enum has .+ twice/)
    }
    expect(compileSchema(inside({ enum: ['1', 1, true, null] }), 'input').json).toBeDefined()
    const aliased = z.object({ a: z.enum({ Live: 'prod', Production: 'prod', Staging: 'stag' }) })
    expect(await validate(aliased, { a: 'prod' })).toMatchObject({ ok: true })
  })

  test.each(['https', 'http'])('an $id of JSON Schema itself is refused, by %s, wherever it stands', (scheme) => {
    for (const name of ['draft/2020-12/schema', 'draft/2020-12/meta/core', 'draft-07/schema', 'draft-07/schema#']) {
      const $id = `${scheme}://json-schema.org/${name}`
      const $schema = 'http://json-schema.org/draft-07/schema#'
      expect(refusal({ type: 'object', $id })).toContain('#/$id')
      expect(refusal({ type: 'object', $schema, $id })).toContain("is the name of JSON Schema's own")
      expect(refusal(inside({ $id, type: 'string' }))).toContain('#/properties/a/$id')
    }
  })

  test('an $id that stands twice is refused, and one of two tools is not', async () => {
    const named = { $id: 'https://example.com/a', type: 'string' }
    expect(refusal({ type: 'object', properties: { a: named, b: { ...named } } })).toContain('stands twice')
    for (const type of ['string', 'number']) {
      const check = compileSchema({ ...inside({ type }), $id: 'https://example.com/tool' }, 'input')
      expect(await check.validate({ a: type === 'string' ? 'x' : 1 })).toMatchObject({ ok: true })
      expect(await check.validate({ a: true })).toMatchObject({ ok: false })
    }
  })

  test.each<[string, unknown, string]>([
    ['a function', String, 'is a function'],
    ['a symbol', Symbol('s'), 'is a symbol'],
    ['a date', new Date(0), 'an instance of Date'],
    ['a regular expression', /a/, 'an instance of RegExp'],
    ['a map', new Map([['type', 'string']]), 'an instance of Map'],
    ['a URL', new URL('https://example.com/'), 'an instance of URL'],
    ['an instance of a class', new (class Text {})(), 'an instance of Text'],
    ['a schema of a library', z.string(), 'an instance of ZodString'],
    ['a bigint', 1n, 'a bigint'],
    ['NaN', NaN, 'NaN'],
    ['undefined in a list', [undefined], 'is undefined'],
  ])('what is no JSON is refused wherever it stands in a plain schema: %s', (_what, value, message) => {
    expect(refusal(inside({ default: value }))).toContain(message)
    expect(refusal(inside({ default: value }))).toContain('schema.properties.a.default')
    expect(refusal(inside({ enum: [{ b: value }] }))).toContain(message)
    expect(refusal({ type: 'object', properties: { a: value, b: value } })).toContain('schema.properties.a')
    expect(refusal({ type: 'object', properties: value })).toMatch(/schema\.properties|#\/properties/)
  })

  test('what is undefined is not there, and functions in the metadata of a library are left out', () => {
    expect(compileSchema(inside({ type: 'string', title: undefined }), 'input').json).toEqual(
      inside({ type: 'string' }),
    )
    const schema = z.object({ a: z.string().meta({ title: 'A', render: () => 'x' }) })
    expect(compileSchema(schema, 'input').json['properties']).toEqual({ a: { type: 'string', title: 'A' } })
    const nested = inside(z.toJSONSchema(z.object({ b: z.string() })))
    expect(compileSchema(nested, 'input').json['properties']).toMatchObject({ a: { type: 'object' } })
  })

  test('what only looks like a schema, in enum, const, default and examples, is left alone', () => {
    const value = { type: 'text', $ref: 'http://example.com/' }
    const schema = inside({ enum: [value], const: value, default: value, examples: [value], 'x-own': value })
    expect(compileSchema(schema, 'input').json).toEqual(schema)
  })

  test('spec basic/index: a reference to a network address is never followed, and refused', () => {
    for (const $ref of [
      'https://example.com/schema.json',
      'http://127.0.0.1/#/a',
      'other.json',
      '//host/x',
      'file:///etc/passwd',
    ]) {
      expect(refusal(inside({ $ref }))).toMatch(
        /#\/properties\/a\/\$ref .* leads outside the schema; nothing is fetched/,
      )
    }
    expect(refusal(inside({ $dynamicRef: 'https://example.com/#x' }))).toMatch(/leads outside/)
  })

  test('spec basic/index: a reference that leads nowhere is refused', () => {
    for (const $ref of ['#/$defs/none', '#none', '#/properties/b', '#/type', '#/properties/__proto__']) {
      expect(refusal(inside({ $ref }))).toMatch(/leads (nowhere|to what is no schema)/)
    }
  })

  test('references inside the schema are taken: pointers, anchors, embedded ids', async () => {
    const schema = {
      type: 'object',
      properties: {
        pointer: { $ref: '#/$defs/a~1b' },
        anchor: { $ref: '#here' },
        embedded: { $ref: 'https://example.com/inner' },
        fragment: { $ref: 'https://example.com/inner#/$defs/deep' },
        root: { $ref: '#' },
      },
      $defs: {
        'a/b': { type: 'string' },
        c: { $anchor: 'here', type: 'number' },
        d: { $id: 'https://example.com/inner', type: 'boolean', $defs: { deep: { type: 'null' } } },
      },
    }
    const good = { pointer: 's', anchor: 1, embedded: true, fragment: null, root: { anchor: 2 } }
    expect(await validate(schema, good)).toMatchObject({ ok: true })
    for (const key of Object.keys(good))
      expect(await validate(schema, { ...good, [key]: [] })).toMatchObject({ ok: false })
  })

  test.each<[string, object]>([
    ['two references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['the root itself', { allOf: [{ $ref: '#' }] }],
    ['a union that usually ends', { anyOf: [{ type: 'string' }, { $ref: '#' }] }],
    ['an anchor', { $anchor: 'here', not: { $ref: '#here' } }],
    ['an id', { $id: 'https://example.com/a', if: { $ref: 'https://example.com/a' } }],
    ['a dynamic reference', { $dynamicAnchor: 'node', oneOf: [{ $dynamicRef: '#node' }] }],
    ['what only a reference makes a schema', { $ref: '#/x-kept/a', 'x-kept': { a: { $ref: '#/x-kept/a' } } }],
    ['a definition nothing leads to', { $defs: { a: { dependentSchemas: { x: { $ref: '#/$defs/a' } } } } }],
  ])('spec basic/index: a circle that goes into no part of the value is refused: %s', (_what, schema) => {
    expect(refusal({ type: 'object', ...schema })).toMatch(/leads in a circle .*: #.* → #/)
  })

  test('trees, lists and the like go into the value, and are taken', async () => {
    const tree = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        kids: { type: 'array', items: { $ref: '#' } },
        next: { $ref: '#/$defs/n' },
      },
      $defs: { n: { anyOf: [{ type: 'null' }, { $ref: '#' }] }, same: { allOf: [{ $ref: '#/$defs/n' }] } },
      required: ['name'],
    }
    const good = { name: 'a', kids: [{ name: 'b', kids: [] }], next: { name: 'c', next: null } }
    expect(await validate(tree, good)).toMatchObject({ ok: true })
    expect(await validate(tree, { ...good, next: { kids: [] } })).toMatchObject({ ok: false })
  })

  test.each([{ $async: true }, { nullable: true, type: 'object' }, { id: 'https://example.com/a' }])(
    'what is no JSON Schema but would switch something in an engine is refused: %j',
    (schema) => {
      const [keyword] = Object.keys(schema)
      for (const place of [schema, { properties: { a: schema } }, { $ref: '#/x', x: schema }]) {
        expect(refusal({ type: 'object', ...place })).toContain(`/${keyword} is no keyword`)
      }
      compileSchema({ type: 'object', properties: { [String(keyword)]: {} }, required: [String(keyword)] }, 'input')
    },
  )

  test.each(['properties', 'patternProperties', 'dependentSchemas', 'anyOf', 'allOf', 'prefixItems'])(
    'a schema with very many %s is not compiled, which would take seconds',
    async (keyword) => {
      const list = Array.from({ length: 600 }, (_, n): [string, object] => [`p${n}`, { maxLength: 3 }])
      const parts =
        keyword.endsWith('Of') || keyword === 'prefixItems' ? list.map(([, one]) => one) : Object.fromEntries(list)
      const { default: Ajv } = createRequire(import.meta.url)('ajv/dist/2020.js') as { default: typeof Ajv2020 }
      const compile = vi.spyOn(Ajv.prototype, 'compile')
      const { validate: check } = compileSchema({ type: 'object', properties: { a: { [keyword]: parts } } }, 'input')
      for (let n = 0; n < 20; n++) expect(await check({ a: {} })).toMatchObject({ ok: true })
      expect(compile).not.toHaveBeenCalled()
      compile.mockRestore()
    },
  )

  test('a schema with very many properties is made ready once, and its first values are judged like the later ones', async () => {
    const properties = Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`p${n}`, { type: 'string' }]))
    const { validate: check } = compileSchema({ type: 'object', properties, additionalProperties: false }, 'input')
    const { default: Ajv } = createRequire(import.meta.url)('ajv/dist/2020.js') as { default: typeof Ajv2020 }
    const compile = vi.spyOn(Ajv.prototype, 'compile')
    for (let n = 0; n < 40; n++) {
      expect(await check({ p7: 'a' })).toMatchObject({ ok: true })
      expect(await check({ p7: 1 })).toMatchObject({ ok: false, issues: [{ path: ['p7'] }] })
    }
    expect(compile.mock.calls.length).toBeLessThan(2)
    compile.mockRestore()
  })

  test('spec basic/index: the depth and the number of schemas are bounded', () => {
    let deep: object = { type: 'string' }
    for (let level = 0; level <= SCHEMA_LIMITS.depth; level++) deep = { not: deep }
    expect(refusal(inside(deep))).toMatch(/schemas deep/)
    const many = Object.fromEntries(Array.from({ length: SCHEMA_LIMITS.subschemas }, (_, n) => [`p${n}`, {}]))
    expect(refusal({ type: 'object', properties: many })).toMatch(/more than 5000 schemas/)
    const loop: Record<string, unknown> = {}
    loop['not'] = loop
    expect(refusal({ type: 'object', properties: { loop } })).toMatch(/circular/)
  })
})
