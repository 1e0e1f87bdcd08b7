import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import type { Resource } from '../protocol/resource.ts'
import { cacheHints } from './cache-hints.ts'
import { resourceEntry } from './define-resource.ts'
import { templateEntry } from './define-resource-template.ts'
import { lists } from './lists.ts'
import { Logger, type ServerLog } from './log.ts'
import { Registry } from './registry.ts'
import type { ServerRequest } from './request.ts'
import { listedResource, resourceSource, type ResourceListRequest, type ResourcePage } from './resource-source.ts'
import { Stamp } from './stamp.ts'

interface Page {
  resources: Resource[]
  nextCursor?: string
  cacheScope: string
}

function server(pageSize = 100) {
  const registry = new Registry()
  const events: ServerLog[] = []
  const log = new Logger((event) => events.push(event))
  const all = lists({
    registry,
    stamp: new Stamp({ name: 's', version: '1' }),
    hints: cacheHints(undefined),
    pageSize,
    log,
  })
  const page = async (cursor?: string, principal = ''): Promise<Page> => {
    const params = cursor === undefined ? {} : { cursor }
    const request: ServerRequest = {
      id: 1,
      method: 'resources/list',
      params,
      meta: {},
      capabilities: {},
      principal,
      exchange: { auth: { team: 'red' } },
    }
    return JSON.parse(await all.resources(request)) as Page
  }
  const walk = async (principal = ''): Promise<Page[]> => {
    const pages = [await page(undefined, principal)]
    for (let last = pages[0]; last?.nextCursor !== undefined; last = pages.at(-1)) {
      pages.push(await page(last.nextCursor, principal))
    }
    return pages
  }
  return { registry, events, page, walk }
}

const row = (i: number): Resource => ({ uri: `rows://${i}`, name: `row ${i}` })
const uris = (pages: Page[]): string[][] => pages.map(({ resources }) => resources.map(({ uri }) => uri))

/** Pages of `size` rows out of a table of `count`. */
function table(count: number, size: number, seen: ResourceListRequest[] = []) {
  return (request: ResourceListRequest): Promise<ResourcePage> => {
    seen.push(request)
    const from = Number(request.cursor ?? 0)
    const to = Math.min(count, from + size)
    const resources = Array.from({ length: to - from }, (_, i) => row(from + i))
    return Promise.resolve(to < count ? { resources, nextCursor: String(to) } : { resources })
  }
}

