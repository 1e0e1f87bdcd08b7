import { contextCall } from './context-names.ts'
import { isCombinator, type AskPoint, type Flow } from './flow.ts'
import { type Imported } from './imports.ts'
import { mayFollow } from './order.ts'
import { type Hit, type LintFile, type Rule } from './rule.ts'
import { askName } from './rule-effects.ts'
import { argumentsOf, dottedName, eachChild, isNode, unwrap, type SyntaxNode } from './syntax.ts'
import { type Unit } from './units.ts'

/** `promise-across-ask`: work begun before an ask and awaited after it fails while nobody looks. */
export const promiseAcrossAsk: Rule = ({ flow }) =>
  flow.model.units.flatMap((unit) =>
    unit.nodes.flatMap((node) => {
      const name = promiseKept(node, unit, flow)
      if (name === undefined) return []
      const { parents } = flow.model
      const awaits = flow.awaitsOf(unit, name, node)
      const ask = flow
        .asks(unit)
        .find(
          (point) =>
            mayFollow(parents, point.awaited, node) &&
            !awaits.some((wait) => wait.end <= point.awaited.end && mayFollow(parents, wait, node)) &&
            awaits.some((wait) => mayFollow(parents, wait, point.awaited) && wait !== point.awaited),
        )
      return ask === undefined ? [] : [acrossHit(node, name, ask)]
    }),
  )

function acrossHit(node: SyntaxNode, name: string, ask: AskPoint): Hit {
  return {
    node,
    rule: 'promise-across-ask',
    message: `"${name}" is begun before ${askName(ask)} and awaited after it. Each round begins it again, and if it fails while the call waits for the answer, nobody catches it and Node ends the process.`,
    advice: `Await it before the ask, best in ctx.step('name', …), or begin it after the answer.`,
  }
}

/** Name of the variable in which `node` keeps the promise of a call that was begun and not awaited. */
function promiseKept(node: SyntaxNode, unit: Unit, flow: Flow): string | undefined {
  const assigned = node.type === 'AssignmentExpression' && node.operator === '='
  if (node.type !== 'VariableDeclarator' && !assigned) return undefined
  const target = assigned ? node.left : node.id
  const value = assigned ? node.right : node.init
  if (!isNode(target) || !isNode(value) || target.type !== 'Identifier') return undefined
  const call = unwrap(value)
  if (call.type !== 'CallExpression' && call.type !== 'NewExpression') return undefined
  if (contextCall(call, unit.names) !== undefined) return undefined
  if (isCombinator(call) && elementsOf(call, unit, flow).every((element) => element.kind === 'ask')) return undefined
  return String(target.name)
}

/** `catch-around-ask`: a sibling of an ask fails, and the catch runs before anybody was asked. */
export const catchAroundAsk: Rule = ({ flow }) =>
  flow.model.units.flatMap((unit) =>
    unit.nodes.flatMap((node) => {
      if (!isCombinator(node, /^Promise\.(all|race|any)$/)) return []
      const elements = elementsOf(node, unit, flow)
      const asks = elements.filter((element) => element.kind !== 'work')
      const mayFail = elements.some((element) => element.kind !== 'ask' && !handlesItself(element.node))
      if (asks.length === 0 || !mayFail || !caught(node, unit, flow)) return []
      return [
        {
          node,
          rule: 'catch-around-ask' as const,
          message:
            'What stands beside the ask may fail while the call waits for the answer. The catch then runs, and everything after it, before anybody was asked.',
          advice:
            "Await the other work on its own, best in ctx.step('name', …), or give it a .catch() of its own inside the list.",
        },
      ]
    }),
  )

/** `timer-races-ask`: each round starts the timer anew, so that it never wins. */
export const timerRacesAsk: Rule = ({ flow, imports }) =>
  flow.model.units.flatMap((unit) =>
    unit.nodes.flatMap((node) => {
      if (!isCombinator(node, /^Promise\.(race|any)$/)) return []
      const elements = elementsOf(node, unit, flow)
      const timer = elements.some((element) => isTimer(element.node, { flow, imports }))
      if (!timer || !elements.some((element) => element.kind !== 'work')) return []
      return [
        {
          node,
          rule: 'timer-races-ask' as const,
          message:
            'The call is suspended as soon as it waits for the ask, and each round starts the timer anew: it never wins.',
          advice: "Give the ask the deadline: { within: '10 min' }. It then comes back as cancelled.",
        },
      ]
    }),
  )

