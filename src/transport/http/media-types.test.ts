import { expect, it } from 'vitest'
import { isJsonType, readAccept } from './media-types.ts'

it.each([
  ['application/json, text/event-stream', true, true],
  ['text/event-stream,application/json', true, true],
  ['Application/JSON; q=0.5 , TEXT/EVENT-STREAM;q=1', true, true],
  ['*/*', true, false],
  ['*/*, application/json;q=0', false, false],
  ['application/json;q=0.0, text/event-stream', false, true],
  ['text/*', false, false],
  ['', false, false],
  [',,;;,', false, false],
  [undefined, true, false],
])('H6 Accept: %s', (header, json, events) => {
  expect(readAccept(header)).toEqual({ json, events })
})

it.each([
  ['application/json', true],
  ['APPLICATION/json ; Charset=UTF-8', true],
  ['application/json; charset=utf8; x=y', true],
  ['application/json; charset=utf-16', false],
  ['application/json-patch+json', false],
  ['text/json', false],
  ['', false],
  [undefined, false],
])('H2 Content-Type: %s is JSON: %s', (header, expected) => {
  expect(isJsonType(header)).toBe(expected)
})
