import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkSource } from '../../src/cli/lint/check-source.ts'
import { RULES } from '../../src/cli/lint/finding.ts'

/** Every rule has a page of snippets beside this file: what it must find, and what it must leave alone. */
const RULE_PAGES = Object.keys(RULES).filter((rule) => rule !== 'syntax')

interface Snippet {
  readonly name: string
  readonly text: string
}

function snippetsOf(rule: string): readonly Snippet[] {
  const page = readFileSync(new URL(`./snippets/${rule}.md`, import.meta.url), 'utf8')
  return [...page.matchAll(/^## (.+)\n\n```ts\n([^]*?)^```/gm)].map(([, name = '', text = '']) => ({ name, text }))
}

/** `line rule` of each mark `//! rule` in the snippet. */
function marked(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(/\/\/! ([\w-]+)/g)].map(([, rule]) => `${index + 1} ${rule}`))
}

const found = (text: string): string[] => checkSource(text, 'handler.ts').map((f) => `${f.line} ${f.rule}`)

describe.each(RULE_PAGES)('%s', (rule) => {
  const snippets = snippetsOf(rule)

  test.each(snippets.map(({ name, text }) => [name, text] as const))('%s', (_name, text) => {
    expect(found(text).sort()).toEqual(marked(text).sort())
  })

  test('has snippets to find and snippets to leave alone', () => {
    const good = snippets.filter(({ text }) => marked(text).length === 0)
    expect(good.length).toBeGreaterThan(2)
    expect(snippets.length - good.length).toBeGreaterThan(2)
    expect(good.every(({ name }) => name.startsWith('good: '))).toBe(true)
  })
})
