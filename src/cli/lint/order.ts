import { argumentsOf, dottedName, isFunction, isNode, type SyntaxNode } from './syntax.ts'

type Parents = ReadonlyMap<SyntaxNode, SyntaxNode>

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'])
const EACH = /\.(map|forEach|flatMap|reduce|filter|some|every|find)$/
const BRANCHES = new Set(['IfStatement', 'ConditionalExpression', 'SwitchStatement'])
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement'])

/**
 * Whether, in one run, `later` may run after `earlier` has: it stands further down, or both are in one loop; the two are
 * not in branches that exclude each other; and no `return` or `throw` in between leaves the function.
 */
export function mayFollow(parents: Parents, later: SyntaxNode, earlier: SyntaxNode): boolean {
  if (later === earlier) return inLoop(parents, later)
  const above = new Set<SyntaxNode>(lineage(parents, later))
  const path: SyntaxNode[] = []
  let node: SyntaxNode | undefined = earlier
  while (node !== undefined && !above.has(node)) {
    path.push(node)
    node = parents.get(node)
  }
  if (node === undefined || leaves(parents, path)) return false
  if (inLoop(parents, node)) return true
  return later.end >= earlier.end && !excluded(node, path, lineage(parents, later))
}

function lineage(parents: Parents, node: SyntaxNode): SyntaxNode[] {
  const up: SyntaxNode[] = []
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = parents.get(at)) up.push(at)
  return up
}

/** Whether the code on the way up from `path[0]` surely leaves its function before the top of `path` is left. */
function leaves(parents: Parents, path: readonly SyntaxNode[]): boolean {
  let left = false
  for (const node of path) {
    if (isFunction(node)) left = false
    else if (LEAVES.has(node.type)) left = true
    else {
      const parent = parents.get(node)
      const list = parent !== undefined && path.includes(parent) ? statementsOf(parent) : undefined
      const at = list?.indexOf(node) ?? -1
      if (list !== undefined && at >= 0 && list.slice(at + 1).some((statement) => LEAVES.has(statement.type)))
        left = true
    }
  }
  return left
}

function statementsOf(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  if (node.type === 'SwitchCase') return Array.isArray(node.consequent) ? node.consequent.filter(isNode) : undefined
  return node.type === 'BlockStatement' && Array.isArray(node.body) ? node.body.filter(isNode) : undefined
}

/** Whether `common` is a branching whose branches keep the two apart. */
function excluded(common: SyntaxNode, path: readonly SyntaxNode[], other: readonly SyntaxNode[]): boolean {
  if (!BRANCHES.has(common.type)) return false
  const mine = path.at(-1)
  const theirs = other[other.indexOf(common) - 1]
  const test = common.test ?? common.discriminant
  return mine !== undefined && mine !== test && theirs !== test && mine !== theirs
}

/** Whether `node` is in the body of a loop, or in a callback that is called once for each of several things. */
function inLoop(parents: Parents, node: SyntaxNode): boolean {
  let child = node
  for (let at = parents.get(node); at !== undefined; child = at, at = parents.get(at)) {
    if (LOOPS.has(at.type)) {
      if (child === at.body || child === at.test || child === at.update) return true
    } else if (isFunction(at)) {
      if (!runsForEach(parents, at)) return parents.get(at)?.type === 'CallExpression' && inLoop(parents, at)
      return true
    }
  }
  return false
}

function runsForEach(parents: Parents, fn: SyntaxNode): boolean {
  const call = parents.get(fn)
  if (call?.type !== 'CallExpression' || !isNode(call.callee) || !argumentsOf(call).includes(fn)) return false
  return EACH.test(dottedName(call.callee) ?? '')
}
