import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ERRORS } from 'rondo'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const pathOf = (name: string): string => fileURLToPath(new URL(name, root))

/** Names that the entry files export without a word of documentation where they are declared. */
function undocumented(): string[] {
  const entries = readdirSync(pathOf('src/entry'))
    .filter((name) => name.endsWith('.ts') && name !== 'cli.ts')
    .map((name) => pathOf(`src/entry/${name}`))
  const options = ts.parseJsonConfigFileContent(
    ts.readConfigFile(pathOf('tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    pathOf('.'),
  ).options
  const program = ts.createProgram(entries, { ...options, noLib: true, types: [] })
  const checker = program.getTypeChecker()
  return entries.flatMap((entry) => {
    const source = program.getSourceFile(entry)
    const module = source && checker.getSymbolAtLocation(source)
    const exported = module === undefined ? [] : checker.getExportsOfModule(module)
    return exported
      .filter((symbol) => {
        const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
        return real.getDocumentationComment(checker).length === 0
      })
      .map((symbol) => `${entry.slice(entry.lastIndexOf('/') + 1)}: ${symbol.name}`)
  })
}

function testTexts(folder: string): string[] {
  return readdirSync(pathOf(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) return testTexts(name)
    return entry.name.endsWith('.test.ts') ? [readFileSync(pathOf(name), 'utf8')] : []
  })
}

describe('documentation', () => {
  it('S1.50 every public symbol is documented', () => {
    expect(undocumented()).toEqual([])
  })

  it('S1.50 every error is brought about by some test', () => {
    const own = fileURLToPath(import.meta.url)
    const all = [...testTexts('src'), ...testTexts('test')]
      .filter((text) => text !== readFileSync(own, 'utf8'))
      .join('\n')
    const named = new RegExp(`['"\`](?:${Object.keys(ERRORS).join('|')})['"\`]`, 'g')
    const tested = new Set([...all.matchAll(named)].map(([match]) => match.slice(1, -1)))
    // Codes of the protocol itself are told by their number.
    const seen = (code: string, wire: number | undefined): boolean =>
      tested.has(code) || (ERRORS[code as keyof typeof ERRORS].doc === 'errors.md#wire' && all.includes(String(wire)))
    const untested = Object.entries(ERRORS).flatMap(([code, { wire }]) => (seen(code, wire) ? [] : [code]))
    expect(untested).toEqual([])
  })

  it('S1.33 the change log links the proposals', () => {
    const file = pathOf('CHANGELOG.md')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const proposals = ['2322', '2575', '2549', '2260', '2577']
    const linked = proposals.filter((number) =>
      new RegExp(`https://github\\.com/modelcontextprotocol/modelcontextprotocol/(?:pull|issues)/${number}\\b`).test(
        text,
      ),
    )
    expect(linked).toEqual(proposals)
  })
})
