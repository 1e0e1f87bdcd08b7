import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  type CapabilityBearer,
  type ClientCapabilities,
  coversCapabilities,
  mergeCapabilities,
  missingCapabilities,
  requiredForInputRequest,
} from './capabilities.ts'
import { type InputRequiredOptions, InputRequiredResult } from './input-required-result.ts'

const elicit = (params?: object) => ({ method: 'elicitation/create', ...(params && { params }) })
const sample = (params?: object) => ({ method: 'sampling/createMessage', ...(params && { params }) })
const roots = { method: 'roots/list' }
const required = (...entries: object[]) =>
  new InputRequiredResult({
    inputRequests: { ...entries },
  } as unknown as InputRequiredOptions).requiredClientCapabilities()
const missing = (wanted: object, declared: unknown) => missingCapabilities(wanted as ClientCapabilities, declared)

describe('what an ask requires', () => {
  test('S0.36 all of it, merged into one nested object', () => {
    expect(required(elicit(), elicit({ mode: 'url' }), sample({}), sample({ tools: [] }), roots)).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: {},
    })
  })

  test('S0.38 elicitation in the mode "url", exactly, requires elicitation.url', () => {
    expect(requiredForInputRequest(elicit({ mode: 'url' }))).toEqual({ elicitation: { url: {} } })
    expect(requiredForInputRequest(elicit({ mode: 'URL' }))).toEqual({ elicitation: { form: {} } })
  })

  test('S0.39 any other elicitation requires elicitation.form', () => {
    for (const entry of [elicit({}), elicit({ mode: 'form' }), elicit({ mode: 'x' }), elicit()]) {
      expect(requiredForInputRequest(entry)).toEqual({ elicitation: { form: {} } })
    }
  })

  test('S0.40 sampling with tools or toolChoice, whatever they hold, requires sampling.tools', () => {
    for (const params of [{ tools: [] }, { toolChoice: { mode: 'none' } }, { tools: [], toolChoice: {} }]) {
      expect(requiredForInputRequest(sample(params))).toEqual({ sampling: { tools: {} } })
    }
  })

  test('S0.41 plain sampling requires sampling, and gives way to tools in either order', () => {
    expect(requiredForInputRequest(sample({ maxTokens: 1 }))).toEqual({ sampling: {} })
    expect(required(sample({}), sample({ tools: [] }))).toEqual({ sampling: { tools: {} } })
    expect(required(sample({ tools: [] }), sample({}))).toEqual({ sampling: { tools: {} } })
  })

  test('S0.42 roots/list requires roots', () => {
    expect(requiredForInputRequest(roots)).toEqual({ roots: {} })
  })

  test('S0.43 a state alone requires nothing', () => {
    expect(new InputRequiredResult({ requestState: 's' }).requiredClientCapabilities()).toEqual({})
  })

  test('S1.9 url, form, sampling with and without tools, roots', () => {
    const table: [object, object][] = [
      [elicit({ mode: 'url' }), { elicitation: { url: {} } }],
      [elicit({ mode: 'form' }), { elicitation: { form: {} } }],
      [elicit(), { elicitation: { form: {} } }],
      [sample({ tools: [] }), { sampling: { tools: {} } }],
      [sample({ toolChoice: {} }), { sampling: { tools: {} } }],
      [sample(), { sampling: {} }],
      [roots, { roots: {} }],
    ]
    for (const [entry, wanted] of table) expect(required(entry)).toEqual(wanted)
  })

  test.each<[string, object[], object]>([
    ['form', [elicit({ message: 'm' })], { elicitation: { form: {} } }],
    ['url', [elicit({ mode: 'url' })], { elicitation: { url: {} } }],
    ['both modes', [elicit(), elicit({ mode: 'url' })], { elicitation: { form: {}, url: {} } }],
    ['sampling', [sample({ maxTokens: 1 })], { sampling: {} }],
    ['sampling with tools', [sample({ tools: [] })], { sampling: { tools: {} } }],
    ['roots', [roots], { roots: {} }],
    ['one of each', [elicit(), sample(), roots], { elicitation: { form: {} }, sampling: {}, roots: {} }],
  ])('S1.37 %s', (_what, entries, wanted) => {
    expect(required(...entries)).toEqual(wanted)
  })
})

