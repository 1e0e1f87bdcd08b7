import { expect, test } from 'vitest'
import { issuesText, pathText, pointerPath } from './issue.ts'

test('a path reads like code', () => {
  expect(pathText(['a', 'b-c', 0, 'd e', ''])).toBe('a.b-c[0]["d e"][""]')
  expect(pathText([])).toBe('')
})

test('issues are one a line, and no more than wanted', () => {
  const issues = [
    { path: [], message: 'is odd' },
    { path: ['a'], message: 'is bad' },
    { path: ['b'], message: 'is worse' },
  ]
  expect(issuesText(issues)).toBe('is odd\na: is bad\nb: is worse')
  expect(issuesText(issues, 1)).toBe('is odd\nand 2 more')
})

test('a JSON Pointer becomes a path by what it points into', () => {
  expect(pointerPath('/a~1b/0/m~0n', { 'a/b': [{ 'm~n': 1 }] })).toEqual(['a/b', 0, 'm~n'])
  expect(pointerPath('/0', { 0: 1 })).toEqual(['0'])
  expect(pointerPath('', {})).toEqual([])
})
