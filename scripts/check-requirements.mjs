// Holds the test names against the requirements of test/requirements/*.json: every requirement has a test whose name
// starts with its id, and no test name cites two. A row may instead say
//   "by":      the id (or the whole title) of the test that proves the same thing,
//   "later":   the issue that builds it,
//   "outside": why no test of this repository can show it.
// Usage: node scripts/check-requirements.mjs [--json]
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DATA = join(ROOT, 'test/requirements')
const ID = /\b(?:S[01]\.\d+|HS1|H\d+|[ETC]\d+|MUST-[a-z]+-\d+)\b/g
const NOT_RUN = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails'])

/** Every requirement, in the order of the files. */
export function readRequirements() {
  return readdirSync(DATA)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => JSON.parse(readFileSync(join(DATA, name), 'utf8')))
}

/** Titles of all tests that run: `{ title, file }`. */
export function readTitles() {
  const folders = ['src', 'test', 'examples', 'conformance', 'bench'].map((name) => join(ROOT, name))
  return folders.flatMap(testFiles).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    return titlesOf(source).map((title) => ({ title, file: relative(ROOT, file) }))
  })
}

function testFiles(folder) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFiles(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}

function titlesOf(source) {
  const titles = []
  const visit = (node, skipped) => {
    const call = ts.isCallExpression(node) ? readCall(node) : undefined
    const off = skipped || call?.skipped === true
    if (call !== undefined && call.test && !off) titles.push(...call.titles)
    ts.forEachChild(node, (child) => visit(child, off))
  }
  visit(source, false)
  return titles
}

/** What a call says about tests: `it('…')`, `it.concurrent('…')`, `it.each(table)('…')`, `describe.skip('…')`. */
function readCall(node) {
  let callee = node.expression
  let table
  const modifiers = []
  for (;;) {
    if (ts.isCallExpression(callee)) {
      table ??= callee.arguments[0]
      callee = callee.expression
    } else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag
    else if (ts.isPropertyAccessExpression(callee)) {
      modifiers.push(callee.name.text)
      callee = callee.expression
    } else break
  }
  if (!ts.isIdentifier(callee) || !['it', 'test', 'describe'].includes(callee.text)) return undefined
  const [title] = node.arguments
  if (title === undefined) return undefined
  const skipped = modifiers.some((name) => NOT_RUN.has(name))
  return { test: callee.text !== 'describe', skipped, titles: expand(title, table) }
}

/** The title as text; where it begins with a placeholder, one for every row of the table that says what stands there. */
function expand(title, table) {
  const text = textOf(title)
  if (text === undefined) return []
  const placeholder = /^(?:%s|\$(\w+))/.exec(text)
  if (placeholder === null || table === undefined) return [text]
  const rows = ts.isArrayLiteralExpression(unwrap(table)) ? unwrap(table).elements : []
  const heads = rows.map((row) => headOf(unwrap(row), placeholder[1])).filter((head) => head !== undefined)
  return heads.length === 0 ? [text] : heads.map((head) => head + text.slice(placeholder[0].length))
}

function headOf(row, name) {
  if (name !== undefined && ts.isObjectLiteralExpression(row)) {
    const member = row.properties.find((property) => property.name !== undefined && textOf(property.name) === name)
    return member !== undefined && ts.isPropertyAssignment(member) ? textOf(member.initializer) : undefined
  }
  return ts.isArrayLiteralExpression(row) && row.elements[0] !== undefined ? textOf(row.elements[0]) : textOf(row)
}

function unwrap(node) {
  return ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node)
    ? unwrap(node.expression)
    : node
}

function textOf(node) {
  if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')
}

/**
 * Holds titles against requirements.
 *
 * @returns `missing`: rows without a test; `doubled`: titles that cite two ids; `strange`: titles that begin with an id
 * nobody knows, and rows that point nowhere
 */
export function checkRequirements(requirements, titles) {
  const rows = new Map(requirements.map((row) => [row.id, row]))
  const cited = new Set()
  const whole = new Set(titles.map(({ title }) => title))
  const doubled = []
  const strange = []
  for (const { title, file } of titles) {
    const ids = new Set(title.match(ID) ?? [])
    const first = (title.match(ID) ?? [])[0]
    if (ids.size > 1) doubled.push(`${file}: ${title}`)
    if (first === undefined || !title.startsWith(first)) continue
    cited.add(first)
    if (!rows.has(first)) strange.push(`${file}: ${title}`)
  }
  const proven = (id, seen = new Set()) => {
    const row = rows.get(id)
    if (cited.has(id)) return true
    if (row?.by === undefined || seen.has(id)) return false
    return rows.has(row.by) ? proven(row.by, seen.add(id)) : whole.has(row.by)
  }
  for (const row of requirements) {
    if (row.by !== undefined && !rows.has(row.by) && !whole.has(row.by)) strange.push(`${row.id} points at: ${row.by}`)
  }
  const missing = requirements.filter((row) => row.later === undefined && row.outside === undefined && !proven(row.id))
  return { missing, doubled, strange }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const requirements = readRequirements()
  const { missing, doubled, strange } = checkRequirements(requirements, readTitles())
  if (process.argv.includes('--json')) console.log(JSON.stringify({ missing, doubled, strange }, null, 2))
  else {
    for (const row of missing) console.log(`no test cites ${row.id}: ${row.text}`)
    for (const line of doubled) console.log(`cites two requirements: ${line}`)
    for (const line of strange) console.log(`cites a requirement that is not there: ${line}`)
    const wrong = missing.length + doubled.length + strange.length
    console.log(
      `${requirements.length} requirements, ${missing.length} without a test, ${wrong - missing.length} names to mend`,
    )
  }
  process.exitCode = missing.length + doubled.length + strange.length === 0 ? 0 : 1
}
