import { contextCall } from './context-names.ts'
import { mayFollow } from './order.ts'
import { argumentsOf, dottedName, isNode, type SyntaxNode } from './syntax.ts'
import { type SourceModel, type Unit } from './units.ts'

/** A place where the call may be suspended. */
export interface AskPoint {
  /** The call that asks. */
  readonly node: SyntaxNode
  /** The `await` that waits for it, where it is another node; else the call. */
  readonly awaited: SyntaxNode
  /** Whether it asks for certain. A context passed to a function of another file may or may not ask. */
  readonly certain: boolean
}

/** What the rules ask about a file: which code asks, and what comes before what. */
export class Flow {
  readonly model: SourceModel
  readonly #asks = new Map<Unit, readonly AskPoint[]>()
  readonly #usesContext: boolean

  constructor(model: SourceModel, importsRondo: boolean) {
    this.model = model
    this.#usesContext =
      importsRondo || model.units.some((unit) => unit.nodes.some((node) => contextCall(node, unit.names) !== undefined))
  }

  /** Where `unit` may be suspended: asks, waits, and calls of functions that have one. */
  asks(unit: Unit): readonly AskPoint[] {
    const known = this.#asks.get(unit)
    if (known !== undefined) return known
    this.#asks.set(unit, []) // a function that calls itself
    const points = unit.nodes.flatMap((node) => this.#askPoint(node, unit))
    this.#asks.set(unit, points)
    return points
  }

  #askPoint(node: SyntaxNode, unit: Unit): readonly AskPoint[] {
    if (node.type !== 'CallExpression') return []
    const own = contextCall(node, unit.names)
    const certain = own === 'ask' || own === 'wait'
    if (!certain && (own !== undefined || !this.#mayAsk(node, unit))) return []
    const callee = this.unitOf(node)
    return [{ node, awaited: this.#awaitOf(node, unit), certain: certain || callee !== undefined }]
  }

  #mayAsk(call: SyntaxNode, unit: Unit): boolean {
    const callee = this.unitOf(call)
    if (callee !== undefined) return this.asks(callee).length > 0
    return this.#usesContext && passesContext(call, unit)
  }

  /** The function of this file that `call` calls by name. */
  unitOf(call: SyntaxNode): Unit | undefined {
    if (!isNode(call.callee)) return undefined
    const name = dottedName(call.callee)
    return name === undefined ? undefined : this.model.byName.get(name)
  }

  /** Whether the call may be suspended after `node` has run, and where: the first such place. */
  askAfter(unit: Unit, node: SyntaxNode): AskPoint | undefined {
    const { parents } = this.model
    return this.asks(unit).find((ask) => ask.node !== node && mayFollow(parents, ask.awaited, node))
  }

  /** The `await` of a call: around it, or of the variable it is kept in. */
  #awaitOf(call: SyntaxNode, unit: Unit): SyntaxNode {
    const { parents } = this.model
    for (let at: SyntaxNode | undefined = call; at !== undefined && at !== unit.fn; at = parents.get(at)) {
      if (at.type === 'AwaitExpression') return at
      if (at.type !== 'VariableDeclarator') continue
      const name = isNode(at.id) && at.id.type === 'Identifier' ? String(at.id.name) : undefined
      return (name === undefined ? undefined : this.awaitsOf(unit, name, at)[0]) ?? call
    }
    return call
  }

  /** Every `await` after `declared` in whose operand the variable `name` stands. */
  awaitsOf(unit: Unit, name: string, declared: SyntaxNode): readonly SyntaxNode[] {
    const uses = unit.nodes.filter(
      (node) => node.type === 'Identifier' && node.name === name && node.start > declared.end,
    )
    return unit.nodes.filter(
      (node) => node.type === 'AwaitExpression' && uses.some((use) => this.#isOperand(use, node)),
    )
  }

  /** Whether the promise `use` is itself what `awaiting` waits for, alone or in a combinator or a chain. */
  #isOperand(use: SyntaxNode, awaiting: SyntaxNode): boolean {
    const { parents } = this.model
    for (let child = use, at = parents.get(use); at !== undefined; child = at, at = parents.get(at)) {
      if (at === awaiting) return true
      if (!CARRIERS.has(at.type)) return false
      if (at.type === 'MemberExpression' && (at.object !== child || !isChained(at))) return false
      if (at.type === 'CallExpression' && at.callee !== child && !isCombinator(at)) return false
    }
    return false
  }
}

const CARRIERS = new Set([
  'ArrayExpression',
  'CallExpression',
  'MemberExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
])

/** `promise.then`, and what else gives a promise that fails with the first. */
function isChained({ property }: SyntaxNode): boolean {
  return isNode(property) && /^(then|catch|finally)$/.test(String(property.name))
}

/** Whether `call` is `Promise.all`, `race`, `any` or `allSettled`. */
export function isCombinator(call: SyntaxNode, which: RegExp = /^Promise\.(all|race|any|allSettled)$/): boolean {
  return call.type === 'CallExpression' && isNode(call.callee) && which.test(dottedName(call.callee) ?? '')
}

function passesContext(call: SyntaxNode, unit: Unit): boolean {
  return argumentsOf(call).some((argument) => {
    const name = dottedName(argument)?.replaceAll('.scope()', '')
    return name !== undefined && unit.names.contexts.has(name)
  })
}
