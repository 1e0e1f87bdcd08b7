import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { DEFAULT_LIMITS, ERRORS } from 'rondo'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PAGE_SIZE } from '../../src/server/lists.ts'
import { DEFAULT_MAX_BYTES } from '../../src/token/sizes.ts'
import { MAX_BODY_BYTES } from '../../src/transport/http/admission.ts'
import { pageText, PAGES, pathOf } from './snippets.ts'

/** Places in a page that a link may lead to: headings, and anchors written out. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = pageText(page).replace(/^```[^]*?^```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[`*[\]()]/g, '')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id)])
}

function broken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!existsSync(pathOf(target))) return true
  return anchor !== undefined && !anchorsOf(target).has(anchor)
}

const DOCUMENTS = [...PAGES, 'ARCHITECTURE.md', 'CHANGELOG.md', 'examples/release/README.md']

test.each(DOCUMENTS)('every link of %s leads somewhere', (page) => {
  const text = pageText(page).replace(/^```[^]*?^```$/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !/^https?:/.test(link) && broken(page, link))).toEqual([])
})

test('S1.50 every error has a place in the guide, and its row', () => {
  const rows = pageText('docs/errors.md')
  const missing = Object.entries(ERRORS).filter(([code, { doc, wire, fault }]) => {
    const row = new RegExp(`^\\| \`${code}\` +\\| ${fault} +\\| (.+?) +\\|.*\\(([^)]+)\\) +\\|$`, 'm').exec(rows)
    const number = wire === undefined ? '–' : wire === 0 ? 'its own' : `\`${wire}\``
    const link = doc.startsWith('errors.md') ? doc.slice('errors.md'.length) : doc
    return broken('docs/errors.md', doc) || row?.[1] !== number || row[2] !== link
  })
  expect(missing.map(([code]) => code)).toEqual([])
})

test('every page is in the index', () => {
  const index = pageText('docs/README.md')
  const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
  expect(pages.filter((page) => !index.includes(`](${posix.basename(page)})`))).toEqual([])
})

test('every code of the log is in the guide', () => {
  const page = pageText('docs/server.md')
  const files = readdirSync(pathOf('src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(server|transport|open)\b.*(?<!\.test)\.ts$/.test(name))
    .map((name) => pageText(`src/${name}`))
  const codes = new Set(
    files.flatMap((text) => [...text.matchAll(/\bcode: (?:known \?\? )?'([a-z-]+)'/g)].map(([, code]) => code)),
  )
  expect(codes.size).toBeGreaterThan(10)
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([])
})

test('S1.33 the guide links the proposals it stands on', () => {
  const all = PAGES.map(pageText).join('\n')
  const proposals = ['2322', '2575', '2549', '2260', '2577']
  const linked = proposals.filter((number) =>
    all.includes(`github.com/modelcontextprotocol/modelcontextprotocol/pull/${number}`),
  )
  expect(linked).toEqual(proposals)
})

test('S0.47 the page of the return form links SEP-2322', () => {
  expect(pageText('docs/return-form.md')).toContain(
    'https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2322',
  )
})

describe('the table of limits', () => {
  const rows = new Map(
    [...pageText('docs/limits.md').matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
      ([, , value = '', option = '']) => [option, value],
    ),
  )

  function shown(name: string, value: number): string {
    if (name.endsWith('Bytes')) return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 1024} KiB`
    if (value < 1000) return String(value)
    return value % 60_000 === 0 && value > 60_000 ? `${value / 60_000} min` : `${value / 1000} s`
  }

  test.each(Object.entries(DEFAULT_LIMITS))('limits.%s', (name, value) => {
    const row = [...rows].find(([option]) => option.split('`').includes(`limits.${name}`))
    expect(row?.[1]).toBe(shown(name, value))
  })

  test.each([
    ['`state.maxBytes`', shown('maxBytes', DEFAULT_MAX_BYTES).replace('maxBytes', '')],
    ['`maxBodyBytes`', shown('maxBodyBytes', MAX_BODY_BYTES)],
    ['`pageSize`', String(DEFAULT_PAGE_SIZE)],
  ])('%s', (option, value) => {
    expect(rows.get(option)).toBe(value.replace('262.144 s', '256 KiB'))
  })

  /** Defaults that their modules keep to themselves, as they stand there. */
  test.each([
    ['`rateLimit.perSecond`', 'src/server/limiter.ts', /perSecond: ([\d_]+)/],
    ['`rateLimit.concurrent`', 'src/server/limiter.ts', /concurrent: ([\d_]+)/],
    ['`rateLimit.principals`', 'src/server/limiter.ts', /principals: ([\d_]+)/],
    ['`maxRounds`', 'src/client/calls.ts', /maxRounds[^;]*?(\d[\d_]*)/],
  ])('%s', (option, file, pattern) => {
    const value = pattern.exec(pageText(file))?.[1]?.replaceAll('_', '')
    expect(rows.get(option)).toBe(value)
  })
})
