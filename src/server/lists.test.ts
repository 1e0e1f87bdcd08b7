import { describe, expect, it } from 'vitest'
import type { Implementation } from '../protocol/meta.ts'
import { cacheHints, type CacheOptions } from './cache-hints.ts'
import { promptEntry } from './define-prompt.ts'
import { toolEntry } from './define-tool.ts'
import { lists, type Lists } from './lists.ts'
import { Registry } from './registry.ts'
import type { ServerRequest } from './request.ts'
import { Stamp } from './stamp.ts'
import type { Visible } from './visible.ts'

const INFO: Implementation = { name: 'shop', version: '1.0.0' }

interface Page {
  resultType: string
  tools: { name: string }[]
  nextCursor?: string
  ttlMs: number
  cacheScope: string
  _meta: Record<string, unknown>
}

function request(params: Record<string, unknown> = {}, principal = ''): ServerRequest {
  return { id: 1, method: 'tools/list', params, meta: {}, capabilities: {}, principal, exchange: {} }
}

function server(pageSize?: number, cache?: CacheOptions): { registry: Registry; all: Lists } {
  const registry = new Registry()
  return { registry, all: lists({ registry, stamp: new Stamp(INFO), hints: cacheHints(cache), pageSize }) }
}

const tool = (name: string, visible?: Visible) => toolEntry(name, { visible, description: `Does ${name}` }, () => '')

const toolsPage = (all: Lists, cursor?: unknown, principal = ''): Page =>
  JSON.parse(all.tools(request(cursor === undefined ? {} : { cursor }, principal))) as Page

/** Follows cursors to the end. */
function walk(all: Lists, principal = ''): { names: string[][]; scopes: Set<string> } {
  const names: string[][] = []
  const scopes = new Set<string>()
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = toolsPage(all, cursor, principal)
    names.push(page.tools.map(({ name }) => name))
    scopes.add(page.cacheScope)
    cursor = page.nextCursor
  }
  return { names, scopes }
}

