import { describe, expect, it } from 'vitest'
import { contentProblem, resourceContentsProblem } from './content-check.ts'

const LINK = { type: 'resource_link', uri: 'file:///a', name: 'a' }
const WHOLE = [
  { type: 'text', text: 'x' },
  { type: 'image', data: '', mimeType: 'image/png' },
  { type: 'audio', data: '', mimeType: 'audio/wav' },
  LINK,
  { type: 'resource', resource: { uri: 'note://a', text: '' } },
]

describe('contentProblem', () => {
  it.each([
    { type: 'text', text: '' },
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'image', data: 'AP8=', mimeType: 'image/svg+xml; charset=utf-8' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/vnd.wave' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource', resource: { uri: 'note://a', text: '' } },
    { type: 'resource', resource: { uri: 'note://a', blob: 'AA==', mimeType: 'application/x-a' } },
    { type: 'text', text: 'x', annotations: { audience: ['user', 'assistant'], priority: 0, 'com.example/x': 1 } },
    { type: 'text', text: 'x', annotations: { lastModified: '2026-07-28T09:00:00Z' }, _meta: { a: 1 } },
    { type: 'text', text: 'x', annotations: undefined, _meta: undefined },
    { ...LINK, title: 't', description: 'd', mimeType: 'text/plain', size: 0, icons: [] },
    { ...LINK, icons: [{ src: 'https://a.example/i.png', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }] },
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
    ...[null, 5, 'x', [], { toJSON: () => 1 }].flatMap((odd) =>
      WHOLE.flatMap((block) => [
        { ...block, annotations: odd },
        { ...block, _meta: odd },
      ]),
    ),
    ...WHOLE.map((block) => ({ ...block, toJSON: () => 1 })),
    ...[
      { audience: 'user' },
      { audience: ['system'] },
      { audience: Object.assign(['user'], { toJSON: () => 1 }) },
      { priority: 2 },
      { priority: -1 },
      { priority: '1' },
      { priority: NaN },
      { lastModified: 5 },
      { lastModified: 'yesterday' },
      { lastModified: new Date(0) },
    ].map((annotations) => ({ type: 'text', text: 'x', annotations })),
    ...['title', 'description', 'mimeType', 'size', 'icons'].flatMap((name) =>
      [null, {}, -1, 1.5, true].map((odd) => ({ ...LINK, [name]: odd })),
    ),
    ...[{}, null, { src: 5 }, { src: 'x' }, { src: 'a:b', sizes: 'any' }, { src: 'a:b', sizes: [1] }].map((icon) => ({
      ...LINK,
      icons: [icon],
    })),
    { ...LINK, icons: [{ src: 'a:b', theme: 'blue' }] },
    { ...LINK, icons: [{ src: 'a:b', mimeType: 'png' }] },
    { type: 'resource', resource: { uri: 'note://a', text: 'x', _meta: 5 } },
    { type: 'resource', resource: { uri: 'note://a', text: 'x', toJSON: () => 1 } },
    { type: 'resource', resource: [] },
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
