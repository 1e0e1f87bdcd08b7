import { tsPlugin } from '@sveltejs/acorn-typescript'
import { Parser, type Options } from 'acorn'

/** A node of the syntax tree (ESTree, with the TypeScript nodes beside it). Its members depend on its `type`. */
export interface SyntaxNode {
  readonly type: string
  /** Offsets into the text. */
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: { readonly line: number; readonly column: number } }
  readonly [member: string]: unknown
}

/** A comment and the line it starts on, from 1. */
export interface SourceComment {
  readonly text: string
  readonly line: number
  /** Whether nothing but blanks stands before it on its line. */
  readonly alone: boolean
}

/** A file as read: its tree, or why it cannot be read and where (line from 1, column from 1). */
export type Source =
  | { readonly ok: true; readonly root: SyntaxNode; readonly comments: readonly SourceComment[] }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number }

const plain = Parser.extend(tsPlugin())
const withJsx = Parser.extend(tsPlugin({ jsx: true }))

/**
 * Reads a JavaScript or TypeScript module.
 *
 * @param fileName decides whether `<` may open JSX: `.tsx`, `.jsx` and `.js` files
 */
export function readSource(text: string, fileName: string): Source {
  const parser = /\.(tsx|jsx|js)$/.test(fileName) ? withJsx : plain
  const first = attempt(parser, text)
  if (first.ok) return first
  // The parser does not know `const` type parameters of methods. Blanking the word keeps every position.
  const eased = text.replace(/([<,]\s*)const(?=\s+[A-Z_$][\w$]*\s*(?:[,>=]|extends\b))/g, '$1     ')
  return eased === text ? first : attempt(parser, eased)
}

function attempt(parser: typeof Parser, text: string): Source {
  const comments: SourceComment[] = []
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    onComment: (_block, comment, start, _end, at) => {
      const lineStart = text.lastIndexOf('\n', start - 1) + 1
      const alone = text.slice(lineStart, start).trim() === ''
      comments.push({ text: comment, line: at?.line ?? 1, alone })
    },
  }
  try {
    return { ok: true, root: parser.parse(text, options) as unknown as SyntaxNode, comments }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } }
    return { ok: false, message, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 }
  }
}

/** Whether `value` is a node of the tree. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** Calls `visit` with each direct child of `node`, in source order. */
export function eachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  for (const key in node) {
    if (key === 'loc') continue
    const value = node[key]
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item)
    } else if (isNode(value)) visit(value)
  }
}

/** Parent of every node below `root`. */
export function parentsOf(root: SyntaxNode): ReadonlyMap<SyntaxNode, SyntaxNode> {
  const parents = new Map<SyntaxNode, SyntaxNode>()
  const walk = (node: SyntaxNode): void =>
    eachChild(node, (child) => {
      parents.set(child, node)
      walk(child)
    })
  walk(root)
  return parents
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Whether `node` is a function with a body. */
export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type) && isNode(node.body)
}

/** `node` without the wrappers that change nothing at run time: `as`, `satisfies`, `!`, parentheses, `?.` chains. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  let inner = node
  while (WRAPPERS.has(inner.type) && isNode(inner.expression)) inner = inner.expression
  return inner
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'ParenthesizedExpression',
  'ChainExpression',
])

/**
 * Dotted name of an identifier or of a member chain of identifiers (`ctx.ask.form`), or `undefined` for anything else.
 * Calls inside the chain are written `()`: `db.table().insert`.
 */
export function dottedName(expression: SyntaxNode): string | undefined {
  const node = unwrap(expression)
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'ThisExpression') return 'this'
  if (node.type === 'CallExpression' && isNode(node.callee)) {
    const callee = dottedName(node.callee)
    return callee === undefined ? undefined : `${callee}()`
  }
  if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return undefined
  const object = dottedName(node.object)
  if (object === undefined) return undefined
  if (node.computed === true)
    return typeof node.property.value === 'string' ? `${object}.${node.property.value}` : `${object}.[]`
  return `${object}.${String(node.property.name)}`
}

/** Arguments of a call or `new`, spread elements included. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return Array.isArray(call.arguments) ? call.arguments.filter(isNode) : []
}