interface Element {
  readonly node: SyntaxNode
  /** `maybe` asks and does other things beside. */
  readonly kind: 'ask' | 'maybe' | 'work'
}

/** What a combinator waits for: the elements of its list, variables followed to what they were set to. */
function elementsOf(combinator: SyntaxNode, unit: Unit, flow: Flow): readonly Element[] {
  const list = argumentsOf(combinator)[0]
  if (list === undefined) return []
  const listed = unwrap(resolve(list, unit))
  const items = listed.type === 'ArrayExpression' && Array.isArray(listed.elements) ? listed.elements : [listed]
  return items.filter(isNode).map((item) => {
    const node = unwrap(resolve(item, unit))
    return { node, kind: kindOf(node, unit, flow) }
  })
}

function resolve(node: SyntaxNode, unit: Unit): SyntaxNode {
  const inner = unwrap(node)
  if (inner.type !== 'Identifier') return inner
  const declared = unit.nodes.find(
    (other) => other.type === 'VariableDeclarator' && isNode(other.id) && other.id.name === inner.name,
  )
  return declared !== undefined && isNode(declared.init) ? unwrap(declared.init) : inner
}

function kindOf(node: SyntaxNode, unit: Unit, flow: Flow): Element['kind'] {
  const call = contextCall(node, unit.names)
  if (call === 'ask' || call === 'wait') return 'ask'
  if (isCombinator(node)) {
    const kinds = elementsOf(node, unit, flow).map((element) => element.kind)
    return kinds.every((kind) => kind === 'ask') ? 'ask' : kinds.every((kind) => kind === 'work') ? 'work' : 'maybe'
  }
  const inside = flow.asks(unit).filter((point) => point.node.start >= node.start && point.node.end <= node.end)
  if (inside.length === 0) return 'work'
  return inside.some((point) => point.node === node && point.certain && isThinHelper(node, flow)) ? 'ask' : 'maybe'
}

/** Whether a helper of this file does nothing but ask. */
function isThinHelper(call: SyntaxNode, flow: Flow): boolean {
  const callee = flow.unitOf(call)
  return (
    callee !== undefined &&
    callee.nodes.every((node) => node.type !== 'CallExpression' || flow.asks(callee).some((p) => p.node === node))
  )
}

/** Whether an element catches its own failure: `work().catch(…)`. */
function handlesItself(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { property } = node.callee
  if (!isNode(property)) return false
  return property.name === 'catch' || (property.name === 'then' && argumentsOf(node).length > 1)
}

/** Whether a failure of `node` ends in a `catch` of the same unit. */
function caught(node: SyntaxNode, unit: Unit, { model: { parents } }: Flow): boolean {
  let child = node
  for (let at = parents.get(node); at !== undefined && child !== unit.fn; child = at, at = parents.get(at)) {
    if (at.type === 'TryStatement' && at.block === child && isNode(at.handler)) return true
    const chained = at.type === 'MemberExpression' && at.object === child ? parents.get(at) : undefined
    if (chained !== undefined && handlesItself(chained)) return true
  }
  return false
}

const TIMERS = /(^|\.)(sleep|delay|timeout|setTimeout|wait|pause|after|timer|rejectAfter|timeoutAfter)$/i

/** Whether `node` is a timer by its name, by its import, or by what its function in this file does. */
function isTimer(node: SyntaxNode, file: LintFile, depth = 0): boolean {
  if (node.type === 'NewExpression') return mentionsTimer(node)
  if (node.type !== 'CallExpression' || !isNode(node.callee) || depth > 3) return false
  const name = dottedName(node.callee) ?? ''
  if (TIMERS.test(name) || importedTimer(name, file.imports)) return true
  return file.flow.unitOf(node)?.nodes.some((inner) => isTimer(inner, file, depth + 1)) === true
}

function importedTimer(name: string, imports: ReadonlyMap<string, Imported>): boolean {
  return imports.get(name.split('.')[0] ?? '')?.module === 'timers/promises'
}

function mentionsTimer(node: SyntaxNode): boolean {
  let found = node.type === 'Identifier' && /^set(Timeout|Interval|Immediate)$/.test(String(node.name))
  eachChild(node, (child) => {
    if (!found) found = mentionsTimer(child)
  })
  return found
}
