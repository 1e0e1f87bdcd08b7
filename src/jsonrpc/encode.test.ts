import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeError, encodeNotification, encodeRequest, encodeResult } from './encode.ts'
import { parseMessage } from './parse.ts'

describe('encode', () => {
  test('writes what JSON.stringify would', () => {
    expect(encodeResult('a"b', '{"x":1}')).toBe('{"jsonrpc":"2.0","id":"a\\"b","result":{"x":1}}')
    expect(encodeError(1, { code: -1, message: 'm', data: { a: 1 } })).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":{"a":1}}}',
    )
    expect(encodeNotification('n')).toBe('{"jsonrpc":"2.0","method":"n"}')
    expect(encodeRequest(0, 'm', { p: [] })).toBe('{"jsonrpc":"2.0","id":0,"method":"m","params":{"p":[]}}')
  })

  test('spec basic/index: an error leaves the id out when it could not be read', () => {
    expect(encodeError(undefined, { code: -32700, message: 'm' })).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}',
    )
  })

  test('leaves out error data that JSON cannot say', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    for (const data of [1n, loop]) {
      expect(encodeError(1, { code: 1, message: 'm', data })).toBe(
        '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}',
      )
    }
  })

  test('property: what is encoded is parsed back, on one line', () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger())
    const params = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(id, fc.string(), params, (anyId, method, anyParams) => {
        const request = encodeRequest(anyId, method, anyParams)
        expect(parseMessage(request)).toEqual({
          kind: 'request',
          id: anyId === 0 ? 0 : anyId,
          method,
          params: JSON.parse(JSON.stringify(anyParams)) as object,
        })
        expect(request).not.toMatch(/[\n\r]/)
        expect(parseMessage(encodeResult(anyId, JSON.stringify(anyParams))).kind).toBe('response')
        expect(parseMessage(encodeError(anyId, { code: 1, message: method })).kind).toBe('response')
      }),
    )
  })
})
