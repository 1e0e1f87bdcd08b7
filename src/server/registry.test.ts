import { describe, expect, it, vi } from 'vitest'
import { promptEntry } from './define-prompt.ts'
import { resourceEntry } from './define-resource.ts'
import { templateEntry } from './define-resource-template.ts'
import { toolEntry } from './define-tool.ts'
import { Logger, type ServerLog } from './log.ts'
import { Registry } from './registry.ts'
import { listedResource, resourceSource } from './resource-source.ts'
import type { Visible } from './visible.ts'

const ANN = { principal: 'ann', auth: undefined }
const BOB = { principal: 'bob', auth: undefined }
const forAnn: Visible = ({ principal }) => principal === 'ann'

const tool = (name: string, visible?: Visible) => toolEntry(name, { visible }, () => '')

describe('Registry', () => {
  it('keeps the order of registration, replacements in their place', () => {
    const registry = new Registry()
    for (const name of ['c', 'a', 'b']) registry.add(tool(name))
    registry.replace(tool('a', forAnn))
    expect([...registry.tools.keys()]).toEqual(['c', 'a', 'b'])
    expect(registry.tools.get('a')?.visible).toBe(forAnn)
  })

  it('refuses a second thing of one name and keeps the first', () => {
    const registry = new Registry()
    const first = tool('deploy')
    registry.add(first)
    expect(() => registry.add(tool('deploy'))).toThrow(
      'There is already a tool "deploy". Pick another name, or replace or remove the one that is there.',
    )
    expect(registry.findTool('deploy', ANN)).toBe(first)
    registry.add(resourceEntry('notes', { uri: 'notes://all' }, () => ''))
    expect(() => registry.add(listedResource({ uri: 'notes://all', name: 'again' }))).toThrow(/already a resource/)
    // A prompt may have the name of a tool.
    registry.add(promptEntry('deploy', {}, () => ''))
  })

  it('changes while running: its version grows and listeners hear which list', () => {
    const registry = new Registry()
    const heard: string[] = []
    const stop = registry.onChange((list) => heard.push(list))
    registry.add(tool('a'))
    registry.add(promptEntry('p', {}, () => ''))
    const takeAway = registry.addSource(resourceSource(() => ({ resources: [] })))
    const { version } = registry
    expect(registry.remove('tool', 'nothing')).toBe(false)
    expect(registry.version).toBe(version)
    expect(registry.remove('tool', 'a')).toBe(true)
    takeAway()
    takeAway()
    expect(heard).toEqual(['tools', 'prompts', 'resources', 'tools', 'resources'])
    expect(registry.version).toBe(version + 2)
    stop()
    registry.add(tool('b'))
    expect(heard).toHaveLength(5)
  })

  it('takes an entry away, but not another that has its name by now', () => {
    const registry = new Registry()
    const first = tool('a')
    registry.add(first)
    expect(registry.removeEntry(first)).toBe(true)
    const second = tool('a')
    registry.add(second)
    const { version } = registry
    expect(registry.removeEntry(first)).toBe(false)
    expect(registry.version).toBe(version)
    expect(registry.findTool('a', ANN)).toBe(second)
  })

  it('hides from who may not see', () => {
    const registry = new Registry()
    registry.add(tool('deploy', forAnn))
    registry.add(promptEntry('plan', { visible: forAnn }, () => ''))
    registry.add(resourceEntry('notes', { uri: 'notes://ann', visible: forAnn }, () => ''))
    expect(registry.findTool('deploy', ANN)?.name).toBe('deploy')
    expect(registry.findTool('deploy', BOB)).toBeUndefined()
    expect(registry.findPrompt('plan', BOB)).toBeUndefined()
    expect(registry.findResource('notes://ann', ANN)?.entry.name).toBe('notes')
    expect(registry.findResource('notes://ann', BOB)).toBeUndefined()
    expect(registry.findTool('__proto__', ANN)).toBeUndefined()
  })

  it('knows the URIs of what is listed, and of what a caller could read, fixed and by template', () => {
    const registry = new Registry()
    registry.add(resourceEntry('notes', { uri: 'notes://ann', visible: forAnn }, () => ''))
    registry.add(templateEntry('pages', { uriTemplate: 'pages://{n}', visible: forAnn }, () => ''))
    registry.add(templateEntry('open', { uriTemplate: 'open://{n}' }, () => ''))
    registry.add(listedResource({ uri: 'listed://only', name: 'listed' }))
    const uris = ['notes://ann', 'pages://1', 'open://1', 'listed://only', 'other://1', '']
    expect(uris.filter((uri) => registry.knows(uri, ANN))).toEqual([
      'notes://ann',
      'pages://1',
      'open://1',
      'listed://only',
    ])
    expect(uris.filter((uri) => registry.knows(uri, BOB))).toEqual(['open://1', 'listed://only'])
  })

  it('finds a resource by its own URI only when it can be read', () => {
    const registry = new Registry()
    registry.add(listedResource({ uri: 'notes://listed', name: 'listed' }))
    expect(registry.findResource('notes://listed', ANN)).toBeUndefined()
  })

  it('takes a visible rule that throws, or gives no boolean, for no, and says so once', () => {
    const events: ServerLog[] = []
    const registry = new Registry(new Logger((event) => events.push(event)))
    const boom = vi.fn<Visible>(() => {
      throw new Error('boom')
    })
    registry.add(tool('broken', boom))
    registry.add(tool('async', (async () => true) as unknown as Visible))
    for (let i = 0; i < 3; i += 1) {
      expect(registry.findTool('broken', ANN)).toBeUndefined()
      expect(registry.findTool('async', ANN)).toBeUndefined()
    }
    expect(boom).toHaveBeenCalledTimes(3)
    expect(events.map((event) => event.message)).toEqual([
      'The visible rule of tool "broken" threw: hidden from this caller.',
      'The visible rule of tool "async" gave a promise (it must be synchronous), not true or false: hidden from this caller.',
    ])
  })
})
