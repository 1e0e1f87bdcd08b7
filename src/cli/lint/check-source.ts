import { type Finding } from './finding.ts'
import { Flow } from './flow.ts'
import { importsOf } from './imports.ts'
import { type Hit, type Rule } from './rule.ts'
import { askNotAwaited } from './rule-awaits.ts'
import { catchAroundAsk, promiseAcrossAsk, timerRacesAsk } from './rule-concurrency.ts'
import { effectBeforeAsk, unstableValues } from './rule-effects.ts'
import { nestedInStep } from './rule-nested.ts'
import { readSource, type SourceComment } from './syntax.ts'
import { modelOf } from './units.ts'

const ALL: readonly Rule[] = [
  promiseAcrossAsk,
  catchAroundAsk,
  effectBeforeAsk,
  unstableValues,
  nestedInStep,
  timerRacesAsk,
  askNotAwaited,
]

/**
 * Looks for replay traps in one module.
 *
 * @param file name to print, whose ending decides whether `<` may open JSX
 * @returns findings in the order of the text, without those that a `rondo-ok` comment silences
 */
export function checkSource(text: string, file: string): readonly Finding[] {
  const source = readSource(text, file)
  if (!source.ok) {
    const { message, line, column } = source
    return [{ file, line, column, rule: 'syntax', message, advice: 'Mend the file, or leave it out.' }]
  }
  const imports = importsOf(source.root)
  const importsRondo = [...imports.values()].some(({ module }) => /^rondo(\/|$)/.test(module))
  const flow = new Flow(modelOf(source.root), importsRondo)
  const silenced = silences(source.comments)
  const hits = ALL.flatMap((rule) => rule({ flow, imports }))
  return hits
    .map((hit) => findingOf(hit, file))
    .filter((finding) => silenced.get(finding.line)?.has(finding.rule) !== true)
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

function findingOf({ node, rule, message, advice }: Hit, file: string): Finding {
  const { line, column } = node.loc.start
  return { file, line, column: column + 1, rule, message, advice }
}

/** Rules silenced by line. A comment that stands alone speaks for the line after it. */
function silences(comments: readonly SourceComment[]): ReadonlyMap<number, ReadonlySet<string>> {
  const byLine = new Map<number, Set<string>>()
  for (const { text, line, alone } of comments) {
    const named = /^\s*rondo-ok:\s*([\w-]+(?:\s*,\s*[\w-]+)*)/.exec(text)?.[1]
    if (named === undefined) continue
    const at = alone ? line + 1 : line
    const rules = byLine.get(at) ?? new Set()
    for (const rule of named.split(',')) rules.add(rule.trim())
    byLine.set(at, rules)
  }
  return byLine
}
