import { describe, expect, test } from 'vitest'
import { nameProblem, Names, wireKey } from './names.ts'

describe('names', () => {
  test.each(['a', 'payment/why', 'überprüfen', '__proto__', '1', 'a'.repeat(200)])('E9 %s is a name', (name) => {
    expect(nameProblem(name)).toBeUndefined()
  })

  test.each([
    ['', 'not empty'],
    ['a#2', 'neither "#" nor "~"'],
    ['~', 'neither "#" nor "~"'],
    ['a'.repeat(201), 'at most 200'],
    [undefined, 'a string, not undefined'],
    [7, 'a string, not number'],
  ])('E9 %s is none', (name, text) => {
    expect(nameProblem(name)).toContain(text)
  })

  test('E9 keys count by space and name; names are in use until they are closed', () => {
    const names = new Names()
    expect([names.next('ask', 'a'), names.next('step', 'a'), names.next('ask', 'a'), names.next('ask', 'b')]).toEqual([
      'a',
      'a',
      'a#2',
      'b',
    ])
    expect([names.open('ask', 'a'), names.open('step', 'a'), names.open('ask', 'a')]).toEqual([true, true, false])
    names.close('ask', 'a')
    expect(names.open('ask', 'a')).toBe(true)
  })

  test('E9 no two asks share a wire key', () => {
    expect([wireKey('a', 1), wireKey('a', 2), wireKey('a#2', 1), wireKey('a#2', 3)]).toEqual([
      'a',
      'a~2',
      'a#2',
      'a#2~3',
    ])
  })
})
