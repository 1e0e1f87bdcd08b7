import { expect, test } from 'vitest'
import { isLoggingLevel, LOGGING_LEVELS, reachesLevel } from './logging.ts'

test('levels are ordered, least first', () => {
  expect(LOGGING_LEVELS[0]).toBe('debug')
  expect(LOGGING_LEVELS.at(-1)).toBe('emergency')
  expect(reachesLevel('error', 'warning')).toBe(true)
  expect(reachesLevel('warning', 'warning')).toBe(true)
  expect(reachesLevel('notice', 'warning')).toBe(false)
})

test('no other value is a level', () => {
  for (const level of LOGGING_LEVELS) expect(isLoggingLevel(level)).toBe(true)
  for (const value of ['warn', 'ERROR', '', null, 3]) expect(isLoggingLevel(value)).toBe(false)
})
