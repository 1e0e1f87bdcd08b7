import { describe, expect, test } from 'vitest'
import { embeddedProblem } from './embedded-check.ts'
import { normalizeInputRequests } from './input-requests.ts'

const problem = (method: string, params?: unknown): string | undefined => {
  const entry = normalizeInputRequests({ a: { method, params } })['a']
  return entry && embeddedProblem(entry)
}
const form = (property: object, more: object = {}) => ({
  message: 'Which?',
  requestedSchema: { type: 'object', properties: { a: property } },
  ...more,
})
const ask = (property: object, more?: object) => problem('elicitation/create', form(property, more))
const message = { role: 'user', content: { type: 'text', text: 'Hello' } }

describe('spec basic/patterns/mrtr: what an author writes out is what its method takes', () => {
  test.each<[string, unknown, RegExp]>([
    ['no params', undefined, /needs params/],
    ['no message', { ...form({ type: 'string' }), message: undefined }, /needs a message/],
    ['no schema', { message: 'Which?' }, /needs a requestedSchema/],
    ['a schema of no object', { message: 'Which?', requestedSchema: { type: 'string' } }, /of the type object/],
    ['a schema without properties', { message: 'Which?', requestedSchema: { type: 'object' } }, /with properties/],
    [
      'properties that are a list',
      { message: 'Which?', requestedSchema: { type: 'object', properties: [] } },
      /properties/,
    ],
    ['another mode', form({ type: 'string' }, { mode: 'page' }), /form or url/],
    ['a URL that is none', { mode: 'url', message: 'Pay', url: '/pay' }, /valid URL/],
    ['a URL that is missing', { mode: 'url', message: 'Pay' }, /valid URL/],
    ['a URL without a message', { mode: 'url', url: 'https://example.com/' }, /needs a message/],
    ['a nested object', form({ type: 'object', properties: {} }), /type of its property "a"/],
    ['no type', form({}), /type of its property "a"/],
    ['a list of texts', form({ type: 'array', items: { type: 'string' } }), /items of its property "a"/],
    ['a pattern', form({ type: 'string', pattern: 'x' }), /pattern of its property "a"/],
    [
      'lengths that contradict',
      form({ type: 'string', minLength: 2, maxLength: 1 }),
      /minLength \(2\) and maxLength \(1\)/,
    ],
    ['bounds that contradict', form({ type: 'number', minimum: 2, maximum: 1 }), /minimum \(2\) and maximum \(1\)/],
    [
      'counts that contradict',
      form({ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 2, maxItems: 1 }),
      /minItems \(2\) and maxItems \(1\)/,
    ],
    [
      'more choices than there are',
      form({ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 2 }),
      /minItems of its property "a": there are only 1/,
    ],
    ['a choice twice', form({ type: 'string', enum: ['a', 'a'] }), /"a" twice/],
    ['a default that does not fit', form({ type: 'string', enum: ['a'], default: 'b' }), /default of its property "a"/],
    [
      'a required property that is none',
      { message: 'x', requestedSchema: { type: 'object', properties: {}, required: ['b'] } },
      /required/,
    ],
    [
      'choices without a type',
      form({ enum: ['a', 'b'] }),
      /type of the property "a".+write it as \{"type":"string","enum"/,
    ],
    ['a constant', form({ type: 'string', const: 'a' }), /const of the property "a"/],
    [
      'a union of constants',
      form({ type: 'string', anyOf: [{ const: 'a', title: 'A' }] }),
      /anyOf of the property "a".+oneOf/,
    ],
    [
      'a reference',
      form(
        { $ref: '#/$defs/a' },
        {
          requestedSchema: {
            type: 'object',
            properties: { a: { $ref: '#/$defs/a' } },
            $defs: { a: { type: 'string' } },
          },
        },
      ),
      /\$ref of the property "a"/,
    ],
    ['an open range', form({ type: 'integer', exclusiveMinimum: 1 }), /exclusiveMinimum of the property "a"/],
  ])('elicitation/create with %s is refused', (_what, params, told) => {
    expect(problem('elicitation/create', params)).toMatch(told)
  })

  test.each<[string, object]>([
    ['a text', { type: 'string', title: 'A', description: 'B', minLength: 1, maxLength: 2, default: 'x' }],
    ['a format with its pattern', { type: 'string', format: 'email', pattern: '@' }],
    ['a number', { type: 'number', minimum: 0, maximum: 1, default: 0.5 }],
    ['a whole number as zod writes it', { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }],
    ['yes or no', { type: 'boolean', default: true }],
    ['one of several', { type: 'string', enum: ['a', 'b'], default: 'b' }],
    ['one of several with titles', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
    ['titles as 2025-06-18 has them', { type: 'string', enum: ['a'], enumNames: ['A'] }],
    ['several', { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 5 }],
    ['several with titles', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }],
    ['what a client may know', { type: 'string', 'x-widget': 'big' }],
  ])('elicitation/create with %s is taken', (_what, property) => {
    for (const mode of [undefined, 'form']) expect(ask(property, { mode })).toBeUndefined()
  })

  test('elicitation/create with a URL is taken', () => {
    expect(problem('elicitation/create', { mode: 'url', message: 'Pay', url: 'https://example.com/' })).toBeUndefined()
  })

  test.each<[string, unknown, RegExp]>([
    ['no params', undefined, /params must be an object/],
    ['no messages', { maxTokens: 1 }, /messages must be an array/],
    ['no limit', { messages: [message] }, /maxTokens is required/],
    ['a message of another role', { messages: [{ ...message, role: 'system' }], maxTokens: 1 }, /messages\[0\]/],
    ['a text in place of a block', { messages: [{ role: 'user', content: 'Hello' }], maxTokens: 1 }, /messages\[0\]/],
  ])('sampling/createMessage with %s is refused', (_what, params, told) => {
    expect(problem('sampling/createMessage', params)).toMatch(told)
  })

  test('sampling/createMessage with messages and a limit is taken', () => {
    expect(problem('sampling/createMessage', { messages: [message], maxTokens: 1 })).toBeUndefined()
  })

  test('roots/list takes _meta that is an object, and nothing', () => {
    expect(problem('roots/list', { _meta: 'x' })).toMatch(/_meta must be an object/)
    for (const params of [undefined, {}, { _meta: {} }]) expect(problem('roots/list', params)).toBeUndefined()
  })
})
