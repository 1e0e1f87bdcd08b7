import { describe, expect, it } from 'vitest'
import { Roster } from './roster.ts'

const named = (name: string) => ({ name, place: -1 })

describe('who is at work', () => {
  it('forgets who leaves, in any order, and nobody else', () => {
    const roster = new Roster<ReturnType<typeof named>>()
    const [a, b, c, d] = [named('a'), named('b'), named('c'), named('d')]
    for (const one of [a, b, c, d]) roster.add(one)
    for (const one of [a, d, a]) roster.delete(one)
    roster.add(a)
    roster.delete(c)
    expect(roster.size).toBe(2)
    expect(new Set(roster.all())).toEqual(new Set([a, b]))
    expect(new Set(roster.take().map(({ name }) => name))).toEqual(new Set(['a', 'b']))
  })

  it('is empty once it was taken', () => {
    const roster = new Roster<ReturnType<typeof named>>()
    const one = named('one')
    roster.add(one)
    expect(roster.take()).toEqual([one])
    roster.delete(one)
    expect(roster.take()).toEqual([])
  })
})
