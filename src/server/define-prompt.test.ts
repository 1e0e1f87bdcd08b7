import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isRondoError } from '../errors/rondo-error.ts'
import { promptEntry, type PromptEntry, type PromptOptions } from './define-prompt.ts'

const run = () => ''

function prompt(options: PromptOptions): PromptEntry {
  return promptEntry('review', options, run)
}

function refusal(options: unknown, name: unknown = 'review', handler: unknown = run): string {
  try {
    promptEntry(name as string, options as PromptOptions, handler as typeof run)
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('taken')
}

describe('promptEntry', () => {
  it('writes the definition as it is listed', () => {
    const entry = prompt({
      title: 'Review',
      description: 'Reviews code',
      arguments: {
        code: { title: 'Code', description: 'What to review', required: true },
        language: { complete: ['python'], required: false },
      },
      icons: [{ src: 'data:image/png;base64,AA==' }],
      meta: { team: 'red' },
    })
    expect(JSON.parse(entry.json)).toEqual({
      name: 'review',
      title: 'Review',
      description: 'Reviews code',
      icons: [{ src: 'data:image/png;base64,AA==' }],
      arguments: [
        { name: 'code', title: 'Code', description: 'What to review', required: true },
        { name: 'language', required: false },
      ],
      _meta: { team: 'red' },
    })
    expect([...entry.complete.keys()]).toEqual(['language'])
    expect(JSON.parse(prompt({}).json)).toEqual({ name: 'review' })
  })

  it('lists the arguments of a schema', () => {
    const schema = z.object({ code: z.string().describe('What to review'), count: z.coerce.number().optional() })
    const entry = prompt({ arguments: schema, complete: { code: () => ['x'] } })
    expect(JSON.parse(entry.json)).toEqual({
      name: 'review',
      arguments: [
        { name: 'code', description: 'What to review', required: true },
        { name: 'count', required: false },
      ],
    })
    expect([...entry.complete.keys()]).toEqual(['code'])
    const plain = prompt({ arguments: { type: 'object', properties: { code: { title: 'Code' } }, required: ['code'] } })
    expect(JSON.parse(plain.json)).toMatchObject({ arguments: [{ name: 'code', title: 'Code', required: true }] })
  })

  it('takes an argument that is called type', () => {
    const entry = prompt({ arguments: { type: { required: true } } })
    expect(JSON.parse(entry.json)).toMatchObject({ arguments: [{ name: 'type' }] })
  })

  it.each<[unknown, RegExp]>([
    [{ argsSchema: {} }, /there is no option `argsSchema`. Use `arguments`/],
    [{ arguments: 'x' }, /arguments must be an object of arguments by name, or a schema/],
    [{ arguments: ['code'] }, /arguments must be an object/],
    [{ arguments: { code: 'text' } }, /argument "code": give an object/],
    [{ arguments: { code: { requird: true } } }, /argument "code": there is no option `requird`/],
    [{ arguments: { code: { required: 'yes' } } }, /required must be true or false/],
    [{ arguments: { code: { description: 7 } } }, /argument "code": description must be a text/],
    [{ arguments: { code: { complete: 'x' } } }, /argument "code": complete must be a function/],
    [{ arguments: { code: { complete: [1] } } }, /complete must be a function/],
    [{ arguments: z.string() }, /^Prompt "review": arguments: /],
    [{ arguments: { code: {} }, complete: { colour: ['red'] } }, /complete names "colour", which is not among/],
    [{ visible: 1 }, /visible must be a function/],
  ])('refuses %o', (options, message) => {
    expect(refusal(options)).toMatch(message)
  })

  it('refuses a name that is empty, and what is no handler', () => {
    expect(refusal({}, '')).toContain('a prompt needs a name')
    expect(refusal({}, null)).toContain('a prompt needs a name')
    expect(refusal({}, 'review', null)).toContain('the handler')
  })
})

describe('arguments of a prompt', () => {
  const named = prompt({ arguments: { code: { required: true }, language: {} } })

  it('gives the texts, without prototype', () => {
    const args = named.check({ code: 'x', language: '' }) as object
    expect({ ...args }).toEqual({ code: 'x', language: '' })
    expect(Object.getPrototypeOf(args)).toBeNull()
    expect({ ...(prompt({}).check(undefined) as object) }).toEqual({})
  })

  it.each<[unknown, string]>([
    [undefined, 'Missing prompt argument "code"'],
    [{}, 'Missing prompt argument "code"'],
    [{ language: 'x' }, 'Missing prompt argument "code"'],
    [{ code: 7 }, 'Prompt argument "code" must be a text'],
    [{ code: null }, 'Prompt argument "code" must be a text'],
    [{ code: 'x', colour: 'red' }, 'Unknown prompt argument "colour"'],
    [JSON.parse('{"code":"x","__proto__":"y"}'), 'Unknown prompt argument "__proto__"'],
    [[], 'Prompt arguments must be an object of texts'],
    ['x', 'Prompt arguments must be an object of texts'],
    [null, 'Prompt arguments must be an object of texts'],
  ])('spec server/prompts: %j is refused with -32602', (args, message) => {
    expect(() => named.check(args)).toThrow(message)
    try {
      named.check(args)
    } catch (error) {
      expect(isRondoError(error, 'INVALID_PARAMS')).toBe(true)
    }
  })

  it('names all that are missing', () => {
    const entry = prompt({ arguments: { a: { required: true }, b: { required: true } } })
    expect(() => entry.check({})).toThrow('Missing prompt arguments "a", "b"')
  })

  it('cuts what it repeats of a long name', () => {
    expect(() => named.check({ ['x'.repeat(10_000)]: '' })).toThrow(/^.{0,120}$/)
  })

  it('goes through the schema, which may transform', () => {
    const entry = prompt({ arguments: z.object({ count: z.coerce.number().int() }) })
    expect(entry.check({ count: '3' })).toEqual({ count: 3 })
    expect(() => entry.check({ count: 'many' })).toThrow(/^Invalid prompt arguments: count: /)
    expect(() => entry.check({})).toThrow('Missing prompt argument "count"')
  })

  it('refuses by rejection when the schema is asynchronous', async () => {
    const entry = prompt({ arguments: z.object({ code: z.string().refine(async (code) => code !== 'bad') }) })
    await expect(entry.check({ code: 'bad' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(entry.check({ code: 'good' })).resolves.toEqual({ code: 'good' })
  })
})