describe('lists', () => {
  it('gives a whole complete result', () => {
    const { registry, all } = server()
    registry.add(tool('deploy'))
    expect(JSON.parse(all.tools(request()))).toEqual({
      resultType: 'complete',
      tools: [
        { name: 'deploy', description: 'Does deploy', inputSchema: { type: 'object', additionalProperties: false } },
      ],
      ttlMs: 60_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    })
    expect(JSON.parse(all.prompts(request()))).toMatchObject({ prompts: [], resultType: 'complete' })
    expect(JSON.parse(all.resourceTemplates(request()))).toMatchObject({ resourceTemplates: [] })
    expect(JSON.parse(all.resources(request()) as string)).toMatchObject({ resources: [] })
  })

  it('is the same text for every request until something changes', () => {
    const { registry, all } = server()
    registry.add(tool('a'))
    const text = all.tools(request({}, 'ann'))
    expect(all.tools(request({}, 'bob'))).toBe(text)
    registry.add(tool('b'))
    expect(toolsPage(all).tools.map(({ name }) => name)).toEqual(['a', 'b'])
    registry.remove('tool', 'a')
    expect(toolsPage(all).tools.map(({ name }) => name)).toEqual(['b'])
  })

  it('spec server/tools: order is the same across requests', () => {
    const { registry, all } = server(2)
    for (const name of ['z', 'a', 'm', 'b', 'y']) registry.add(tool(name))
    expect(walk(all).names).toEqual([['z', 'a'], ['m', 'b'], ['y']])
    expect(walk(all).names).toEqual(walk(all).names)
  })

  it('has no next page after a last one that is full', () => {
    const { registry, all } = server(2)
    for (const name of ['a', 'b', 'c', 'd']) registry.add(tool(name))
    expect(walk(all).names).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('takes cursors of a server that has been started anew, and of a list that has changed', () => {
    const before = server(2)
    const after = server(2)
    for (const { registry } of [before, after]) for (const name of ['a', 'b', 'c', 'd', 'e']) registry.add(tool(name))
    const { nextCursor } = toolsPage(before.all)
    expect(toolsPage(after.all, nextCursor).tools.map(({ name }) => name)).toEqual(['c', 'd'])
    after.registry.remove('tool', 'a')
    expect(toolsPage(after.all, nextCursor).tools.map(({ name }) => name)).toEqual(['c', 'd'])
    before.registry.remove('tool', 'b')
    expect(toolsPage(before.all, nextCursor).tools.map(({ name }) => name)).toEqual(['c', 'd'])
    for (const name of ['a', 'c', 'd', 'e']) before.registry.remove('tool', name)
    expect(toolsPage(before.all, nextCursor).tools).toEqual([])
  })

  it('spec server/utilities/pagination: a cursor this list did not give is refused with -32602', () => {
    const { registry, all } = server(1)
    for (const name of ['a', 'b']) registry.add(tool(name))
    registry.add(promptEntry('p', {}, () => ''))
    registry.add(promptEntry('q', {}, () => ''))
    const { nextCursor } = JSON.parse(all.prompts(request())) as Page
    for (const cursor of ['', 'page2', 7, {}, false, nextCursor]) {
      expect(() => toolsPage(all, cursor)).toThrow('Invalid cursor')
    }
    expect(toolsPage(all, null).tools).toHaveLength(1)
  })

  it.each([0, -1, 1.5, NaN, '10'])('refuses a page size of %j', (pageSize) => {
    expect(() => server(pageSize as number)).toThrow(/pageSize: must be a whole number from 1 up/)
  })
})

describe('lists with visible rules', () => {
  const forAnn: Visible = ({ principal }) => principal === 'ann'

  it('shows each principal what is theirs', () => {
    const { registry, all } = server()
    registry.add(tool('a'))
    registry.add(tool('secret', forAnn))
    registry.add(tool('b'))
    expect(walk(all, 'ann').names).toEqual([['a', 'secret', 'b']])
    expect(walk(all, 'bob').names).toEqual([['a', 'b']])
    expect(walk(all, '').names).toEqual([['a', 'b']])
  })

  it('spec server/utilities/caching: one scope for all pages: private as soon as one item has a rule', () => {
    const { registry, all } = server(2, { scope: 'public' })
    for (const name of ['a', 'b', 'c', 'd']) registry.add(tool(name))
    expect(walk(all).scopes).toEqual(new Set(['public']))
    registry.add(tool('secret', forAnn))
    expect(walk(all, 'bob').scopes).toEqual(new Set(['private']))
    expect(walk(all, 'ann').scopes).toEqual(new Set(['private']))
  })

  it('pages what a caller sees, and its cursors do not tell how much is hidden', () => {
    const { registry, all } = server(2)
    for (const name of ['a', 'h1', 'b', 'h2', 'c']) registry.add(tool(name, name.startsWith('h') ? forAnn : undefined))
    expect(walk(all, 'bob').names).toEqual([['a', 'b'], ['c']])
    expect(walk(all, 'ann').names).toEqual([['a', 'h1'], ['b', 'h2'], ['c']])
    const plain = server(2)
    for (const name of ['a', 'b', 'c']) plain.registry.add(tool(name))
    expect(toolsPage(all, undefined, 'bob').nextCursor).toBe(toolsPage(plain.all).nextCursor)
  })

  it('asks the rule at every request', () => {
    const { registry, all } = server()
    let open = false
    registry.add(tool('door', () => open))
    expect(walk(all).names).toEqual([[]])
    open = true
    expect(walk(all).names).toEqual([['door']])
  })

  it('keeps the rest of the list when one rule is broken', () => {
    const { registry, all } = server()
    registry.add(tool('a'))
    registry.add(
      tool('broken', () => {
        throw new Error('boom')
      }),
    )
    registry.add(tool('b'))
    expect(walk(all).names).toEqual([['a', 'b']])
  })

  it('gives callers who see the same the same text, for many different callers too', () => {
    const { registry, all } = server()
    for (let i = 0; i < 40; i += 1) registry.add(tool(`t${i}`, ({ principal }) => Number(principal) >> (i % 31) !== 0))
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 200; i += 1) {
        const names = toolsPage(all, undefined, String(i)).tools.map(({ name }) => name)
        expect(names).toEqual(
          Array.from({ length: 40 }, (_, at) => at)
            .filter((at) => i >> (at % 31) !== 0)
            .map((at) => `t${at}`),
        )
      }
    }
  })
})

describe('definitions that are broken', () => {
  it('one tool that is refused hides no other', () => {
    const { registry, all } = server()
    registry.add(tool('a'))
    expect(() => registry.add(tool('not a name'))).toThrow(/a tool name has/)
    expect(() => registry.add(toolEntry('x', { meta: { 'bad key': 1 } }, () => ''))).toThrow(/meta key/)
    registry.add(tool('b'))
    expect(walk(all).names).toEqual([['a', 'b']])
  })
})
