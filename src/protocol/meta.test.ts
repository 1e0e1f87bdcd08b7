import { describe, expect, test } from 'vitest'
import { isExtensionId, isMetaKey, isReservedMetaKey, META } from './meta.ts'

describe('_meta keys', () => {
  test('spec basic/index: a key is an optional prefix of labels and a slash, then a name', () => {
    for (const key of [
      'name',
      'a',
      '1',
      'a-b_c.d',
      'com.example/',
      'com.example/name',
      'c/n',
      'com.ex-ample.x1/a.b',
      ...Object.values(META),
    ]) {
      expect(isMetaKey(key), key).toBe(true)
    }
  })

  test('spec basic/index: a label starts with a letter and ends with a letter or digit', () => {
    for (const key of ['/name', '.com/n', 'com./n', '1com/n', '-a/n', 'a-/n', 'a..b/n', 'a_b/n', 'a b/n', 'é/n']) {
      expect(isMetaKey(key), key).toBe(false)
    }
  })

  test('spec basic/index: a name starts and ends with a letter or digit, unless it is empty', () => {
    for (const key of ['-a', 'a-', '_a', 'a.', 'a b', 'é', 'com.example/-a', 'com.example/a/b', 'a\n']) {
      expect(isMetaKey(key), key).toBe(false)
    }
    expect(isMetaKey('')).toBe(true)
    expect(isMetaKey('com.example/')).toBe(true)
  })

  test('spec basic/index: prefixes whose second label is modelcontextprotocol or mcp are reserved', () => {
    for (const prefix of ['io.modelcontextprotocol/', 'dev.mcp/', 'org.modelcontextprotocol.api/', 'com.mcp.tools/']) {
      expect(isReservedMetaKey(`${prefix}x`), prefix).toBe(true)
    }
    for (const key of ['com.example.mcp/x', 'mcp/x', 'x', 'modelcontextprotocol']) {
      expect(isReservedMetaKey(key), key).toBe(false)
    }
    for (const key of Object.values(META)) expect(isReservedMetaKey(key), key).toBe(true)
  })

  test('spec basic/index: an extension id is a key with a prefix', () => {
    expect(isExtensionId('io.modelcontextprotocol/tasks')).toBe(true)
    for (const id of ['tasks', '/tasks', 'com.example/', '']) expect(isExtensionId(id), id).toBe(false)
  })
})
