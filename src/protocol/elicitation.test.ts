import { expect, test } from 'vitest'
import { checkElicitParams, isElicitResult } from './elicitation.ts'

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

const requestedSchema = { type: 'object', properties: {} }

test('spec client/elicitation: a form request has a message and a schema, a url request a message and a URL', () => {
  for (const params of [
    { message: 'm', requestedSchema },
    { mode: 'form', message: '', requestedSchema },
    { mode: 'url', message: 'm', url: 'https://example.com/' },
  ]) {
    expect(checkElicitParams(params)).toBeUndefined()
  }
  for (const [params, problem] of [
    [undefined, 'needs params'],
    [{ requestedSchema }, 'needs a message'],
    [{ message: 'm' }, 'needs a requestedSchema'],
    [{ message: 'm', requestedSchema: { type: 'string' } }, 'needs a requestedSchema'],
    [{ mode: 'voice', message: 'm', requestedSchema }, 'mode must be form or url'],
    [{ mode: 'url', url: 'https://example.com/' }, 'needs a message'],
    [{ mode: 'url', message: 'm' }, 'must be a valid URL'],
  ] as const) {
    expect(checkElicitParams(params)).toContain(problem)
  }
})

test('spec client/elicitation: the URL of a request is a valid one', () => {
  for (const url of ['', '/pay', 'example.com', 'https://', 7]) {
    expect(checkElicitParams({ mode: 'url', message: 'm', url })).toContain('must be a valid URL')
  }
})
