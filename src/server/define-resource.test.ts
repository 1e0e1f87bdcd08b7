import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { resourceEntry, type ResourceOptions } from './define-resource.ts'
import { templateEntry, type ResourceTemplateOptions } from './define-resource-template.ts'
import { Registry } from './registry.ts'

const run = () => ''

function refusal(define: () => unknown): string {
  try {
    define()
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('taken')
}

const FULL = {
  title: 'Notes',
  description: 'All notes',
  mimeType: 'text/markdown; charset=utf-8',
  annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2026-01-12T15:00:58Z' },
  meta: { team: 'red' },
} as const

const WIRE = {
  name: 'notes',
  title: 'Notes',
  description: 'All notes',
  mimeType: 'text/markdown; charset=utf-8',
  annotations: FULL.annotations,
  _meta: { team: 'red' },
}

describe('resourceEntry', () => {
  it('writes the definition as it is listed', () => {
    const entry = resourceEntry('notes', { uri: 'notes://all', size: 12, ...FULL, cache: { ttlMs: '1 min' } }, run)
    expect(JSON.parse(entry.json)).toEqual({ uri: 'notes://all', size: 12, ...WIRE })
    expect(entry).toMatchObject({ kind: 'resource', uri: 'notes://all', mimeType: FULL.mimeType })
    expect(entry.cache).toEqual({ ttlMs: '1 min' })
  })

  it.each(['file:///project/src/main.rs', 'git://a/b#c', 'urn:isbn:0451450523', 'test://a%20b/?q=[1]', 'x-y+z.1:q'])(
    'spec server/resources: takes the URI %s',
    (uri) => {
      expect(resourceEntry('notes', { uri }, run).uri).toBe(uri)
    },
  )

  it.each(['', 'notes', '/notes', '://x', '1a:b', 'a:', 'a://b c', 'a://ü', 'a://%zz', 'a://b\n', 'a://{id}', 7, null])(
    'spec server/resources: %j is no URI',
    (uri) => {
      expect(refusal(() => resourceEntry('notes', { uri: uri as string }, run))).toContain('is not an absolute URI')
    },
  )

  it.each<[unknown, RegExp]>([
    [{ uri: 'a://{id}' }, /For one with variables use resourceTemplate\(\)/],
    [{ uri: 'a://1', mimeType: 'text' }, /mimeType "text" is not a MIME type/],
    [{ uri: 'a://1', size: 1.5 }, /size must be a whole number of bytes/],
    [{ uri: 'a://1', annotations: { audience: ['robot'] } }, /annotations.audience/],
    [{ uri: 'a://1', annotations: { audience: 'user' } }, /annotations.audience/],
    [{ uri: 'a://1', annotations: { priority: '1' } }, /annotations.priority/],
    [{ uri: 'a://1', annotations: { lastModified: 'yesterday' } }, /annotations.lastModified/],
    [{ uri: 'a://1', annotations: { prio: 1 } }, /annotations: there is no option `prio`/],
    [{ uri: 'a://1', cache: { ttlMs: -1 } }, /ttlMs must be a whole number/],
    [{ uri: 'a://1', cache: 5 }, /cache must be an object/],
    [{ uri: 'a://1', ttlMs: 5 }, /there is no option `ttlMs`. Use `cache`/],
    [{ url: 'a://1' }, /there is no option `url`/],
  ])('refuses %j', (options, message) => {
    expect(refusal(() => resourceEntry('notes', options as ResourceOptions, run))).toMatch(message)
  })

  it('needs a name and a handler', () => {
    expect(refusal(() => resourceEntry('', { uri: 'a://1' }, run))).toContain('a resource needs a name')
    expect(refusal(() => resourceEntry('notes', { uri: 'a://1' }, 'x' as unknown as typeof run))).toContain('handler')
  })
})

describe('templateEntry', () => {
  const template = (options: Partial<ResourceTemplateOptions> = {}) =>
    templateEntry('notes', { uriTemplate: 'notes://{day}/{kind}', ...options }, run)

  it('writes the definition as it is listed', () => {
    const entry = template({ ...FULL, complete: { day: ['monday'] } })
    expect(JSON.parse(entry.json)).toEqual({ uriTemplate: 'notes://{day}/{kind}', ...WIRE })
    expect(entry.template.variables).toEqual(['day', 'kind'])
    expect([...entry.complete.keys()]).toEqual(['day'])
  })

  it.each<[Partial<Record<keyof ResourceTemplateOptions, unknown>>, RegExp]>([
    [{ uriTemplate: 'notes/{day}' }, /does not begin with a scheme/],
    [{ uriTemplate: 'notes://all' }, /has no variables. Use resource\(\)/],
    [{ uriTemplate: 'notes://{day' }, /^Resource template "notes": /],
    [{ uriTemplate: undefined }, /does not begin with a scheme/],
    [{ complete: { month: ['may'] } }, /complete names "month", which is not among day, kind/],
    [{ complete: { day: 'monday' } }, /variable "day": complete must be a function/],
    [{ list: [] }, /list must be a function/],
    [{ mimeType: '' }, /is not a MIME type/],
  ])('refuses %j', (options, message) => {
    expect(refusal(() => template(options as Partial<ResourceTemplateOptions>))).toMatch(message)
  })

  it('is found by the URIs that fit it, after fixed ones, each only by those it exists for', () => {
    const registry = new Registry()
    const ann = { principal: 'ann', auth: undefined }
    const bob = { principal: 'bob', auth: undefined }
    registry.add(
      templateEntry(
        'hidden',
        { uriTemplate: 'notes://{day}/{rest}', visible: ({ principal }) => principal === 'ann' },
        run,
      ),
    )
    registry.add(template())
    registry.add(
      resourceEntry('fixed', { uri: 'notes://monday/all', visible: ({ principal }) => principal === 'ann' }, run),
    )
    expect(registry.findResource('notes://monday/all', ann)).toMatchObject({ entry: { name: 'fixed' } })
    expect(registry.findResource('notes://friday/all', ann)).toMatchObject({
      entry: { name: 'hidden' },
      variables: { day: 'friday', rest: 'all' },
    })
    expect(registry.findResource('notes://monday/all', bob)).toMatchObject({
      entry: { name: 'notes' },
      variables: { day: 'monday', kind: 'all' },
    })
    expect(registry.findResource('other://monday/all', bob)).toBeUndefined()
  })

  it.each(['files://..%2Fetc', 'files://%2e%2e/x', 'files://a%00b'])(
    'spec server/resources: %s does not get out of its folder',
    (uri) => {
      const registry = new Registry()
      registry.add(templateEntry('files', { uriTemplate: 'files://{+path}' }, run))
      expect(registry.findResource(uri, { principal: '', auth: undefined })).toBeUndefined()
      const open = new Registry()
      open.add(templateEntry('files', { uriTemplate: 'files://{+path}', allowUnsafe: true }, run))
      expect(open.findResource(uri, { principal: '', auth: undefined })).toBeDefined()
    },
  )
})
