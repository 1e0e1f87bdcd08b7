import { describe, expect, test } from 'vitest'
import { draftNotes, isBreaking, isVersion, prefixOf, suggestVersion, type Commit } from './versions.ts'

const commits = (...subjects: string[]): Commit[] =>
  subjects.map((subject) => ({ hash: 'a'.repeat(40), subject, breaking: isBreaking(subject, '') }))

describe('a version', () => {
  test.each(['0.1.0', '1.4.0', '10.20.30', '2.0.0-rc.1', '1.0.0-alpha'])('%s is one', (text) => {
    expect(isVersion(text)).toBe(true)
  })

  test.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-',
    '1.2.3-a..b',
    '1.2.3-a.',
    '1.2.3 ',
    '-1.2.3',
    '1.2.3\n',
  ])('%j is none', (text) => {
    expect(isVersion(text)).toBe(false)
  })
})

test.each<[string | undefined, string[], string]>([
  [undefined, ['feat: a'], '0.1.0'],
  ['v1.2.3', ['fix: a'], '1.2.4'],
  ['v1.2.3', ['docs: a', 'no kind'], '1.2.4'],
  ['v1.2.3', ['fix: a', 'feat(ui): b'], '1.3.0'],
  ['v1.2.3', ['feat!: a'], '2.0.0'],
  ['v1.2.3', ['fix(core)!: a'], '2.0.0'],
  ['v0.2.3', ['feat!: a'], '0.3.0'],
  ['1.2.3', ['feat: a'], '1.3.0'],
  ['v1.2.3-rc.1', ['fix: a'], '1.2.4'],
  ['vacation', ['fix: a'], '0.1.0'],
])('after %s with %j comes %s', (lastTag, subjects, version) => {
  expect(suggestVersion(lastTag, commits(...subjects))).toBe(version)
})

test('a breaking change may stand in the body', () => {
  expect(isBreaking('feat: a', 'Text.\n\nBREAKING CHANGE: the option is gone')).toBe(true)
  expect(isBreaking('feat: a', 'not a BREAKING CHANGE: at all')).toBe(false)
})

test('tags go on as they began', () => {
  expect([prefixOf(undefined), prefixOf('v1.0.0'), prefixOf('1.0.0')]).toEqual(['v', 'v', ''])
})

test('notes are sorted; the kind of a commit becomes its heading, its scope stays', () => {
  expect(draftNotes(commits('docs: manual', 'fix: crash', 'feat(ui): button', 'feat!: new format'), 9)).toBe(
    'Breaking:\n- new format\n\nFeatures:\n- ui: button\n\nFixes:\n- crash\n\nOther changes:\n- docs: manual\n\n… and 5 more',
  )
})

test('a subject that is longer than a row is cut', () => {
  expect(draftNotes(commits(`fix: ${'long '.repeat(30)}`), 1)).toBe(`Fixes:\n- ${'long '.repeat(14)}l…`)
})

test('notes of commits without a kind have one heading, and long ones are cut', () => {
  expect(draftNotes(commits('Server: one', 'two'), 2)).toBe('Changes:\n- Server: one\n- two')
  expect(draftNotes(commits(...Array.from({ length: 30 }, () => 'x')), 50)).toMatch(
    /^Changes:\n(- x\n){8}\n… and 42 more$/,
  )
})
