import { type Flow } from './flow.ts'
import { type Imported } from './imports.ts'
import { type RuleName } from './finding.ts'
import { type SyntaxNode } from './syntax.ts'

/** What a rule looks at. */
export interface LintFile {
  readonly flow: Flow
  readonly imports: ReadonlyMap<string, Imported>
}

/** What a rule found: where, what happens, and what to do. */
export interface Hit {
  readonly node: SyntaxNode
  readonly rule: RuleName
  readonly message: string
  readonly advice: string
}

/** A rule of `rondo check`. */
export type Rule = (file: LintFile) => readonly Hit[]
