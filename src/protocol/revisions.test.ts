import { expect, test } from 'vitest'
import { isLegacyRevision, isModernRevision, LEGACY_REVISIONS, MODERN_REVISION, MODERN_REVISIONS } from './revisions.ts'

test('every revision belongs to one era', () => {
  for (const revision of MODERN_REVISIONS)
    expect([isModernRevision(revision), isLegacyRevision(revision)]).toEqual([true, false])
  for (const revision of LEGACY_REVISIONS)
    expect([isModernRevision(revision), isLegacyRevision(revision)]).toEqual([false, true])
  expect(MODERN_REVISIONS).toContain(MODERN_REVISION)
})

test('no other value is a revision', () => {
  for (const value of ['2027-01-01', '', undefined, null, 20260728, ['2026-07-28'], 'DRAFT-2026-v1']) {
    expect([isModernRevision(value), isLegacyRevision(value)]).toEqual([false, false])
  }
})
