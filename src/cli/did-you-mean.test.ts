import { expect, test } from 'vitest'
import { nearest } from './did-you-mean.ts'

test.each<[string, string | undefined]>([
  ['enw', 'env'],
  ['evn', 'env'],
  ['ENV', 'env'],
  ['repl', 'replicas'],
  ['replcas', 'replicas'],
  ['other', undefined],
  ['x', undefined],
])('%s is meant for %s', (wrong, meant) => {
  expect(nearest(wrong, ['env', 'replicas', 'reason'])).toBe(meant)
})
