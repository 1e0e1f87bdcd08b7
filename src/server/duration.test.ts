import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { milliseconds, parseDuration, type Duration } from './duration.ts'

describe('milliseconds', () => {
  it.each<[Duration, number]>([
    [250, 250],
    ['250 ms', 250],
    ['20 s', 20_000],
    ['20s', 20_000],
    ['1.5 min', 90_000],
    ['10 min', 600_000],
    ['2 h', 7_200_000],
    ['1 d', 86_400_000],
  ])('reads %j', (given, ms) => {
    expect(milliseconds(given)).toBe(ms)
  })

  it.each([
    0,
    -1,
    NaN,
    Infinity,
    '',
    '10',
    '10 minutes',
    '-5 s',
    '0 s',
    '1e3 ms',
    ' 5 s',
    null,
    undefined,
    {},
    '9'.repeat(400) + ' d',
    1n,
    Symbol('s'),
    { toJSON: () => 1n },
  ])('refuses %s', (given) => {
    expect(parseDuration(given)).toBeUndefined()
    expect(() => milliseconds(given as Duration, 'Option ttl')).toThrow(
      /^Option ttl must be a length of time above zero/,
    )
  })

  it('says what to write instead', () => {
    const error: unknown = (() => {
      try {
        return milliseconds('10 minutes' as Duration, 'within')
      } catch (thrown) {
        return thrown
      }
    })()
    expect(isRondoError(error, 'DEFINITION_INVALID')).toBe(true)
    expect((error as Error).message).toBe(
      'within must be a length of time above zero, not "10 minutes". Give milliseconds or a number with its unit (ms, s, min, h, d), such as \'10 min\'.',
    )
  })
})
