import { contextCall, type ContextCall } from './context-names.ts'
import { type Hit, type LintFile, type Rule } from './rule.ts'
import { argumentsOf, type SyntaxNode } from './syntax.ts'

/** `nested-in-step`: an ask, a wait or a step inside a step or a poll ends the call. */
export const nestedInStep: Rule = (file) => [...nestedInline(file), ...nestedByName(file)]

function nestedInline({ flow }: LintFile): readonly Hit[] {
  const bodies = flow.model.units.flatMap((unit) => unit.bodies.filter((body) => body.of !== 'hook'))
  return flow.model.units.flatMap((unit) => {
    const inside = bodies.find(({ fn }) => fn.start <= unit.fn.start && unit.fn.end <= fn.end)
    if (inside === undefined) return []
    const outer = outerName(inside.of)
    const asking = new Set(flow.asks(unit).map((point) => point.node))
    return unit.nodes.flatMap((node) => {
      const call = contextCall(node, unit.names)
      if ((call === undefined || call === 'hook') && !asking.has(node)) return []
      const what = call === undefined ? 'A call that asks' : `${call === 'ask' ? 'An' : 'A'} ${call}`
      return [nestedHit(node, what, outer)]
    })
  })
}

/** Steps whose function is named and stands elsewhere in the file. */
function nestedByName({ flow }: LintFile): readonly Hit[] {
  return flow.model.units.flatMap((unit) =>
    unit.nodes.flatMap((node) => {
      const call = contextCall(node, unit.names)
      const given = call === 'step' || call === 'wait' ? argumentsOf(node)[1] : undefined
      const named = given?.type === 'Identifier' ? flow.model.byName.get(String(given.name)) : undefined
      if (given === undefined || named === undefined) return []
      const nests =
        flow.asks(named).length > 0 || named.nodes.some((inner) => contextCall(inner, named.names) === 'step')
      return nests ? [nestedHit(given, 'A function that asks or takes a step', outerName(call))] : []
    }),
  )
}

function outerName(call: ContextCall | undefined): string {
  return call === 'step' ? 'a step' : "a wait's poll"
}

function nestedHit(node: SyntaxNode, what: string, outer: string): Hit {
  return {
    node,
    rule: 'nested-in-step',
    message: `${what} inside ${outer} ends the call with STEP_NESTED: a step is recorded whole, or not at all.`,
    advice: 'Move it out: ask first, then hand the answer to the step.',
  }
}
