import { expect, it } from 'vitest'
import { compileSchema } from './schema.ts'

it.each([
  [0.01, 19.99, true],
  [0.1, 0.3, true],
  [0.01, 19.995, false],
  [0.5, 0.75, false],
  [3, 9, true],
  [3, 10, false],
])('multipleOf %d, %d: %s', async (multipleOf, value, fits) => {
  const { validate } = compileSchema({ type: 'object', properties: { a: { type: 'number', multipleOf } } }, 'input')
  expect((await validate({ a: value })).ok).toBe(fits)
})
