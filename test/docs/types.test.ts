import ts from 'typescript'
import { expect, test } from 'vitest'
import { pathOf, type Snippet, SNIPPETS } from './snippets.ts'

/** What snippets may use without saying where it is from. */
const IMPORTS: Readonly<Record<string, string>> = {
  z: "import { z } from 'zod'",
  Server: "import { Server } from 'rondo'",
  ToolError: "import { ToolError } from 'rondo'",
  WireError: "import { WireError } from 'rondo'",
  ServerLog: "import { type ServerLog } from 'rondo'",
}

/** The reader's own code, which the guide only names: any, but where a step or a wait must know what it gives. */
const STAND_INS: Readonly<Record<string, string>> = {
  accountOf: 'any',
  charge: 'any',
  currentPrice: 'any',
  itemsAfter: 'any',
  kms: 'any',
  namesInUse: '() => Promise<string[]>',
  placeOrder: '(why: string) => Promise<{ id: string }>',
  receiptOf: '(callId: string) => Promise<{ id: string } | undefined>',
  request: 'any',
  session: 'any',
  startBuild: 'any',
  userOf: 'any',
}

/** A snippet as a module of its own, and how many lines stand before its code. */
function moduleOf({ code, inside }: Snippet): { readonly text: string; readonly before: number } {
  const uses = (name: string): boolean => new RegExp(`(?<![.\\w])${name}\\b`).test(code)
  const declares = (name: string): boolean =>
    new RegExp(`\\b(?:const|let|function)\\s+${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\}\\s+from`).test(code)
  const head = [
    ...Object.entries(IMPORTS).flatMap(([name, line]) => (uses(name) && !declares(name) ? [line] : [])),
    ...Object.entries(STAND_INS).flatMap(([name, type]) =>
      uses(name) && !declares(name) ? [`declare const ${name}: ${type}`] : [],
    ),
  ]
  if (inside === 'client') head.push('declare const client: import("rondo/client").Client')
  else if (inside !== undefined) head.push('declare const server: import("rondo").Server')
  if (inside === 'handler')
    head.push('export async function handler(args: any, ctx: import("rondo").Context): Promise<unknown> {')
  const text = [...head, code, ...(inside === 'handler' ? ['return undefined', '}'] : []), 'export {}'].join('\n')
  return { text, before: head.length }
}

function problems(): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(pathOf('tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    pathOf('.'),
  )
  const files = new Map(
    SNIPPETS.map((snippet, index) => {
      const extension = snippet.language === 'js' ? 'mjs' : 'mts'
      return [pathOf(`docs/snippet-${index}.${extension}`), { snippet, ...moduleOf(snippet) }] as const
    }),
  )
  const settings: ts.CompilerOptions = {
    ...options,
    allowJs: true,
    checkJs: true,
    allowUnreachableCode: true,
    // Blocks of JavaScript have no types to write down, and the official SDK's types want the usual reading of `?`.
    noImplicitAny: false,
    exactOptionalPropertyTypes: false,
  }
  const host = ts.createCompilerHost(settings)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name)?.text ?? readFile(name)
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(name)?.text
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target, true)
  }
  const program = ts.createProgram([...files.keys()], settings, host)
  return [...files].flatMap(([name, { snippet, before }]) => {
    const source = program.getSourceFile(name)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(({ start = 0, messageText }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) - before + snippet.line
      return `${snippet.page}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}

test('S1.50 every block of code in the guide is type-checked', () => {
  expect(SNIPPETS.length).toBeGreaterThan(30)
  expect(problems()).toEqual([])
}, 60_000)
