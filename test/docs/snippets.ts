import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** Absolute path of a file of the repository. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, root))

/** The guide: every page, by its path from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(pathOf('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Text of a page. */
export const pageText = (page: string): string => readFileSync(pathOf(page), 'utf8')

/** A block of code in a page. */
export interface Snippet {
  readonly page: string
  /** Line of its first line of code, from 1. */
  readonly line: number
  readonly language: 'ts' | 'js'
  readonly code: string
  /** What it stands in: the body of a handler, beside a server, or nothing. `<!-- in: … -->` before it says so. */
  readonly inside: string | undefined
  /** Name under which `run.test.ts` runs it, from `<!-- run: … -->`. */
  readonly run: string | undefined
}

const BLOCK = /((?:<!-- \w+: [\w-]+ -->\s*)*)^```(ts|js)\n([^]*?)^```$/gm

/** Every block of TypeScript and JavaScript in a page. */
export function snippetsOf(page: string): readonly Snippet[] {
  const text = pageText(page)
  return [...text.matchAll(BLOCK)].map((match) => {
    const [, remarks = '', language = '', code = ''] = match
    const before = text.slice(0, match.index + match[0].indexOf('```'))
    const remark = (name: string): string | undefined => new RegExp(`<!-- ${name}: ([\\w-]+) -->`).exec(remarks)?.[1]
    return {
      page,
      line: before.split('\n').length + 1,
      language: language as 'ts' | 'js',
      code,
      inside: remark('in'),
      run: remark('run'),
    }
  })
}

/** Every block of the guide. */
export const SNIPPETS: readonly Snippet[] = PAGES.flatMap(snippetsOf)
