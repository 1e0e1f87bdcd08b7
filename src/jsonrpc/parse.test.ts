import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PARSE_LIMITS, parseMessage, parseValue } from './parse.ts'

const text = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })
const parse = (message: object) => parseMessage(text(message))

describe('parseMessage', () => {
  test('reads a request', () => {
    expect(parse({ id: 7, method: 'm', params: { a: 1 } })).toEqual({
      kind: 'request',
      id: 7,
      method: 'm',
      params: { a: 1 },
    })
    expect(parse({ id: '7', method: 'm' })).toEqual({ kind: 'request', id: '7', method: 'm', params: undefined })
  })

  test('reads a notification', () => {
    expect(parse({ method: 'm', params: {} })).toEqual({ kind: 'notification', method: 'm', params: {} })
  })

  test('reads a result and an error', () => {
    const result = { jsonrpc: '2.0', id: 1, result: {} }
    expect(parseValue(result)).toEqual({ kind: 'response', response: result })
    const error = { jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'no' } }
    expect(parseValue(error)).toEqual({ kind: 'response', response: error })
  })

  test('takes an error without id, or with null as JSON-RPC 2.0 writes it', () => {
    const response = { jsonrpc: '2.0', error: { code: -32700, message: 'no' } }
    expect(parseValue(response)).toEqual({ kind: 'response', response })
    expect(parseValue({ ...response, id: null })).toEqual({ kind: 'response', response })
  })

  test.each([
    ['no JSON', '{', 'PARSE_ERROR', undefined],
    ['nothing', '', 'PARSE_ERROR', undefined],
    ['a string', '"x"', 'INVALID_REQUEST', undefined],
    ['null', 'null', 'INVALID_REQUEST', undefined],
    ['no version', '{"id":1,"method":"m"}', 'INVALID_REQUEST', 1],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"m"}', 'INVALID_REQUEST', 1],
    ['no method', text({ id: 1 }), 'INVALID_REQUEST', 1],
    ['a number for a method', text({ id: 'a', method: 1 }), 'INVALID_REQUEST', 'a'],
    ['null for a method', text({ id: 'a', method: null }), 'INVALID_REQUEST', 'a'],
    ['params that are an array', text({ id: 1, method: 'm', params: [] }), 'INVALID_REQUEST', 1],
    ['params that are null', text({ id: 1, method: 'm', params: null }), 'INVALID_REQUEST', 1],
    ['params that are a string', text({ method: 'm', params: 'x' }), 'INVALID_REQUEST', undefined],
    ['a method and a result', text({ id: 1, method: 'm', result: {} }), 'INVALID_REQUEST', 1],
    ['a result and an error', text({ id: 1, result: {}, error: { code: 1, message: '' } }), 'INVALID_REQUEST', 1],
    ['a result that is no object', text({ id: 1, result: 1 }), 'INVALID_REQUEST', 1],
    ['a result without id', text({ result: {} }), 'INVALID_REQUEST', undefined],
    ['an error without code', text({ id: 1, error: { message: '' } }), 'INVALID_REQUEST', 1],
    ['an error with a fraction for a code', text({ id: 1, error: { code: 1.5, message: '' } }), 'INVALID_REQUEST', 1],
  ])('refuses %s', (_what, message, code, id) => {
    expect(parseMessage(message)).toMatchObject({ kind: 'invalid', code, ...(id === undefined ? {} : { id }) })
    expect('id' in parseMessage(message)).toBe(id !== undefined)
  })

  test('spec basic/index: a request id is a string or an integer, never null', () => {
    for (const id of [null, 1.5, true, {}, []]) {
      expect(parse({ id, method: 'm' })).toMatchObject({ kind: 'invalid', code: 'INVALID_REQUEST' })
    }
    for (const id of ['', 0, -1, 'é', Number.MAX_SAFE_INTEGER]) expect(parse({ id, method: 'm' })).toMatchObject({ id })
  })

  test('refuses an integer id that a number cannot hold, since it could not be echoed', () => {
    const parsed = parseMessage('{"jsonrpc":"2.0","id":12345678901234567891,"method":"m"}')
    expect(parsed).toMatchObject({ kind: 'invalid', code: 'INVALID_REQUEST' })
    expect(parsed).not.toHaveProperty('id')
  })

  test('spec basic/transports/streamable-http: a batch is told apart and refused', () => {
    expect(parseMessage('[]')).toMatchObject({ kind: 'invalid', code: 'INVALID_REQUEST', array: true })
    expect(parseMessage(`[${text({ id: 1, method: 'm' })}]`)).toMatchObject({ array: true })
  })

  test('keeps __proto__ as a plain member', () => {
    const parsed = parseMessage('{"jsonrpc":"2.0","method":"m","params":{"__proto__":{"x":1}}}')
    if (parsed.kind !== 'notification') throw new Error(parsed.kind)
    expect(Object.keys(parsed.params ?? {})).toEqual(['__proto__'])
    expect((parsed.params as { x?: number }).x).toBeUndefined()
  })

  test('refuses long texts that are nested too deep', () => {
    const deep = (levels: number) =>
      `{"jsonrpc":"2.0","method":"m","params":{"pad":"${'x'.repeat(PARSE_LIMITS.checkedFrom)}","a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    expect(parseMessage(deep(PARSE_LIMITS.depth - 2))).toMatchObject({ kind: 'notification' })
    expect(parseMessage(deep(PARSE_LIMITS.depth - 1))).toMatchObject({ kind: 'invalid', code: 'INVALID_REQUEST' })
    expect(parseMessage(deep(200_000))).toMatchObject({ kind: 'invalid' })
  })

  test('brackets and commas within strings do not count', () => {
    const strings = ['[{,'.repeat(200_000), '\\', '"', '\\"[', '[\\\\"'.repeat(200)]
    expect(parse({ method: 'm', params: { strings } })).toMatchObject({ kind: 'notification', params: { strings } })
  })

  test('refuses long texts of too many values', () => {
    const many = (count: number) => text({ method: 'm', params: { a: new Array<number>(count).fill(0) } })
    expect(parseMessage(many(PARSE_LIMITS.values - 10))).toMatchObject({ kind: 'notification' })
    expect(parseMessage(many(PARSE_LIMITS.values))).toMatchObject({ kind: 'invalid' })
  })
})

describe('property', () => {
  const kinds = ['request', 'notification', 'response', 'invalid']

  test('any text gives a Parsed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (any) => {
        expect(kinds).toContain(parseMessage(any).kind)
      }),
    )
  })

  test('any object near a message gives a Parsed, and only ids that can be echoed', () => {
    const near = fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null), fc.object()),
        method: fc.oneof(fc.string(), fc.integer()),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.oneof(fc.jsonValue(), fc.record({ code: fc.integer(), message: fc.string() })),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(near, (message) => {
        const parsed = parseMessage(JSON.stringify(message))
        expect(kinds).toContain(parsed.kind)
        if ('id' in parsed) expect(JSON.parse(JSON.stringify(parsed.id))).toBe(parsed.id)
      }),
      { numRuns: 500 },
    )
  })
})
