import fc from 'fast-check'
import { parseTemplate } from 'url-template'
import { describe, expect, test } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { compileTemplate } from './uri-template.ts'

const match = (template: string, uri: string) => compileTemplate(template).match(uri)

describe('match', () => {
  test.each<[string, string, Record<string, string>]>([
    ['notes://{day}', 'notes://monday', { day: 'monday' }],
    ['notes://{day}/{id}', 'notes://2026-07-28/7', { day: '2026-07-28', id: '7' }],
    ['notes://{a,b}', 'notes://x,y', { a: 'x', b: 'y' }],
    ['notes://{day}', 'notes://a%20b%C3%A9', { day: 'a bé' }],
    ['notes://{day}', 'notes://user@host:7', { day: 'user@host:7' }],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['file:///{+path}/{name}', 'file:///a/b/c', { path: 'a/b', name: 'c' }],
    ['file:///{+path}{?q}', 'file:///a/b?q=1', { path: 'a/b', q: '1' }],
    ['file:///{+path}{?q}', 'file:///a/b', { path: 'a/b' }],
    ['file:///{+path}{#part}', 'file:///a#b/c?d', { path: 'a', part: 'b/c?d' }],
    ['x:{name}.{type}', 'x:a.b.c', { name: 'a.b', type: 'c' }],
    ['x:{name}{.type,more}', 'x:a.b.c', { name: 'a', type: 'b', more: 'c' }],
    ['x:{name}{.types*}', 'x:a.b.c', { name: 'a.b', types: 'c' }],
    ['x:{/a,b}', 'x:/1/2', { a: '1', b: '2' }],
    ['x:{/a*}', 'x:/1/2', { a: '1/2' }],
    ['x:{;a,b}', 'x:;a=1;b=2', { a: '1', b: '2' }],
    ['x:y{?a,b}', 'x:y?b=2&a=1', { a: '1', b: '2' }],
    ['x:y{?a,b}', 'x:y?b=a%2Fb', { b: 'a/b' }],
    ['x:y{?a,b}', 'x:y?a=', { a: '' }],
    ['x:y{?a*}', 'x:y?a=1&a=2', { a: '1,2' }],
    ['x:y{?a}{&b}', 'x:y?a=1&b=2', { a: '1', b: '2' }],
    ['x:y{?a}{&b}', 'x:y&b=2', { b: '2' }],
    ['x:y?v=1{&a}', 'x:y?v=1&a=2', { a: '2' }],
    ['x:y{?a}{#b}', 'x:y?a=1#z', { a: '1', b: 'z' }],
    ['x:é/{a}', 'x:%C3%A9/1', { a: '1' }],
    ['x:{a:3}', 'x:abc', { a: 'abc' }],
    ['x:{a}', 'x:a..b', { a: 'a..b' }],
    ['x:{__proto__}/{constructor}', 'x:1/2', { ['__proto__']: '1', constructor: '2' }],
  ])('%s reads %s', (template, uri, values) => {
    const found = match(template, uri)
    expect(found).toBeDefined()
    expect(Object.getPrototypeOf(found)).toBeNull()
    expect(Object.entries(found!).sort()).toEqual(Object.entries(values).sort())
  })

  test.each<[string, string]>([
    ['notes://{day}', 'notes://'],
    ['notes://{day}', 'notes://a/b'],
    ['notes://{day}', 'notes://a?b'],
    ['notes://{day}', 'other://a'],
    ['notes://{day}/x', 'notes://a/y'],
    ['notes://{day}', 'notes://%zz'],
    ['notes://{day}', 'notes://%ff'],
    ['x:y{?a}', 'x:y?b=1'],
    ['x:y{?a}', 'x:y?a=1&a=2'],
    ['x:y{?a}', 'x:y?'],
    ['x:y{?a}', 'x:y&a=1'],
    ['x:{a:3}', 'x:abcd'],
    ['x:{+a}', `x:${'a'.repeat(16 * 1024)}`],
  ])('%s does not read %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined()
  })

  test('spec server/resources: values that could climb out of a directory are refused, unless allowed', () => {
    for (const [template, uri] of [
      ['file:///{+path}', 'file:///a/../b'],
      ['file:///{+path}', 'file:///..'],
      ['file:///{+path}', 'file:///a/%2e%2E/b'],
      ['file:///{+path}', 'file:///a/..%5Cb'],
      ['file:///{+path}', 'file:///a%2Fb'],
      ['file:///{+path}', 'file:///a%00'],
      ['file:///{name}', 'file:///..'],
      ['file:///v{name}', 'file:///v..'],
      ['file:///{name}', 'file:///a%2fb'],
      ['file:///{name}', 'file:///a%5cb'],
      ['x:y{?file}', 'x:y?file=..%2F..%2Fetc'],
      ['x:y{?file}', 'x:y?file=%00'],
      ['x:{a}.{b}', 'x:a/..'],
    ] as const) {
      expect(match(template, uri), uri).toBeUndefined()
    }
    expect(compileTemplate('file:///{+path}', { allowUnsafe: true }).match('file:///a/%2e%2e/b%2Fc')).toEqual({
      path: 'a/../b/c',
    })
  })

  test('variables are named in order', () => {
    expect(compileTemplate('x:{a}/{+b,c}{?d*,e:3}{#f}').variables).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('takes its time in proportion to the URI, however many ways there are to read it', () => {
    const template = compileTemplate(
      `x:${'{+a}/'.replace('a', 'v0')}${Array.from({ length: 12 }, (_, n) => `{+w${n}}-`).join('')}!`,
    )
    expect(template.match(`x:${'/-'.repeat(8_000)}`)).toBeUndefined()
  })
})

describe('templates that are refused', () => {
  test.each([
    'x:{a',
    'x:a}',
    'x:{}',
    'x:{a b}',
    'x:{a,}',
    'x:{a:0}',
    'x:{a:x}',
    'x:{=a}',
    'x:{|a}',
    'x:{a}{b}',
    'x:{a}/{a}',
    'x:{?a}/b',
    'x:{?a}{b}',
    'x:{{a}}',
    'x:{a.}',
  ])('%s', (template) => {
    let caught: unknown
    try {
      compileTemplate(template)
    } catch (error) {
      caught = error
    }
    expect(isRondoError(caught, 'DEFINITION_INVALID')).toBe(true)
    expect((caught as Error).message).toContain(JSON.stringify(template))
  })
})

describe('property', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((value) => /^[^/\\\0]+$/.test(value) && !value.includes('..'))

  test('what is expanded is read back', () => {
    const written = 'notes://{a}/{b}{/c}{?d,e}'
    const template = compileTemplate(written)
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.option(
          fc.string({ minLength: 1 }).filter((value) => !/\0|\.\./.test(value)),
          { nil: undefined },
        ),
        (a, b, c, d) => {
          const vars = { a, b, c, ...(d !== undefined && { d }) }
          expect({ ...template.match(parseTemplate(written).expand(vars)) }).toEqual(vars)
        },
      ),
    )
  })

  test('literal text is what a library expands it to', () => {
    const piece = fc.constantFrom(
      ' ',
      '[',
      ']',
      '%',
      '%20',
      '%zz',
      'é',
      '😀',
      '^',
      '`',
      '|',
      '<',
      '"',
      '!',
      '#',
      '?',
      '&',
      'a',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' }))), (pieces) => {
        const literal = pieces.join('').replace(/[{}]/g, '')
        fc.pre(!/%(2e|2f|5c|00)|\.\.|\0/i.test(literal))
        // The library leaves a percent sign before a single digit as it is, which no URI may.
        fc.pre(!/%[0-9a-f](?![0-9a-f])/i.test(literal))
        const uri = parseTemplate(literal).expand({})
        const read = compileTemplate(literal, { allowUnsafe: true })
        expect(read.match(uri)).toEqual({})
        expect(read.match(`${uri}x`)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  test('any template is read or refused, and any URI matches or does not', () => {
    const piece = fc.constantFrom(
      '{a}',
      '{+b}',
      '{#c}',
      '{.d*}',
      '{/e,f}',
      '{;g}',
      '{?h,i*}',
      '{&j}',
      '{k:3}',
      '/',
      '-',
      'x',
      '{',
      '}',
      '%',
      '\ud83d',
    )
    const uri = fc.array(
      fc.oneof(fc.constantFrom('/', '-', 'x', '?h=1', '&i=2', '#', ';g=', '.', '%2F', '%', '..'), fc.string()),
    )
    fc.assert(
      fc.property(fc.array(piece), uri, (pieces, parts) => {
        let template
        try {
          template = compileTemplate(pieces.join(''))
        } catch (error) {
          expect(isRondoError(error, 'DEFINITION_INVALID')).toBe(true)
          return
        }
        const found = template.match(parts.join(''))
        if (found !== undefined)
          for (const value of Object.values(found)) expect(value.split(/[/\\]/)).not.toContain('..')
      }),
      { numRuns: 1_000 },
    )
  })
})
