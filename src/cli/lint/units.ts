import {
  addDeclarator,
  addParameters,
  contextCall,
  contextNames,
  type ContextCall,
  type ContextNames,
} from './context-names.ts'
import { argumentsOf, dottedName, eachChild, isFunction, isNode, parentsOf, type SyntaxNode } from './syntax.ts'

/** A function whose code runs as one sequence: its body, and the callbacks written inline in it. */
export interface Unit {
  readonly fn: SyntaxNode
  readonly names: ContextNames
  /** Whether a parameter of its own is a context: a handler, or a helper that is passed one. */
  readonly takesContext: boolean
  /** Every node of it in source order, without the bodies of steps, polls, hooks and other units. */
  readonly nodes: readonly SyntaxNode[]
  /** Functions handed to `step`, `waitFor` and `onAttemptEnd`, with what they were handed to. */
  readonly bodies: readonly { readonly fn: SyntaxNode; readonly of: ContextCall }[]
}

/** A file's functions, and who calls whom by name. */
export interface SourceModel {
  readonly root: SyntaxNode
  readonly parents: ReadonlyMap<SyntaxNode, SyntaxNode>
  readonly units: readonly Unit[]
  /** Units by the name they are called by. */
  readonly byName: ReadonlyMap<string, Unit>
}

/** Cuts a file into units. */
export function modelOf(root: SyntaxNode): SourceModel {
  const parents = parentsOf(root)
  const units: Unit[] = []
  const byName = new Map<string, Unit>()

  const open = (fn: SyntaxNode, outer: ContextNames | undefined): void => {
    const names = contextNames(outer)
    const takesContext = addParameters(fn, names)
    const nodes: SyntaxNode[] = []
    const bodies: { fn: SyntaxNode; of: ContextCall }[] = []
    const later: SyntaxNode[] = []
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'VariableDeclarator') addDeclarator(node, names)
      const call = contextCall(node, names)
      if (isFunction(node) && node !== fn) {
        const receiver = receiverOf(node, parents, names)
        if (receiver !== undefined) bodies.push({ fn: node, of: receiver })
        else if (!isInline(node, parents)) later.push(node)
        if (receiver !== undefined || !isInline(node, parents)) return
      }
      eachChild(node, visit)
      if (call !== undefined || node !== fn) nodes.push(node)
    }
    visit(fn)
    const unit = { fn, names, takesContext, nodes, bodies }
    units.push(unit)
    const name = nameOf(fn, parents)
    if (name !== undefined) byName.set(name, unit)
    for (const inner of [...later, ...bodies.map((body) => body.fn)]) open(inner, names)
  }
  open(root, undefined)
  return { root, parents, units, byName }
}

/** What a function is handed to, if that is a method of the context. */
function receiverOf(fn: SyntaxNode, parents: SourceModel['parents'], names: ContextNames): ContextCall | undefined {
  const parent = parents.get(fn)
  if (parent === undefined || !argumentsOf(parent).includes(fn)) return undefined
  const call = contextCall(parent, names)
  return call === 'ask' ? undefined : call
}

/** A callback without a name of its own, which runs where it stands: of `map`, of a promise, or called on the spot. */
function isInline(fn: SyntaxNode, parents: SourceModel['parents']): boolean {
  const parent = parents.get(fn)
  if (parent === undefined) return false
  if (parent.type !== 'CallExpression' && parent.type !== 'NewExpression') return false
  if (addParameters(fn, contextNames())) return false
  const callee = isNode(parent.callee) ? dottedName(parent.callee) : undefined
  return callee === undefined || !LISTENERS.test(callee)
}

/** Callees that keep a callback for later instead of running it in sequence. */
const LISTENERS =
  /(^|\.)(on|once|addListener|addEventListener|setTimeout|setInterval|setImmediate|queueMicrotask|tool|prompt|resource|use|method)$/

function nameOf(fn: SyntaxNode, parents: SourceModel['parents']): string | undefined {
  if (isNode(fn.id)) return String(fn.id.name)
  const parent = parents.get(fn)
  if (parent?.type !== 'VariableDeclarator' || !isNode(parent.id)) return undefined
  return parent.id.type === 'Identifier' ? String(parent.id.name) : undefined
}