describe('resources/list', () => {
  it('gives 10,000 rows of a table page by page, each once', async () => {
    const { registry, walk } = server()
    const seen: ResourceListRequest[] = []
    registry.add(resourceEntry('readme', { uri: 'docs://readme' }, () => ''))
    registry.addSource(resourceSource(table(10_000, 500, seen)))
    const pages = await walk('ann')
    expect(uris(pages).flat()).toEqual(['docs://readme', ...Array.from({ length: 10_000 }, (_, i) => `rows://${i}`)])
    expect(pages).toHaveLength(20)
    expect(seen).toHaveLength(20)
    expect(seen[0]).toEqual({ cursor: undefined, limit: 99, principal: 'ann', auth: { team: 'red' } })
    expect(seen[1]).toMatchObject({ cursor: '500', limit: 100 })
  })

  it('goes through what is registered, then lists, then functions, in their order', async () => {
    const { registry, walk } = server(2)
    registry.add(resourceEntry('a', { uri: 'a://1' }, () => ''))
    registry.add(listedResource({ uri: 'a://2', name: 'two', size: 0 }))
    registry.add(listedResource({ uri: 'a://3', name: 'three' }))
    registry.addSource(resourceSource(() => ({ resources: [row(1)] })))
    registry.addSource(resourceSource(() => ({ resources: [row(2), row(3)] })))
    expect(uris(await walk())).toEqual([
      ['a://1', 'a://2'],
      ['a://3', 'rows://1'],
      ['rows://2', 'rows://3'],
    ])
  })

  it('goes on over empty pages, but not for ever within one request', async () => {
    const { registry, page } = server(10)
    let calls = 0
    registry.addSource(resourceSource(() => ({ resources: [], nextCursor: String((calls += 1)) })))
    const first = await page()
    expect(calls).toBe(10)
    expect(first.nextCursor).toBeDefined()
    await page(first.nextCursor)
    expect(calls).toBe(20)
  })

  it("takes an empty text for a lister's cursor", async () => {
    const { registry, walk } = server(1)
    registry.addSource(
      resourceSource(({ cursor }) =>
        cursor === '' ? { resources: [row(2)] } : { resources: [row(1)], nextCursor: '' },
      ),
    )
    expect(uris(await walk())).toEqual([['rows://1'], ['rows://2']])
  })

  it('spec server/utilities/caching: is private on every page when a function lists, unless that one is said to be public', async () => {
    const secret = server(1)
    secret.registry.add(resourceEntry('a', { uri: 'a://1' }, () => ''))
    secret.registry.add(resourceEntry('b', { uri: 'a://2' }, () => ''))
    expect((await secret.walk()).map(({ cacheScope }) => cacheScope)).toEqual(['public', 'public'])
    secret.registry.addSource(resourceSource(table(2, 1)))
    expect((await secret.walk()).map(({ cacheScope }) => cacheScope)).toEqual(Array(4).fill('private'))
    const open = server(1)
    open.registry.addSource(resourceSource(table(2, 1), { scope: 'public' }))
    expect((await open.walk()).map(({ cacheScope }) => cacheScope)).toEqual(['public', 'public'])
    open.registry.add(resourceEntry('c', { uri: 'a://3', visible: () => false }, () => ''))
    expect((await open.walk()).map(({ cacheScope }) => cacheScope)).toEqual(['private', 'private'])
  })

  it('refuses the cursor of a function that is gone', async () => {
    const { registry, page } = server(1)
    const takeAway = registry.addSource(resourceSource(table(3, 1)))
    const { nextCursor } = await page()
    takeAway()
    await expect(page(nextCursor)).rejects.toThrow('Invalid cursor')
    registry.addSource(resourceSource(table(3, 1)))
    await expect(page(nextCursor)).rejects.toThrow('Invalid cursor')
  })

  it('leaves out a row that cannot be listed, says so, and sends only what the wire has', async () => {
    const { registry, events, walk } = server()
    const rows = [row(1), { name: 'no uri' }, { ...row(2), password: 'x', title: 'Two' }, null, row(3)]
    registry.addSource(resourceSource(() => ({ resources: rows as Resource[] })))
    const [page] = await walk()
    expect(page?.resources).toEqual([row(1), { uri: 'rows://2', name: 'row 2', title: 'Two' }, row(3)])
    expect(events.map(({ code }) => code)).toEqual(['resource-left-out', 'resource-left-out'])
    expect(events[0]?.message).toContain('uri undefined is not an absolute URI')
  })

  it.each([
    undefined,
    [],
    { resources: 'x' },
    { resources: [], nextCursor: 7 },
    { resources: [], nextCursor: 'x'.repeat(5000) },
  ])('tells the author when a function gives %j', async (given) => {
    const { registry, page } = server()
    registry.addSource(resourceSource(() => given as unknown as ResourcePage))
    const error = await page().catch((thrown: unknown) => thrown)
    expect(isRondoError(error, 'RESULT_INVALID')).toBe(true)
  })

  it('lets through what a function throws', async () => {
    const { registry, page } = server()
    registry.addSource(
      resourceSource(() => {
        throw new Error('database down')
      }),
    )
    await expect(page()).rejects.toThrow('database down')
  })

  it('lists what a template lists, to those it exists for', async () => {
    const { registry, walk } = server()
    registry.add(
      templateEntry(
        'rows',
        { uriTemplate: 'rows://{id}', list: table(2, 2), visible: ({ principal }) => principal === 'ann' },
        () => '',
      ),
    )
    const [shown] = await walk('ann')
    const [hidden] = await walk('bob')
    expect(uris([shown as Page])).toEqual([['rows://0', 'rows://1']])
    expect(hidden).toMatchObject({ resources: [], cacheScope: 'private' })
  })
})

describe('registering lists', () => {
  it.each<[unknown, RegExp]>([
    [{ name: 'x' }, /uri undefined is not an absolute URI/],
    [{ uri: 'no scheme', name: 'x' }, /is not an absolute URI/],
    [{ uri: 'a://1' }, /it needs a name/],
    [{ uri: 'a://1', name: 'x', size: -1 }, /size must be a whole number/],
    [{ uri: 'a://1', name: 'x', mimeType: 'text' }, /is not a MIME type/],
    [{ uri: 'a://1', name: 'x', annotations: { priority: 2 } }, /annotations.priority/],
    ['a://1', /must be an object/],
  ])('refuses %j', (resource, message) => {
    expect(() => listedResource(resource as Resource)).toThrow(message)
  })

  it('refuses what lists nothing', () => {
    expect(() => resourceSource('x' as unknown as () => ResourcePage)).toThrow(
      /give an array of resources, or a function/,
    )
    expect(() => resourceSource(table(1, 1), { scope: 'shared' as 'public' })).toThrow(/scope must be/)
  })
})
