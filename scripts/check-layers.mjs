// Holds the table of ARCHITECTURE.md: which folder may import which, no cycles (type imports included), and `node:` only
// in *.node.ts. Prints every edge that breaks it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../src/', import.meta.url))

/** Folder → the folders it may import beside itself. */
const MAY_IMPORT = {
  errors: [],
  jsonrpc: ['errors'],
  token: ['errors'],
  replay: ['errors'],
  store: ['errors'],
  protocol: ['errors', 'jsonrpc'],
  server: ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol'],
  client: ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol'],
  'legacy/server': ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol', 'server'],
  transport: ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol', 'server', 'client', 'legacy/server'],
  open: ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol', 'server', 'client', 'transport'],
  testing: ['errors', 'jsonrpc', 'token', 'replay', 'store', 'protocol', 'server', 'client', 'transport', 'open'],
  cli: '*',
  entry: '*',
}

const files = readdirSync(root, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
const imports = new Map(files.map((file) => [file, importsOf(file)]))
const problems = [...files.flatMap(edgeProblems), ...cycles()]

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`layers: ${files.length} files hold`)

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;'"]*?['"](\.{1,2}\/[^'"]+|node:[^'"]+)['"]/g),
  ].map((match) => match[1])
  const dynamic = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map((match) => match[1])
  return [...specifiers, ...dynamic]
}

function edgeProblems(file) {
  const from = folderOf(file)
  const allowed = MAY_IMPORT[from]
  if (allowed === undefined) return [`${file}: folder ${from} is not in the table of layers`]
  return imports.get(file).flatMap((specifier) => {
    if (specifier.startsWith('node:')) {
      return /\.node\.ts$/.test(file) || from === 'cli' ? [] : [`${file}: ${specifier} outside a *.node.ts file`]
    }
    if (!specifier.startsWith('.')) return []
    const target = targetOf(file, specifier)
    if (!existsSync(join(root, target))) return [`${file}: ${specifier} does not exist`]
    const to = folderOf(target)
    if (to === from || allowed === '*' || allowed.includes(to)) return []
    return [`${file}: ${from} may not import ${to}`]
  })
}

function cycles() {
  const state = new Map()
  const found = []
  const visit = (file, path) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    state.set(file, 'open')
    for (const specifier of imports.get(file) ?? []) {
      if (specifier.startsWith('.')) visit(targetOf(file, specifier), [...path, file])
    }
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  return found
}

function folderOf(file) {
  const [first, second] = file.split('/')
  return first === 'legacy' ? `${first}/${second}` : first
}

function targetOf(file, specifier) {
  return relative(root, resolve(root, dirname(file), specifier))
}
