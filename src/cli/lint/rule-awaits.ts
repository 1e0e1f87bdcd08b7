import { contextCall } from './context-names.ts'
import { type Flow } from './flow.ts'
import { type Hit, type Rule } from './rule.ts'
import { isNode, unwrap, type SyntaxNode } from './syntax.ts'
import { type SourceModel, type Unit } from './units.ts'

/** `ask-not-awaited`: nothing is sent until an ask is awaited, and a promise in a condition is always true. */
export const askNotAwaited: Rule = ({ flow }) =>
  flow.model.units.flatMap((unit) =>
    unit.nodes.flatMap((node) => {
      const promise = promiseOf(node, unit, flow)
      if (promise === undefined) return []
      const misused = [node, ...usesOf(node, unit, flow.model)].flatMap((use) => {
        const misuse = misuseOf(use, flow.model)
        return misuse === undefined || (misuse === 'dropped' && use !== node) ? [] : [{ use, misuse }]
      })
      return misused.map(({ use, misuse }) => hit(use, promise, misuse))
    }),
  )

/** Whether `node` is an ask or a wait, or calls a function of this file that gives the promise of one. */
function promiseOf(node: SyntaxNode, unit: Unit, flow: Flow): 'ask' | 'helper' | undefined {
  const call = contextCall(node, unit.names)
  if (call === 'ask' || call === 'wait') return 'ask'
  const callee = call === undefined && node.type === 'CallExpression' ? flow.unitOf(node) : undefined
  if (callee === undefined || !flow.asks(callee).some(({ certain }) => certain)) return undefined
  return callee.fn.async === true || flow.asks(callee).some((point) => point.node === callee.fn.body)
    ? 'helper'
    : undefined
}

/** Where the constant that keeps the promise stands. */
function usesOf(promise: SyntaxNode, unit: Unit, { parents }: SourceModel): readonly SyntaxNode[] {
  const declarator = climb(promise, parents)
  if (declarator?.type !== 'VariableDeclarator' || parents.get(declarator)?.kind !== 'const') return []
  const { id } = declarator
  if (!isNode(id) || id.type !== 'Identifier') return []
  return unit.nodes.filter((node) => node.type === 'Identifier' && node.name === id.name && node.start > declarator.end)
}

/** What stands around `node`, wrappers that change nothing aside. */
function climb(node: SyntaxNode, parents: SourceModel['parents']): SyntaxNode | undefined {
  let at = parents.get(node)
  while (at !== undefined && unwrap(at) !== at && isNode(at.expression)) at = parents.get(at)
  return at
}

type Misuse = 'tested' | 'compared' | 'dropped'

function misuseOf(use: SyntaxNode, { parents }: SourceModel): Misuse | undefined {
  let child = use
  for (let at = parents.get(use); at !== undefined; child = at, at = parents.get(at)) {
    if (unwrap(at) !== at && isNode(at.expression)) continue
    if (at.type === 'ExpressionStatement')
      return child.type === 'LogicalExpression' || child === use ? 'dropped' : undefined
    if (at.type === 'UnaryExpression')
      return at.operator === '!' ? 'tested' : at.operator === 'void' ? 'dropped' : undefined
    if (at.type === 'BinaryExpression') return COMPARES.test(String(at.operator)) ? 'compared' : undefined
    if (at.type === 'SwitchStatement' && at.discriminant === child) return 'compared'
    if (at.type === 'LogicalExpression') continue
    return at.test === child && at.type !== 'SwitchCase' ? 'tested' : undefined
  }
  return undefined
}

const COMPARES = /^([!=]==?|[<>]=?)$/

const HAPPENS: Readonly<Record<Misuse, string>> = {
  tested: 'is tested, not its answer: the condition always holds',
  compared: 'is compared, not its answer: it equals nothing',
  dropped: 'is dropped',
}

function hit(node: SyntaxNode, promise: 'ask' | 'helper', misuse: Misuse): Hit {
  const [what, then] =
    promise === 'ask'
      ? ['The ask itself', 'nobody is asked until it is awaited']
      : ['The promise of a function that asks', 'the handler runs on before there is an answer']
  return {
    node,
    rule: 'ask-not-awaited',
    message: `${what} ${HAPPENS[misuse]}, and ${then}.`,
    advice: 'Write await before it.',
  }
}
