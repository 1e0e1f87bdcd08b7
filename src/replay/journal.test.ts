import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Attempt } from './attempt.ts'
import { type Journal, newJournal, readJournal } from './journal.ts'

const full: Journal = {
  v: 1,
  id: 'call',
  t: 5,
  n: 2,
  w: 6,
  f: [['clock', 1]],
  e: [
    ['a', 'why', 'form', 'print', 1, { action: 'accept' }],
    ['l', 'go', 'form', 'print', 2],
    ['o', 'again'],
    ['s', 'build', { id: 1 }],
    ['s', 'nothing'],
    ['f', 'card', { name: 'Error', message: 'declined', code: 'E', as: 'tool' }],
    ['w', 'build', true],
    ['x', 'nothing', { name: 'E', message: '', as: { wire: 1001, data: 1 } }],
  ],
  o: [
    { k: 'again', y: 'form', p: 'print', n: 3, u: 1, x: 'no', r: 1, m: 'text', d: 9 },
    { k: 'new', y: 'url', p: 'print', n: 1 },
  ],
}

describe('reading a journal', () => {
  test('E19 what was written is read back', () => {
    for (const journal of [full, newJournal(1, 'x')]) expect(readJournal(JSON.stringify(journal))).toEqual(journal)
  })

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['another version', { ...full, v: 2 }],
    ['no id', { ...full, id: '' }],
    ['an unknown entry', { ...full, e: [['z', 'x']] }],
    ['an entry too short', { ...full, e: [['a', 'x', 'form', 'print', 1]] }],
    ['an entry too long', { ...full, e: [['s', 'x', 1, 2]] }],
    ['a failure without message', { ...full, e: [['f', 'x', { name: 'E' }]] }],
    ['one key settled twice', { ...full, e: [full.e[3], full.e[3]] }],
    ['one step settled two ways', { ...full, e: [full.e[3], ['f', 'build', { name: 'E', message: '' }]] }],
    ['an ask that is settled and open', { ...full, e: [['l', 'new', 'form', 'print', 1]] }],
    ['a place of no open ask', { ...full, o: [] }],
    ['one ask open twice', { ...full, e: [], o: [full.o[1], full.o[1]] }],
    ['a count below one', { ...full, e: [], o: [{ ...full.o[1], n: 0 }] }],
    ['a fact that is no pair', { ...full, f: [['x']] }],
    ['entries that are no list', { ...full, e: { length: 0 } }],
  ])('E19 %s is no journal', (_, value) => {
    expect(readJournal(JSON.stringify(value) ?? '{')).toBeUndefined()
  })

  test('E17 whatever a caller makes up, reading it does not throw, and an attempt over what is read does not either', async () => {
    const text = JSON.stringify(full)
    const mutation = fc.tuple(fc.nat(text.length), fc.nat(6), fc.string({ maxLength: 6 }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), fc.array(mutation, { maxLength: 3 })), async (input) => {
        const made = Array.isArray(input)
          ? input.reduce((t, [at, cut, put]) => t.slice(0, at) + put + t.slice(at + cut), text)
          : input
        const journal = readJournal(made)
        if (!journal) return
        const attempt = new Attempt({ journal, answers: new Map([['again~3', 1]]), limits: { grace: 1 } })
        const ask = {
          kind: 'form',
          print: '',
          schemaPrint: '',
          text: '',
          payload: 1,
          check: () => ({ ok: 'missing' }) as const,
        }
        const outcome = await attempt.run(async () => [
          await attempt.step('build', () => 1),
          await attempt.ask({ ...ask, name: 'again' }),
        ])
        expect(['suspended', 'failed']).toContain(outcome.kind)
      }),
      { numRuns: 500 },
    )
  })
})