describe('what a declaration leaves uncovered', () => {
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

  test('S0.31 everything without a declaration, nothing with a full one', () => {
    const result = new InputRequiredResult({
      inputRequests: { a: elicit(), b: elicit({ mode: 'url' }), c: sample({ tools: [] }), d: roots },
    } as InputRequiredOptions)
    for (const declared of [{}, undefined, null]) expect(result.missingClientCapabilities(declared)).toEqual(all)
    expect(result.missingClientCapabilities(all)).toEqual({})
  })

  test('S0.32 the walk goes to any depth, and what is no object covers only an empty requirement', () => {
    expect(missing({ a: { b: { c: {} } } }, { a: { b: {} } })).toEqual({ a: { b: { c: {} } } })
    expect(missing({ a: { b: { c: {} }, d: {} } }, { a: { b: {}, d: {} } })).toEqual({ a: { b: { c: {} } } })
    expect(missing({ sampling: { tools: {} } }, { sampling: true })).toEqual({ sampling: { tools: {} } })
    expect(missing({ sampling: {} }, { sampling: true })).toEqual({})
    expect(missing({ sampling: {} }, { sampling: false })).toEqual({ sampling: {} })
    for (const declared of ['x', 1, [], [1]]) expect(missing({ roots: {} }, declared)).toEqual({ roots: {} })
  })

  test('S0.35 only elicitation.form is ever taken for granted', () => {
    expect(missing(all, { elicitation: {} })).toEqual({ elicitation: { url: {} }, sampling: { tools: {} }, roots: {} })
    expect(missing({ other: { form: {} }, elicitation: { form: {} } }, { other: {}, elicitation: {} })).toEqual({
      other: { form: {} },
    })
    expect(missing({ elicitation: { form: { x: {} } } }, { elicitation: { form: {} } })).toEqual({
      elicitation: { form: { x: {} } },
    })
  })

  test('S1.10 a bare elicitation declaration means form', () => {
    const form = { elicitation: { form: {} } }
    const url = { elicitation: { url: {} } }
    expect([missing(form, { elicitation: {} }), missing(url, { elicitation: {} })]).toEqual([{}, url])
    expect([missing(form, url), missing(url, url)]).toEqual([form, {}])
    expect([missing(form, form), missing(url, form)]).toEqual([{}, url])
    const unknown = { elicitation: { voice: {} } }
    expect([missing(form, unknown), missing(url, unknown)]).toEqual([{}, url])
  })

  test('S1.39 bare covers a form ask', () => {
    expect(missing({ elicitation: { form: {} } }, { elicitation: {} })).toEqual({})
  })

  test('S1.39 bare does not cover a url ask', () => {
    expect(missing({ elicitation: { url: {} } }, { elicitation: {} })).toEqual({ elicitation: { url: {} } })
  })

  test('S1.39 url alone does not cover a form ask', () => {
    expect(missing({ elicitation: { form: {} } }, { elicitation: { url: {} } })).toEqual({ elicitation: { form: {} } })
  })

  test('S1.39 of form and url, bare leaves url', () => {
    expect(missing({ elicitation: { form: {}, url: {} } }, { elicitation: {} })).toEqual({ elicitation: { url: {} } })
  })

  test('spec client/elicitation: an empty declaration is the same as form, and form alone', () => {
    expect(coversCapabilities({ elicitation: {} }, { elicitation: { form: {} } })).toBe(true)
    expect(coversCapabilities({ elicitation: {} }, { elicitation: { url: {} } })).toBe(false)
  })

  const parsed = JSON.parse('{"sampling":{},"elicitation":{"form":{}}}') as object
  test.each<[string, unknown]>([
    ['a plain object', { sampling: {}, elicitation: { form: {} } }],
    [
      'one without prototype',
      Object.assign(Object.create(null) as object, { sampling: {}, elicitation: { form: {} } }),
    ],
    ['a frozen one', Object.freeze({ sampling: Object.freeze({}), elicitation: Object.freeze({ form: {} }) })],
    ['a parsed one', parsed],
    ['one with more in it', { sampling: { context: {} }, elicitation: { form: {}, voice: {} }, extensions: {}, x: 1 }],
    ['one whose members are not own', { __proto__: { roots: {} }, sampling: {}, elicitation: { form: {} } }],
  ])('S1.38 %s is subtracted', (_what, declared) => {
    expect(missing(all, declared)).toEqual({ elicitation: { url: {} }, sampling: { tools: {} }, roots: {} })
  })
})

describe('properties', () => {
  const names = fc.constantFrom('elicitation', 'form', 'url', 'sampling', 'tools', 'roots', '__proto__')
  const { tree } = fc.letrec<{ tree: ClientCapabilities }>((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, fc.constant({}), fc.dictionary(names, tie('tree'), { maxKeys: 3 })),
  }))

  test('what a set leaves uncovered of itself is nothing, of nothing is everything', () => {
    fc.assert(
      fc.property(tree, (any) => {
        expect(missingCapabilities(any, any)).toEqual({})
        expect(missingCapabilities(any, {})).toEqual(any)
      }),
    )
  })

  test('declaring what was missing as well leaves nothing missing', () => {
    fc.assert(
      fc.property(tree, tree, (wanted, declared) => {
        const rest = missingCapabilities(wanted, declared)
        expect(missingCapabilities(wanted, mergeCapabilities(declared, rest))).toEqual({})
      }),
    )
  })

  test('S0.37 the table is that of the official TypeScript SDK, for any entry', async () => {
    const official = await officialTable()
    const entry = fc.record({
      method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list', 'tools/call', ''),
      params: fc.option(
        fc.record(
          {
            mode: fc.constantFrom('url', 'form', 'URL', ''),
            tools: fc.array(fc.object()),
            toolChoice: fc.jsonValue(),
            message: fc.string(),
          },
          { requiredKeys: [] },
        ),
        { nil: undefined },
      ),
    })
    fc.assert(
      fc.property(entry, (any) => {
        expect(requiredForInputRequest(any)).toEqual(official(any) ?? {})
      }),
      { numRuns: 500 },
    )
  })
})

/** The SDK does not export the function publicly: it is taken from the pinned package's own chunk. */
async function officialTable(): Promise<(entry: CapabilityBearer) => object | undefined> {
  const folder = new URL('./', import.meta.resolve('@modelcontextprotocol/server'))
  for (const name of readdirSync(fileURLToPath(folder)).filter((file) => file.endsWith('.mjs'))) {
    const source = readFileSync(new URL(name, folder), 'utf8')
    const alias = /export \{[^}]*\brequiredClientCapabilitiesForInputRequest as (\w+)/.exec(source)?.[1]
    if (alias === undefined) continue
    const chunk = (await import(/* @vite-ignore */ new URL(name, folder).href)) as Record<string, never>
    return chunk[alias]!
  }
  throw new Error('the official package has no requiredClientCapabilitiesForInputRequest any more')
}
