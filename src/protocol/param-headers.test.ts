import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { decodeHeaderValue, encodeHeaderValue, mirroredText, paramHeaders } from './param-headers.ts'

const marked = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const refusal = (schema: object): string => {
  try {
    paramHeaders(schema)
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('not refused')
}

describe('paramHeaders', () => {
  test('finds marks at any depth of properties', () => {
    const schema = object({
      region: marked('Region'),
      query: { type: 'string' },
      where: object({ zone: object({ id: marked('zone-id', 'integer') }), dry: marked('Dry', 'boolean') }),
    })
    expect(paramHeaders(schema)).toEqual([
      { name: 'Region', path: ['region'], type: 'string' },
      { name: 'zone-id', path: ['where', 'zone', 'id'], type: 'integer' },
      { name: 'Dry', path: ['where', 'dry'], type: 'boolean' },
    ])
    expect(paramHeaders(object({}))).toEqual([])
  })

  test('spec basic/transports/streamable-http: a header name is not empty, and a token', () => {
    for (const name of ['', ' ', 'a b', 'a:b', 'é', 'a/b', 'a"b', 'a(b)', 7, null, {}, ['a']]) {
      expect(refusal(object({ a: marked(name) }))).toContain('must be a header name')
    }
    expect(paramHeaders(object({ a: marked("!#$%&'*+-.^_`|~09azAZ") }))).toHaveLength(1)
  })

  test('spec basic/transports/streamable-http: a header name has no control characters', () => {
    for (const name of ['a\r', 'a\nb', '\0', 'a\u007f', 'a\t']) {
      expect(refusal(object({ a: marked(name) }))).toContain('must be a header name')
    }
  })

  test('spec basic/transports/streamable-http: header names are unique without case', () => {
    expect(refusal(object({ a: marked('Region'), b: object({ c: marked('REGION') }) }))).toContain(
      'has the same x-mcp-header as a',
    )
  })

  test('spec basic/transports/streamable-http: only string, integer and boolean parameters', () => {
    for (const type of ['number', 'object', 'array', 'null', null, ['string'], ['string', 'null']]) {
      expect(refusal(object({ a: marked('A', type) }))).toMatch(/needs the type string, integer or boolean/)
    }
    expect(refusal(object({ a: { 'x-mcp-header': 'A', enum: ['x'] } }))).toMatch(/needs the type/)
  })

  test.each<[string, object]>([
    ['the root', { ...object({}), 'x-mcp-header': 'A' }],
    ['items', object({ a: { type: 'array', items: marked('A') } })],
    ['prefixItems', object({ a: { type: 'array', prefixItems: [marked('A')] } })],
    ['oneOf', object({ a: { oneOf: [marked('A')] } })],
    ['anyOf', object({}, { anyOf: [object({ a: marked('A') })] })],
    ['allOf', object({}, { allOf: [object({ a: marked('A') })] })],
    ['not', object({ a: { not: marked('A') } })],
    ['if', object({}, { if: object({ a: marked('A') }) })],
    ['then', object({}, { then: object({ a: marked('A') }) })],
    ['else', object({}, { else: object({ a: marked('A') }) })],
    ['$defs, where $ref leads', object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: marked('A') } })],
    ['additionalProperties', object({}, { additionalProperties: marked('A') })],
    ['patternProperties', object({}, { patternProperties: { a: marked('A') } })],
    ['properties below items', object({ a: { type: 'array', items: object({ b: marked('A') }) } })],
  ])(
    'spec basic/transports/streamable-http: a mark must be reached by properties alone: not in %s',
    (_where, schema) => {
      expect(refusal(schema)).toContain('reached by properties alone')
    },
  )

  test('a property may be called like a keyword, and data is no mark', () => {
    expect(paramHeaders(object({ items: object({ oneOf: marked('A') }), 'x-mcp-header': { type: 'string' } }))).toEqual(
      [{ name: 'A', path: ['items', 'oneOf'], type: 'string' }],
    )
    expect(paramHeaders(object({ a: { default: marked('A'), enum: [marked('B')], const: marked('C') } }))).toEqual([])
  })

  test('a schema from a peer is not followed for ever', () => {
    let deep: object = marked('A')
    for (let level = 0; level < 100; level++) deep = object({ a: deep })
    expect(refusal(deep)).toContain('too deep')
  })
})

