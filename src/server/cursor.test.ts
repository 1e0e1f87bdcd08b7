import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { decodeCursor, encodeCursor, type Position } from './cursor.ts'

const POSITIONS: readonly Position[] = [
  { at: 'item', after: 'deploy', count: 100 },
  { at: 'item', after: 'notes://schön/✓', count: 1 },
  { at: 'source', key: 'source 0', cursor: undefined },
  { at: 'source', key: 'notes://{day}', cursor: '' },
  { at: 'source', key: 'source 1', cursor: '\ud800"\\' },
]

describe('cursor', () => {
  it.each(POSITIONS)('gives back %j', (position) => {
    const cursor = encodeCursor('tools', position)
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(decodeCursor('tools', cursor)).toEqual(position)
  })

  it('spec server/utilities/pagination: an invalid cursor is -32602, an empty one included', () => {
    const good = encodeCursor('tools', { at: 'item', after: 'deploy', count: 3 })
    const changed = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A')
    const bad = [
      '',
      'x',
      3,
      {},
      [],
      true,
      good + 'A',
      changed,
      good.toUpperCase(),
      ' ' + good,
      good + '=',
      'A'.repeat(20_000),
    ]
    for (const cursor of bad) {
      expect(() => decodeCursor('tools', cursor), JSON.stringify(cursor)).toThrow('Invalid cursor')
      try {
        decodeCursor('tools', cursor)
      } catch (error) {
        expect(isRondoError(error, 'INVALID_PARAMS')).toBe(true)
      }
    }
  })

  it('belongs to one list', () => {
    const cursor = encodeCursor('tools', { at: 'item', after: 'deploy', count: 3 })
    expect(() => decodeCursor('prompts', cursor)).toThrow('Invalid cursor')
  })
})
