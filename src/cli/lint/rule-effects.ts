import { effectOf, unstableValue, type Effect } from './effects.ts'
import { type AskPoint, type Flow } from './flow.ts'
import { mayFollow } from './order.ts'
import { contextCall } from './context-names.ts'
import { type Hit, type LintFile, type Rule } from './rule.ts'
import { argumentsOf, dottedName, isNode, type SyntaxNode } from './syntax.ts'
import { type Unit } from './units.ts'

/** `effect-before-ask`: what is not in a step is done again in every round until the last ask is answered. */
export const effectBeforeAsk: Rule = (file) =>
  file.flow.model.units.flatMap((unit) => {
    if (file.flow.asks(unit).length === 0) return []
    return unit.nodes.flatMap((node) => {
      const effect = effectAt(node, unit, file, new Set())
      const ask = effect === undefined ? undefined : file.flow.askAfter(unit, node)
      return effect === undefined || ask === undefined ? [] : [effectHit(node, effect, ask)]
    })
  })

function effectHit(node: SyntaxNode, effect: Effect, ask: AskPoint): Hit {
  return {
    node,
    rule: 'effect-before-ask',
    message: `The handler runs again from the top each round, so ${effect.what} happens again each time until ${askName(ask)} has its answer.`,
    advice: "Put it in ctx.step('name', …), which runs once and keeps its result, or after the last ask.",
  }
}

function effectAt(node: SyntaxNode, unit: Unit, file: LintFile, seen: Set<Unit>): Effect | undefined {
  const effect = effectOf(node, file.imports)
  if (effect !== undefined) return effect.onlyAwaited === true && !isAwaited(node, file.flow) ? undefined : effect
  const callee = node.type === 'CallExpression' ? file.flow.unitOf(node) : undefined
  if (callee === undefined || callee === unit || callee.takesContext || seen.has(callee)) return undefined
  seen.add(callee)
  for (const inner of callee.nodes) {
    const found = effectAt(inner, callee, file, seen)
    if (found !== undefined) return { what: `${found.what} in ${dottedName(node.callee as SyntaxNode) ?? 'it'}()` }
  }
  return undefined
}

/** Whether the promise of `call` is awaited, returned or handed on where it is made. */
function isAwaited(call: SyntaxNode, flow: Flow): boolean {
  const { parents } = flow.model
  for (let at = parents.get(call); at !== undefined; at = parents.get(at)) {
    if (at.type === 'AwaitExpression' || at.type === 'ReturnStatement' || at.type === 'ArrowFunctionExpression')
      return true
    if (!['MemberExpression', 'CallExpression', 'ArrayExpression', 'ChainExpression'].includes(at.type)) return false
  }
  return false
}

/** `unstable-value`: a clock or chance read in a handler gives another value in each attempt. */
export const unstableValues: Rule = (file) =>
  file.flow.model.units.flatMap((unit) => {
    const steps = unit.nodes.filter((node) => contextCall(node, unit.names) === 'step')
    if (steps.length === 0 && file.flow.asks(unit).length === 0) return []
    return unit.nodes.flatMap((node) => {
      const value = unstableValue(node, file.imports)
      if (value === undefined) return []
      const { parents } = file.flow.model
      const later = file.flow.askAfter(unit, node) !== undefined || steps.some((step) => mayFollow(parents, step, node))
      if (!later) return []
      const message = `${value.name} gives another value each time the handler runs again: text, branches and step inputs made from it change between rounds.`
      return [
        {
          node,
          rule: 'unstable-value' as const,
          message,
          advice: `Use ${value.instead}, which is recorded, or take it in a step.`,
        },
      ]
    })
  })

/** How to speak of an ask: by its key where that is written out. */
export function askName(ask: AskPoint): string {
  const key = argumentsOf(ask.node)[0]
  const line = ask.node.loc.start.line
  const named = key !== undefined && typeof key.value === 'string' && isNode(ask.node.callee)
  if (named) return `"${String(key.value)}" (line ${line})`
  return `the ask on line ${line}`
}