describe('mirroredText', () => {
  const [zone] = paramHeaders(object({ where: object({ zone: marked('Zone', 'integer') }) }))
  const text = (value: unknown) => mirroredText(zone!, { where: { zone: value } })

  test('spec basic/transports/streamable-http: a value becomes text, null and nothing become no header', () => {
    expect([text('a'), text(42), text(-7), text(true), text(false)]).toEqual(['a', '42', '-7', 'true', 'false'])
    expect([text(null), text(undefined), text({}), text([])]).toEqual([undefined, undefined, undefined, undefined])
    for (const args of [undefined, {}, { where: null }, { where: 'x' }, { zone: 1 }]) {
      expect(mirroredText(zone!, args)).toBeUndefined()
    }
  })

  test('spec basic/transports/streamable-http: a mirrored integer lies within the safe range', () => {
    expect(text(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991')
    for (const value of [2 ** 53, -(2 ** 53), 1e21]) expect(() => text(value)).toThrow(RangeError)
  })
})

describe('header values', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('spec basic/transports/streamable-http: %j is written %s', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header)
    expect(decodeHeaderValue(header)).toEqual({ ok: true, value })
  })

  test.each<[string, string]>([
    ['', ''],
    ['a\tb c', 'a\tb c'],
    ['\t', '=?base64?CQ==?='],
    ['\u007f', '=?base64?fw==?='],
    ['=?base64?=', '=?base64?PT9iYXNlNjQ/PQ==?='],
    ['=?BASE64?YQ==?=', '=?BASE64?YQ==?='],
    ['=?base64?YQ==', '=?base64?YQ=='],
    ['\ufeffa', '=?base64?77u/YQ==?='],
  ])('%j is written %j', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header)
    expect(decodeHeaderValue(header)).toEqual({ ok: true, value })
  })

  test('spec basic/transports/streamable-http: a value of characters that no header may hold is refused', () => {
    for (const raw of ['é', 'a\nb', 'a\rb', '\0', 'a\u007f', '=?base64?é?='])
      expect(decodeHeaderValue(raw)).toEqual({ ok: false })
  })

  test('spec basic/transports/streamable-http: the markers are case-sensitive and exact', () => {
    for (const raw of ['=?Base64?YQ==?=', '=?base64?YQ==?', ' ?base64?YQ==?='.trim()]) {
      expect(decodeHeaderValue(raw)).toEqual({ ok: true, value: raw })
    }
  })

  test('Base64 that can be read in two ways is not read', () => {
    for (const inner of ['YQ', 'YQ=', 'YR==', 'Y Q==', 'YQ==YQ==', '*', '_w==', '/w==', '7aCA', '?', '=']) {
      expect(decodeHeaderValue(`=?base64?${inner}?=`), inner).toEqual({ ok: false })
    }
    expect(decodeHeaderValue('=?base64??=')).toEqual({ ok: true, value: '' })
    expect(decodeHeaderValue(' \t=?base64?YQ==?= ')).toEqual({ ok: true, value: 'a' })
  })

  test('property: what is written is read back, through any header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const header = encodeHeaderValue(value)
        expect(header).toMatch(/^[\x20-\x7e\t]*$/)
        expect(decodeHeaderValue(header)).toEqual({ ok: true, value })
        expect(new Headers({ a: header }).get('a')).toBe(header)
      }),
      { numRuns: 500 },
    )
  })

  test('property: any header is read or refused', () => {
    const near = fc.string().map((inner) => `=?base64?${inner}?=`)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (raw) => {
        expect(typeof decodeHeaderValue(raw).ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
  })
})
