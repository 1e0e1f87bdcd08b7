import { argumentsOf, dottedName, eachChild, isNode, unwrap, type SyntaxNode } from './syntax.ts'

/** Where a local name comes from. `imported` is `*` for a namespace and `default` for a default import. */
export interface Imported {
  readonly module: string
  readonly imported: string
}

/** What a file imports, by local name: `import` statements, and `require` or `await import()` into a `const`. */
export function importsOf(root: SyntaxNode): ReadonlyMap<string, Imported> {
  const imports = new Map<string, Imported>()
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'ImportDeclaration') addImport(node, imports)
    else if (node.type === 'VariableDeclarator') addRequire(node, imports)
    eachChild(node, visit)
  }
  visit(root)
  return imports
}

function addImport(node: SyntaxNode, imports: Map<string, Imported>): void {
  if (node.importKind === 'type' || !isNode(node.source) || !Array.isArray(node.specifiers)) return
  const module = moduleName(node.source)
  for (const specifier of node.specifiers.filter(isNode)) {
    if (!isNode(specifier.local)) continue
    const imported = isNode(specifier.imported) ? specifier.imported.name : undefined
    const kind = specifier.type === 'ImportNamespaceSpecifier' ? '*' : 'default'
    imports.set(String(specifier.local.name), { module, imported: String(imported ?? kind) })
  }
}

function addRequire(node: SyntaxNode, imports: Map<string, Imported>): void {
  if (!isNode(node.id) || !isNode(node.init)) return
  const init = unwrap(node.init)
  const call = init.type === 'AwaitExpression' && isNode(init.argument) ? init.argument : init
  const source = call.type === 'ImportExpression' ? call.source : isRequire(call) ? argumentsOf(call)[0] : undefined
  if (!isNode(source) || typeof source.value !== 'string') return
  const module = moduleName(source)
  if (node.id.type === 'Identifier') imports.set(String(node.id.name), { module, imported: '*' })
  else if (node.id.type === 'ObjectPattern' && Array.isArray(node.id.properties)) {
    for (const property of node.id.properties.filter(isNode)) {
      if (!isNode(property.key) || !isNode(property.value)) continue
      imports.set(String(property.value.name), { module, imported: String(property.key.name) })
    }
  }
}

function isRequire(call: SyntaxNode): boolean {
  return call.type === 'CallExpression' && isNode(call.callee) && dottedName(call.callee) === 'require'
}

function moduleName(source: SyntaxNode): string {
  return String(source.value).replace(/^node:/, '')
}

/**
 * A call's full name with an import put in place of its local name: `fs.writeFile` for `writeFile` imported from
 * `node:fs/promises`, `child_process.spawn` for `cp.spawn`.
 */
export function fullName(callee: SyntaxNode, imports: ReadonlyMap<string, Imported>): string | undefined {
  const name = dottedName(callee)
  if (name === undefined) return undefined
  const [first = '', ...rest] = name.split('.')
  const from = imports.get(first)
  if (from === undefined) return name
  const members = from.imported === '*' || from.imported === 'default' ? rest : [from.imported, ...rest]
  return [from.module.replace(/^fs\/promises$|^fs-extra$|^graceful-fs$/, 'fs'), ...members].join('.')
}
