import { describe, expect, it } from 'vitest'
import { REVISIONS } from '../protocol/revisions.ts'
import { cacheHints } from './cache-hints.ts'
import { promptEntry } from './define-prompt.ts'
import { resourceEntry } from './define-resource.ts'
import { toolEntry } from './define-tool.ts'
import { discovery, type DiscoveryOptions } from './discover.ts'
import { Registry } from './registry.ts'
import { Stamp } from './stamp.ts'

const INFO = { name: 'shop', version: '1.0.0' }

function server(options: Partial<DiscoveryOptions> = {}): { registry: Registry; read: () => Record<string, unknown> } {
  const registry = new Registry()
  const discover = discovery({
    registry,
    stamp: new Stamp(INFO),
    hint: cacheHints(undefined).discover,
    versions: REVISIONS,
    ...options,
  })
  return { registry, read: () => JSON.parse(discover()) as Record<string, unknown> }
}

describe('server/discover', () => {
  it('spec server/discover: gives versions, capabilities, identity, instructions and cache hints', () => {
    const { registry, read } = server({ instructions: 'Ask before you buy.' })
    registry.add(toolEntry('buy', {}, () => ''))
    expect(read()).toEqual({
      resultType: 'complete',
      supportedVersions: [...REVISIONS],
      capabilities: { tools: {}, logging: {} },
      instructions: 'Ask before you buy.',
      ttlMs: 60_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    })
  })

  it('spec server/tools: declares tools, prompts, resources and completions when there are some', () => {
    const { registry, read } = server({ logging: false })
    expect(read()['capabilities']).toEqual({})
    registry.add(promptEntry('plain', {}, () => ''))
    expect(read()['capabilities']).toEqual({ prompts: {} })
    registry.add(promptEntry('helped', { arguments: { topic: { complete: ['cats'] } } }, () => ''))
    expect(read()['capabilities']).toEqual({ prompts: {}, completions: {} })
    registry.add(resourceEntry('notes', { uri: 'notes://all' }, () => ''))
    registry.add(toolEntry('buy', {}, () => ''))
    expect(read()['capabilities']).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} })
  })

  it('goes on declaring what was there: its list is then empty, not unknown', () => {
    const { registry, read } = server({ logging: false })
    registry.add(toolEntry('buy', {}, () => ''))
    registry.remove('tool', 'buy')
    expect(read()['capabilities']).toEqual({ tools: {} })
  })

  it('spec basic/versioning: extensions are declared with their settings', () => {
    const { read } = server({ logging: false, extensions: { 'com.example/search': { fuzzy: true } } })
    expect(read()['capabilities']).toEqual({ extensions: { 'com.example/search': { fuzzy: true } } })
  })

  it.each([
    [{ search: {} }, /"search" is no identifier: it needs a prefix and a name/],
    [{ 'com.example/search': true }, /the settings of com.example\/search must be an object/],
    [[], /must be an object of settings by identifier/],
  ])('refuses extensions %j', (extensions, message) => {
    expect(() => server({ extensions: extensions as unknown as Record<string, object> })).toThrow(message)
  })
})
