import { describe, expect, test } from 'vitest'
import { toolArguments } from './tool-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    share: { type: 'number' },
    yes: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    deep: { type: 'object' },
    level: { enum: ['low', 1, true] },
    maybe: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    free: {},
  },
  additionalProperties: false,
}

const read = (...pairs: string[]) => toolArguments({ pairs, json: undefined }, schema)

describe('a value is read as its schema types it', () => {
  test.each<[string, unknown]>([
    ['text=5', { text: '5' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=true', { text: 'true' }],
    ['count=5', { count: 5 }],
    ['share=-0.5', { share: -0.5 }],
    ['yes=true', { yes: true }],
    ['yes=no', { yes: false }],
    ['tags=one', { tags: ['one'] }],
    ['tags=["one","two"]', { tags: ['one', 'two'] }],
    ['sizes=4', { sizes: [4] }],
    ['deep={"a":1}', { deep: { a: 1 } }],
    ['level=low', { level: 'low' }],
    ['level=1', { level: 1 }],
    ['maybe=null', { maybe: null }],
    ['maybe=x', { maybe: 'x' }],
    ['either=5', { either: 5 }],
    ['either=five', { either: 'five' }],
    ['free=5', { free: 5 }],
    ['free=five', { free: 'five' }],
    ['free=null', { free: null }],
  ])('%s', (pair, expected) => {
    expect(read(pair)).toEqual(expected)
  })

  test('a key given several times is a list', () => {
    expect(read('tags=one', 'tags=two', 'sizes=1', 'sizes=2')).toEqual({ tags: ['one', 'two'], sizes: [1, 2] })
  })

  test('in the parts of a union', () => {
    const union = {
      type: 'object',
      oneOf: [{ properties: { a: { type: 'number' } } }, { properties: { b: { type: 'string' } } }],
    }
    expect(toolArguments({ pairs: ['a=1', 'b=1', 'c=1'], json: undefined }, union)).toEqual({ a: 1, b: '1', c: 1 })
  })
})

describe('what cannot be read is refused in plain words', () => {
  test.each([
    ['count=five', 'Argument "count" must be integer, not "five".'],
    ['yes=maybe', 'Argument "yes" must be boolean, not "maybe".'],
    ['deep=x', 'Argument "deep" must be object, not "x".'],
    ['novalue', '--arg takes key=value, not "novalue".'],
    ['=x', '--arg takes key=value, not "=x".'],
    ['other=1', 'The tool has no argument "other".'],
  ])('%s', (pair, message) => {
    expect(() => read(pair)).toThrow(message)
  })

  test('a text given twice', () => {
    expect(() => read('text=a', 'text=b')).toThrow('Argument "text" is given 2 times and is not a list.')
  })

  test.each(['[1]', '"x"', 'null', '{'])('--args %s', (json) => {
    expect(() => toolArguments({ pairs: [], json }, schema)).toThrow('--args takes a JSON object.')
  })
})

describe('names are checked alike in --arg and in --args', () => {
  const named = { type: 'object', properties: { env: { type: 'string' } } }
  const ways: readonly [string, (schema: Record<string, unknown>) => unknown][] = [
    ['--arg', (schema) => toolArguments({ pairs: ['other=x'], json: undefined }, schema)],
    ['--args', (schema) => toolArguments({ pairs: [], json: '{"other":"x"}' }, schema)],
  ]
  describe.each(ways)('%s', (_way, give) => {
    test.each([named, { ...named, additionalProperties: false }])('refused by %j', (closed) => {
      expect(() => give(closed)).toThrow('The tool has no argument "other".')
    })

    test.each([
      { type: 'object' },
      { ...named, additionalProperties: true },
      { ...named, additionalProperties: { type: 'string' } },
      { ...named, patternProperties: { '^o': {} }, additionalProperties: false },
      { ...named, anyOf: [{ properties: { other: { type: 'string' } } }] },
    ])('welcome in %j', (open) => {
      expect(give(open)).toEqual({ other: 'x' })
    })
  })
})

test('pairs go over --args, and names of the prototype are ordinary keys', () => {
  const open = { type: 'object' }
  const json = '{"a":1,"b":2,"__proto__":{"x":1}}'
  const args = toolArguments({ pairs: ['b=3', 'constructor=4'], json }, open)
  expect(JSON.stringify(args)).toBe('{"a":1,"b":3,"__proto__":{"x":1},"constructor":4}')
})
