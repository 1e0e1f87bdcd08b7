import { describe, expect, it } from 'vitest'
import { contentProblem, resourceContentsProblem } from './content-check.ts'

describe('contentProblem', () => {
  it.each([
    { type: 'text', text: '' },
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'image', data: 'AP8=', mimeType: 'image/svg+xml; charset=utf-8' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/vnd.wave' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource', resource: { uri: 'note://a', text: '' } },
    { type: 'resource', resource: { uri: 'note://a', blob: 'AA==', mimeType: 'application/x-a' } },
  ])('%j is fit', (block) => {
    expect(contentProblem(block)).toBeUndefined()
  })

  it.each([
    undefined,
    null,
    'text',
    {},
    { type: 'video' },
    { type: 'text' },
    { type: 'text', text: 1 },
    { type: 'image', data: 'AP8', mimeType: 'image/png' },
    { type: 'image', data: 'A\nP8', mimeType: 'image/png' },
    { type: 'image', data: 'AP8=' },
    { type: 'audio', data: 'AP8=', mimeType: 'wav' },
    { type: 'audio', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'a', name: 'a' },
    { type: 'resource_link', uri: 'file:///a' },
    { type: 'resource' },
    { type: 'resource', resource: { uri: 'note://a' } },
  ])('%j is not', (block) => {
    expect(contentProblem(block)).toMatch(/^(is|has) /)
  })

  it('is fast on large data', () => {
    expect(contentProblem({ type: 'image', data: 'A'.repeat(1 << 20), mimeType: 'image/png' })).toBeUndefined()
    expect(contentProblem({ type: 'image', data: `${'A'.repeat(1 << 20)}=A==`, mimeType: 'image/png' })).toBeDefined()
  })
})

describe('resourceContentsProblem', () => {
  it.each([
    { uri: 'a:b', text: 'x' },
    { uri: 'a:b', blob: '' },
  ])('%j is fit', (contents) => {
    expect(resourceContentsProblem(contents)).toBeUndefined()
  })

  it.each([null, {}, { uri: 'a:b' }, { uri: 'a:b', blob: 'x' }, { uri: 'a:b', text: 'x', mimeType: '' }])(
    '%j is not',
    (contents) => {
      expect(resourceContentsProblem(contents)).toMatch(/^(is|has) /)
    },
  )
})
