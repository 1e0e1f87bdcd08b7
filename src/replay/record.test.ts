import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyJson, toRecord } from './record.ts'

const recorded = (value: unknown): unknown => {
  const result = toRecord(value)
  return result.ok ? result.value : `${result.path}: ${result.why}`
}

describe('records', () => {
  test('E10 of any JSON value: what reading its text gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const read: unknown = JSON.parse(JSON.stringify(value))
        expect(recorded(value)).toEqual(read)
        expect(copyJson(read)).toEqual(read)
      }),
    )
  })

  test('E10 of what has toJSON, boxes, null prototypes, class instances: what JSON makes of them', () => {
    class Row {
      readonly #hidden = 1
      id = 7
      get hidden(): number {
        return this.#hidden
      }
    }
    const bare = Object.assign(Object.create(null) as object, { a: 1 })
    const value = {
      at: new Date(5),
      url: new URL('https://example.org/'),
      boxed: [Object(1), Object('s'), Object(true)] as unknown[],
      bare,
      row: new Row(),
      zero: -0,
      gone: { toJSON: () => undefined },
    }
    expect(JSON.stringify(recorded(value))).toBe(JSON.stringify(value))
    const itself = { toJSON: (): object => itself.plain, plain: { a: 1 } }
    expect(recorded(itself)).toEqual({ a: 1 })
  })

  test('E10 the copy shares nothing with the value, and one object may stand in two places', () => {
    const shared = { n: 1 }
    const copy = recorded([shared, shared]) as { n: number }[]
    shared.n = 2
    expect(copy).toEqual([{ n: 1 }, { n: 1 }])
  })

  test('E10 holes, and what shows nothing of itself, are the same before and after a replay', () => {
    class Rows extends Array<number> {}
    const nothing = { toJSON: () => undefined }
    const value = {
      holes: [1, , 3],
      undef: [undefined, nothing],
      none: nothing,
      rows: Rows.from([1, 2]),
      far: new Array(3),
    }
    const live = recorded(value) as typeof value
    const replayed = JSON.parse(JSON.stringify(value)) as typeof value
    expect(live).toStrictEqual(replayed)
    for (const list of ['holes', 'undef', 'rows', 'far'] as const) {
      expect(Object.keys(live[list])).toEqual(Object.keys(replayed[list]))
    }
    expect('none' in live).toBe(false)
    expect(recorded(nothing)).toBeUndefined()
  })

  test('E10 what throws something unreadable while it is read is named too', () => {
    const unreadable = new Proxy(
      {},
      {
        get() {
          throw new Error('no')
        },
        getPrototypeOf() {
          throw new Error('no')
        },
      },
    )
    const broken = Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no')
      },
    })
    for (const thrown of [Object.create(null), Symbol('s'), unreadable, broken, { toString: () => 1n }, null]) {
      const value = {
        toJSON() {
          throw thrown
        },
      }
      expect(recorded([value])).toMatch(/^result\[0\]: ./)
    }
    expect(recorded({ unreadable })).toMatch(/^result\.unreadable: ./)
  })

  test('E10 what throws while it is read, or lies too deep, is named', () => {
    const deep = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown
    expect(recorded({ deep })).toMatch(/^result\.deep(\[0\])+: it is more than 200 levels deep$/)
    const broken = {
      get row(): never {
        throw new Error('closed')
      },
    }
    expect(recorded([broken])).toBe('result[0]: closed')
    expect(recorded({ ['a.b']: { toJSON: () => Symbol('x') } })).toBe('result["a.b"]: it is a symbol')
  })
})
