import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { completion } from './complete.ts'
import type { Completer, CompletionRequest } from './completer.ts'
import { promptEntry } from './define-prompt.ts'
import { resourceEntry } from './define-resource.ts'
import { templateEntry } from './define-resource-template.ts'
import { Registry } from './registry.ts'
import type { ServerRequest } from './request.ts'
import { Stamp } from './stamp.ts'

function server(complete?: Completer): {
  registry: Registry
  ask: (params: object, principal?: string) => Promise<unknown>
} {
  const registry = new Registry()
  if (complete !== undefined) {
    registry.add(promptEntry('review', { arguments: { language: { complete }, plain: {} } }, () => ''))
  }
  const run = completion(registry, new Stamp({ name: 'shop', version: '1.0.0' }))
  const ask = async (params: object, principal = ''): Promise<unknown> => {
    const request: ServerRequest = {
      id: 1,
      method: 'completion/complete',
      params: { ...params },
      meta: {},
      capabilities: {},
      principal,
      exchange: { auth: { scope: 'all' } },
    }
    return (JSON.parse(await run(request)) as { completion: unknown }).completion
  }
  return { registry, ask }
}

const question = (name: string, value = '', context?: object) => ({
  ref: { type: 'ref/prompt', name: 'review' },
  argument: { name, value },
  ...(context === undefined ? {} : { context }),
})

