import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EMBEDDABLE_METHODS, METHODS } from './methods.ts'

test('S0.15 the embeddable methods are these three, in this order, frozen', () => {
  expect(EMBEDDABLE_METHODS).toEqual(['elicitation/create', 'sampling/createMessage', 'roots/list'])
  expect(Object.isFrozen(EMBEDDABLE_METHODS)).toBe(true)
  expect(() => (EMBEDDABLE_METHODS as unknown as string[]).push('tools/call')).toThrow(TypeError)
})

test('S0.16 no method name is written a second time in src', () => {
  const root = new URL('../', import.meta.url)
  const quoted = Object.values(METHODS)
    .filter((name) => name.includes('/'))
    .map((name) => new RegExp(`['"\`]${name}['"\`]`))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.test(-d)?\.ts$/.test(file) && !file.endsWith('methods.ts'),
  )
  expect(files.length).toBeGreaterThan(20)
  const second = files.filter((file) => {
    const code = readFileSync(new URL(file, root), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    return quoted.some((pattern) => pattern.test(code))
  })
  expect(second).toEqual([])
})
