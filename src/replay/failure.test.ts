import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { fromFailure, toFailure } from './failure.ts'

test('E10 of a failure the journal keeps name, message and code, and nothing else', () => {
  const error = Object.assign(new RangeError('far'), { code: 7, secret: 'x', cause: new Error('inner') })
  expect(toFailure(error)).toEqual({ name: 'RangeError', message: 'far', code: 7 })
  expect(toFailure(Object.assign(new Error('x'), { code: {} }))).toEqual({ name: 'Error', message: 'x' })
  expect(toFailure(Object.assign(new Error('x'), { code: NaN }))).toEqual({ name: 'Error', message: 'x' })
  expect(toFailure(new RondoError('HTTP_STATUS', 'x'))).toEqual({
    name: 'RondoError',
    message: 'x',
    code: 'HTTP_STATUS',
  })
})

test('E10 an error made of a record is an Error like any other', () => {
  const error = fromFailure({ name: 'RangeError', message: 'far', code: 'E' })
  expect(error).toBeInstanceOf(Error)
  expect([error.name, error.message, (error as { code?: unknown }).code]).toEqual(['RangeError', 'far', 'E'])
  expect(error.stack).toContain('far')
  expect(Object.keys(fromFailure({ name: 'Error', message: '' }))).toEqual([])
})

test('E10 a record that claims a reserved wire code becomes a plain error', () => {
  const error = fromFailure({ name: 'WireError', message: 'x', as: { wire: -32603 } })
  expect(error).not.toBeInstanceOf(WireError)
  expect(error.name).toBe('WireError')
  const data = { big: 1n }
  expect(toFailure(new WireError(1001, 'x', { data }))).toEqual({
    name: 'WireError',
    message: 'x',
    code: 'WIRE_CUSTOM',
    as: { wire: 1001 },
  })
})

test('E10 an error of another realm is one, too', () => {
  const foreign: unknown = runInNewContext("Object.assign(new RangeError('far'), { code: 'E' })")
  expect(foreign).not.toBeInstanceOf(Error)
  expect(toFailure(foreign)).toEqual({ name: 'RangeError', message: 'far', code: 'E' })
})
