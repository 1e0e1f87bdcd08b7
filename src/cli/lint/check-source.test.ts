import { describe, expect, test } from 'vitest'
import { checkSource } from './check-source.ts'

describe('a finding', () => {
  const text = `server.tool('a', {}, async (_, ctx) => {
  const at = Date.now()
  await ctx.ask.confirm('go', \`Go at \${at}?\`)
})`

  test('says where, what happens and what to do', () => {
    const [finding] = checkSource(text, 'src/a.ts')
    expect(finding).toMatchObject({ file: 'src/a.ts', line: 2, column: 14, rule: 'unstable-value' })
    expect(finding?.message).toContain('Date.now() gives another value')
    expect(finding?.advice).toContain('ctx.now()')
  })

  test.each<[string, number]>([
    ['const at = Date.now() // rondo-ok: unstable-value', 0],
    ['// rondo-ok: unstable-value\n  const at = Date.now()', 0],
    ['const at = Date.now() // rondo-ok: effect-before-ask, unstable-value', 0],
    ['const at = Date.now() // rondo-ok: effect-before-ask', 1],
    ['const at = Date.now() /* rondo-ok: unstable-value */', 0],
    ['const at = Date.now()\n  // rondo-ok: unstable-value', 1],
    ['const at = Date.now() // rondo-ok', 1],
  ])('%j', (line, count) => {
    expect(checkSource(text.replace('const at = Date.now()', line), 'a.ts')).toHaveLength(count)
  })

  test('of a file that cannot be read names the place', () => {
    expect(checkSource('const a = 1\nconst = 2', 'a.ts')).toMatchObject([{ line: 2, column: 7, rule: 'syntax' }])
  })

  test.each([
    ['a.tsx', 'export const A = () => <b>{x as string}</b>'],
    ['a.js', 'export const A = () => <b>{x}</b>'],
    ['a.ts', 'const a = <string>x; class B { m<const T>(x: T) {} }; export type C<in out T> = T'],
    ['a.mts', 'using a = b(); const c = d satisfies E; enum F { G }; @dec class H { accessor i = 1 }'],
    ['a.mjs', '#!/usr/bin/env node\nawait import("x", { with: { type: "json" } })'],
  ])('syntax of %s is read: %s', (file, source) => {
    expect(checkSource(source, file)).toEqual([])
  })
})