describe('completion/complete', () => {
  it('searches a fixed list: beginnings first, whatever the case', async () => {
    const { ask } = server(['Ruby', 'python', 'PyTorch', 'happy'])
    expect(await ask(question('language', 'py'))).toEqual({
      values: ['python', 'PyTorch', 'happy'],
      total: 3,
      hasMore: false,
    })
    expect(await ask(question('language', ''))).toMatchObject({ total: 4 })
  })

  it('hands a function what was typed, the settled arguments and the caller', async () => {
    const seen: [string, CompletionRequest][] = []
    const { ask } = server((value, request) => {
      seen.push([value, request])
      return Promise.resolve(['a'])
    })
    await ask(question('language', 'x', { arguments: { framework: 'flask', ['__proto__']: 'p' } }), 'ann')
    const [value, request] = seen[0] ?? []
    expect(value).toBe('x')
    expect(Object.entries(request?.arguments ?? {})).toEqual([
      ['framework', 'flask'],
      ['__proto__', 'p'],
    ])
    expect(Object.getPrototypeOf(request?.arguments)).toBeNull()
    expect(request).toMatchObject({ principal: 'ann', auth: { scope: 'all' } })
  })

  it('spec server/utilities/completion: at most 100 values, and whether there are more', async () => {
    const many = Array.from({ length: 250 }, (_, i) => `v${i}`)
    const { ask } = server(() => many)
    const given = (await ask(question('language'))) as { values: string[]; total: number; hasMore: boolean }
    expect(given.values).toEqual(many.slice(0, 100))
    expect(given).toMatchObject({ total: 250, hasMore: true })
    const exact = server(() => many.slice(0, 100))
    expect(await exact.ask(question('language'))).toMatchObject({ total: 100, hasMore: false })
    const counted = server(() => ({ values: ['a'], total: 4000 }))
    expect(await counted.ask(question('language'))).toEqual({ values: ['a'], total: 4000, hasMore: true })
    const open = server(() => ({ values: ['a'], hasMore: true }))
    expect(await open.ask(question('language'))).toEqual({ values: ['a'], hasMore: true })
  })

  it('gives nothing for a known argument without a completer', async () => {
    const { ask } = server(['a'])
    expect(await ask(question('plain', 'x'))).toEqual({ values: [], total: 0, hasMore: false })
  })

  it('spec server/utilities/completion: -32601 when the server completes nothing', async () => {
    const { registry, ask } = server()
    registry.add(promptEntry('review', { arguments: { language: {} } }, () => ''))
    await expect(ask(question('language'))).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND', status: 404 })
  })

  it('spec server/utilities/completion: an unknown prompt, template or argument is -32602', async () => {
    const { registry, ask } = server(['a'])
    registry.add(resourceEntry('fixed', { uri: 'notes://fixed' }, () => ''))
    const bad = [
      { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'language', value: '' } },
      { ref: { type: 'ref/resource', uri: 'notes://{day}' }, argument: { name: 'day', value: '' } },
      { ref: { type: 'ref/resource', uri: 'notes://fixed' }, argument: { name: 'day', value: '' } },
      question('colour'),
      question('__proto__'),
    ]
    for (const params of bad) await expect(ask(params), JSON.stringify(params)).rejects.toMatchObject({ wire: -32602 })
  })

  it('spec server/utilities/completion: all inputs are validated', async () => {
    const { ask } = server(['a'])
    const { ref, argument } = question('language')
    const bad: object[] = [
      {},
      { ref },
      { argument },
      { ref: 'review', argument },
      { ref: { type: 'ref/tool', name: 'review' }, argument },
      { ref: { type: 'ref/prompt' }, argument },
      { ref: { type: 'ref/prompt', name: 7 }, argument },
      { ref: { type: 'ref/resource', name: 'review' }, argument },
      { ref, argument: [] },
      { ref, argument: { name: 'language' } },
      { ref, argument: { name: 'language', value: 5 } },
      { ref, argument: { name: null, value: '' } },
      { ref, argument, context: [] },
      { ref, argument, context: null },
      { ref, argument, context: { arguments: ['a'] } },
      { ref, argument, context: { arguments: { a: 1 } } },
    ]
    for (const params of bad) await expect(ask(params), JSON.stringify(params)).rejects.toMatchObject({ wire: -32602 })
    await expect(ask({ ref, argument, context: {} })).resolves.toBeDefined()
  })

  it('spec server/utilities/completion: a hidden prompt is as unknown as one that is not there', async () => {
    const { registry, ask } = server(['a'])
    const visible = ({ principal }: { principal: string }) => principal === 'ann'
    registry.add(promptEntry('secret', { visible, arguments: { code: { complete: ['x1'] } } }, () => ''))
    const params = { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'code', value: '' } }
    expect(await ask(params, 'ann')).toMatchObject({ values: ['x1'] })
    const hidden = await ask(params, 'bob').catch((error: unknown) => error)
    const missing = await ask({ ...params, ref: { type: 'ref/prompt', name: 'none' } }).catch((error: unknown) => error)
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(missing))
  })

  it.each([null, 7, 'text', { values: 'a' }, [1], { values: [], total: -1 }, { values: [], total: '4' }])(
    'tells the author when a completer gives %j',
    async (given) => {
      const { ask } = server(() => given as unknown as string[])
      const error = await ask(question('language')).catch((thrown: unknown) => thrown)
      expect(isRondoError(error, 'RESULT_INVALID')).toBe(true)
    },
  )

  it('lets through what a completer throws', async () => {
    const { ask } = server(() => {
      throw new Error('database down')
    })
    await expect(ask(question('language'))).rejects.toThrow('database down')
  })

  it('completes the variables of a template, by its text or by a URI that fits it', async () => {
    const { registry, ask } = server()
    registry.add(
      templateEntry('day', { uriTemplate: 'notes://{day}/{kind}', complete: { day: ['monday', 'friday'] } }, () => ''),
    )
    const argument = { name: 'day', value: 'mo' }
    for (const uri of ['notes://{day}/{kind}', 'notes://monday/all']) {
      expect(await ask({ ref: { type: 'ref/resource', uri }, argument }), uri).toMatchObject({ values: ['monday'] })
    }
    const other = { ref: { type: 'ref/resource', uri: 'notes://{day}/{kind}' }, argument: { name: 'kind', value: '' } }
    expect(await ask(other)).toMatchObject({ values: [] })
  })
})
