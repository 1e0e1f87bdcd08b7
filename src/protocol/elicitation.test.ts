import { expect, test } from 'vitest'
import { isElicitResult } from './elicitation.ts'

test('spec client/elicitation: an answer is accept, decline or cancel', () => {
  for (const action of ['accept', 'decline', 'cancel']) expect(isElicitResult({ action })).toBe(true)
  for (const value of [
    null,
    undefined,
    'accept',
    [],
    {},
    { action: 'ACCEPT' },
    { action: 'reject' },
    { content: {} },
  ]) {
    expect(isElicitResult(value)).toBe(false)
  }
})

test('content is an object of texts, numbers, booleans and lists of texts', () => {
  expect(isElicitResult({ action: 'accept', content: { a: '', b: 1.5, c: false, d: ['x'], e: [] }, _meta: {} })).toBe(
    true,
  )
  for (const content of ['x', [], { a: null }, { a: {} }, { a: [1] }, { a: Infinity }, { a: undefined }]) {
    expect(isElicitResult({ action: 'accept', content })).toBe(false)
  }
})

test('null for content is taken where there is none to give', () => {
  expect(isElicitResult({ action: 'decline', content: null })).toBe(true)
  expect(isElicitResult({ action: 'accept', content: null })).toBe(false)
})
