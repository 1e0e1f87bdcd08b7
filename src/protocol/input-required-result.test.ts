import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import {
  InputRequiredResult,
  inputRequired,
  isInputRequired,
  isInputRequiredLiteral,
  type InputRequiredOptions,
} from './input-required-result.ts'
import { ResultType } from './result-type.ts'

const form = {
  method: 'elicitation/create',
  params: { message: 'Why?', requestedSchema: { type: 'object', properties: {} } },
} as const
const roots = { method: 'roots/list' } as const
const make = (options: unknown) => new InputRequiredResult(options as InputRequiredOptions)
const wire = (result: InputRequiredResult): unknown => JSON.parse(JSON.stringify(result))

describe('what it is', () => {
  test('S0.1 a nominal class, told by brand across copies of the module, and made from literals at the seam', async () => {
    const result = inputRequired({ requestState: 's' })
    expect(result).toBeInstanceOf(InputRequiredResult)
    expect(isInputRequired(result)).toBe(true)
    expect(InputRequiredResult.from(result)).toBe(result)

    vi.resetModules()
    const other = await import('./input-required-result.ts')
    const foreign = new other.InputRequiredResult({ inputRequests: { where: roots }, requestState: 's' })
    expect(foreign).not.toBeInstanceOf(InputRequiredResult)
    expect(isInputRequired(foreign)).toBe(true)
    expect(InputRequiredResult.from(foreign)).toBeInstanceOf(InputRequiredResult)
    expect(wire(InputRequiredResult.from(foreign))).toEqual(wire(foreign))

    const literal = { resultType: ResultType.inputRequired, requestState: 's' } as const
    expect(isInputRequired(literal)).toBe(false)
    expect(isInputRequiredLiteral(literal)).toBe(true)
    expect(InputRequiredResult.from(literal)).toBeInstanceOf(InputRequiredResult)
    expect(isInputRequiredLiteral({ content: [] })).toBe(false)
    expect(isInputRequiredLiteral(Object.create(literal))).toBe(false)
    for (const stranger of [undefined, null, 'input_required', 1, [], {}]) {
      expect(isInputRequired(stranger) || isInputRequiredLiteral(stranger)).toBe(false)
    }
  })

  test('S0.13 one of the two fields must be present, in literals too', () => {
    expect(() => new InputRequiredResult()).toThrow(TypeError)
    expect(() => InputRequiredResult.from({ resultType: ResultType.inputRequired })).toThrow(TypeError)
  })

  test('S0.17 both fields are optional, and null and undefined are absent', () => {
    expect(wire(make({ inputRequests: { a: roots } }))).toEqual({
      resultType: 'input_required',
      inputRequests: { a: roots },
    })
    expect(wire(make({ requestState: 's' }))).toEqual({ resultType: 'input_required', requestState: 's' })
    expect(wire(make({ inputRequests: { a: roots }, requestState: 's' }))).toEqual({
      resultType: 'input_required',
      inputRequests: { a: roots },
      requestState: 's',
    })
    for (const absent of [null, undefined]) {
      expect(make({ inputRequests: absent, requestState: 's' }).inputRequests).toBeUndefined()
      expect(make({ inputRequests: { a: roots }, requestState: absent }).requestState).toBeUndefined()
      expect(() => make({ inputRequests: absent, requestState: absent })).toThrow(TypeError)
    }
  })

  test('S0.18 neither field, or an empty map without state, is refused in these words', () => {
    const text = 'at least one of inputRequests or requestState is required'
    for (const options of [
      undefined,
      {},
      { inputRequests: {} },
      { inputRequests: new Map() },
      { inputRequests: null },
    ]) {
      expect(() => make(options)).toThrow(new TypeError(text))
    }
  })

  test('S0.19 a state that is no string is refused, also beside asks', () => {
    for (const requestState of [42, 0, false, {}, [], new String('x'), Buffer.from('x')]) {
      for (const inputRequests of [undefined, {}, { a: roots }]) {
        expect(() => make({ inputRequests, requestState })).toThrow(new TypeError('requestState must be a string'))
      }
    }
    const literal = { resultType: ResultType.inputRequired, inputRequests: { a: roots }, requestState: 42 }
    expect(() => InputRequiredResult.from(literal as never)).toThrow('requestState must be a string')
  })

  test('S0.20 the empty string is a state', () => {
    expect(make({ requestState: '' }).requestState).toBe('')
    expect(wire(make({ requestState: '' }))).toEqual({ resultType: 'input_required', requestState: '' })
  })

  test('S0.21 checks run at construction, where the stack points', () => {
    let caught: unknown
    try {
      make({ inputRequests: { a: { method: 'tools/call' } } })
    } catch (error) {
      caught = error
    }
    expect((caught as Error).stack).toContain('input-required-result.test')
  })

  test('S0.28 the instance, its map and every entry are frozen copies', () => {
    const params = { message: 'Why?', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }
    const inputRequests = { why: { method: 'elicitation/create', params } }
    const result = make({ inputRequests, requestState: 's' })
    const before = JSON.stringify(result)

    params.message = 'changed'
    params.requestedSchema.properties.a.type = 'changed'
    inputRequests.why.method = 'changed'
    Object.assign(inputRequests, { more: roots })
    expect(JSON.stringify(result)).toBe(before)

    const entry = result.inputRequests?.['why']
    const schema = entry?.params?.['requestedSchema'] as typeof params.requestedSchema
    for (const part of [result, result.inputRequests, entry, entry?.params, schema, schema.properties.a]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  test('S0.29 inputRequests cannot be assigned', () => {
    const result = make({ requestState: 's' })
    expect(() => Object.assign(result, { inputRequests: {} })).toThrow(TypeError)
  })

  test('S0.30 requestState cannot be assigned', () => {
    const result = make({ requestState: 's' })
    expect(() => Object.assign(result, { requestState: 'other' })).toThrow(TypeError)
    expect(result.requestState).toBe('s')
  })
})

describe('on the wire', () => {
  test('S0.44 an entry is exactly its method and, if given, its params', () => {
    expect(wire(make({ inputRequests: { form, roots, bare: { ...roots, params: null } } }))).toEqual({
      resultType: 'input_required',
      inputRequests: { form, roots: { method: 'roots/list' }, bare: { method: 'roots/list' } },
    })
  })

  test('S0.45 resultType comes first and is input_required', () => {
    expect(JSON.stringify(make({ requestState: 's', inputRequests: { a: roots } }))).toBe(
      '{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"}',
    )
  })

  test('S0.46 absent fields are left out, an empty map beside a state too', () => {
    expect(Object.keys(make({ requestState: 's' }).toJSON())).toEqual(['resultType', 'requestState'])
    expect(Object.keys(make({ requestState: 's', inputRequests: {} }).toJSON())).toEqual(['resultType', 'requestState'])
    expect(Object.keys(make({ inputRequests: { a: roots } }).toJSON())).toEqual(['resultType', 'inputRequests'])
  })

  test('S0.47 its documentation links the specification and SEP-2322', () => {
    const source = readFileSync(new URL('./input-required-result.ts', import.meta.url), 'utf8')
    expect(source).toMatch(/@see https:\/\/modelcontextprotocol\.io\/specification\/2026-07-28\/basic\/patterns\/mrtr/)
    expect(source).toMatch(/@see https:\/\/\S+\/2322 SEP-2322/)
  })

  test('spec basic/patterns/mrtr: a result without inputRequests and requestState cannot be made', () => {
    expect(() => make({})).toThrow(TypeError)
  })

  test('S1.8 the wire form is a result of its own: no content, no isError', () => {
    expect(Object.keys(make({ inputRequests: { a: form }, requestState: 's' }).toJSON())).toEqual([
      'resultType',
      'inputRequests',
      'requestState',
    ])
  })

  test('S1.36 asks and state together', () => {
    expect(wire(make({ inputRequests: { a: form }, requestState: 's' }))).toEqual({
      resultType: 'input_required',
      inputRequests: { a: form },
      requestState: 's',
    })
  })

  test('S1.36 asks alone have no requestState key', () => {
    expect(make({ inputRequests: { a: form } }).toJSON()).not.toHaveProperty('requestState')
  })

  test('S1.36 a state alone has no inputRequests key', () => {
    expect(make({ requestState: 's' }).toJSON()).not.toHaveProperty('inputRequests')
  })

  test('takes an object of another realm', () => {
    const options = runInNewContext(
      '({ inputRequests: new Map([["a", { method: "roots/list", params: { _meta: { x: [1] } } }]]) })',
    ) as InputRequiredOptions
    expect(wire(make(options))).toEqual({
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list', params: { _meta: { x: [1] } } } },
    })
  })
})
