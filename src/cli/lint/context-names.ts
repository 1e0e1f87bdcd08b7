import { argumentsOf, dottedName, isFunction, isNode, unwrap, type SyntaxNode } from './syntax.ts'

/** Methods of `ctx.ask`. */
const ASKS = new Set(['form', 'url', 'confirm', 'choice', 'text', 'number', 'sample', 'roots'])

/** Local names under which a piece of code reaches its call's context and its methods. */
export interface ContextNames {
  /** `ctx` itself, and what `ctx.scope()` gave. */
  readonly contexts: Set<string>
  /** `ctx.ask` under a name of its own. */
  readonly asks: Set<string>
  /** A single method of `ctx.ask`. */
  readonly askMethods: Set<string>
  readonly steps: Set<string>
  readonly waits: Set<string>
  /** `ctx.scope` under a name of its own. */
  readonly scopes: Set<string>
}

/** What a call on the context is. `hook` is `onAttemptEnd`. */
export type ContextCall = 'ask' | 'step' | 'wait' | 'hook'

/** A copy of `outer` to add to, or an empty set of names. */
export function contextNames(outer?: ContextNames): ContextNames {
  return {
    contexts: new Set(outer?.contexts),
    asks: new Set(outer?.asks),
    askMethods: new Set(outer?.askMethods),
    steps: new Set(outer?.steps),
    waits: new Set(outer?.waits),
    scopes: new Set(outer?.scopes),
  }
}

/** What `call` does with the context, or `undefined` when it is something else. */
export function contextCall(call: SyntaxNode, names: ContextNames): ContextCall | undefined {
  if (call.type !== 'CallExpression' || !isNode(call.callee)) return undefined
  const path = dottedName(call.callee)?.replaceAll('.scope()', '').split('.')
  if (path === undefined) return undefined
  const [first = '', second = '', third = ''] = path
  if (path.length === 1) {
    if (names.askMethods.has(first)) return 'ask'
    if (names.steps.has(first) && takesFunction(call)) return 'step'
    return names.waits.has(first) && takesFunction(call) ? 'wait' : undefined
  }
  if (path.length === 2 && names.asks.has(first) && ASKS.has(second)) return 'ask'
  if (!isContextName(first, names)) return undefined
  if (path.length === 3 && second === 'ask' && ASKS.has(third)) return 'ask'
  if (path.length !== 2) return undefined
  return METHODS.get(second)
}

const METHODS = new Map<string, ContextCall>([
  ['step', 'step'],
  ['waitFor', 'wait'],
  ['onAttemptEnd', 'hook'],
])

function takesFunction(call: SyntaxNode): boolean {
  return argumentsOf(call).length >= 2
}

/** Adds what the parameters of `fn` bring. True when one of them is a context. */
export function addParameters(fn: SyntaxNode, names: ContextNames): boolean {
  const params = Array.isArray(fn.params) ? fn.params.filter(isNode) : []
  let found = false
  for (const param of params) {
    const target = param.type === 'AssignmentPattern' && isNode(param.left) ? param.left : param
    if (target.type === 'ObjectPattern') found = addPattern(target, names) || found
    else if (target.type === 'Identifier' && isContext(target, fn)) {
      names.contexts.add(String(target.name))
      found = true
    }
  }
  return found
}

function isContext(param: SyntaxNode, fn: SyntaxNode): boolean {
  const name = String(param.name)
  if (name === 'ctx' || name === 'context' || typeName(param)?.endsWith('Context') === true) return true
  return isFunction(fn) && usedAsContext(fn.body as SyntaxNode, name)
}

function typeName(param: SyntaxNode): string | undefined {
  const annotation = isNode(param.typeAnnotation) ? param.typeAnnotation.typeAnnotation : undefined
  if (!isNode(annotation) || annotation.type !== 'TSTypeReference' || !isNode(annotation.typeName)) return undefined
  return dottedName(annotation.typeName)
}

function usedAsContext(node: SyntaxNode, name: string): boolean {
  if (node.type === 'MemberExpression') {
    const path = dottedName(node)?.split('.')
    if (path?.[0] === name && path[1] === 'ask' && ASKS.has(path[2] ?? '')) return true
  }
  for (const key in node) {
    const value = node[key]
    const found = Array.isArray(value)
      ? value.some((item) => isNode(item) && usedAsContext(item, name))
      : key !== 'loc' && isNode(value) && usedAsContext(value, name)
    if (found) return true
  }
  return false
}

function addPattern(pattern: SyntaxNode, names: ContextNames): boolean {
  let found = false
  for (const property of Array.isArray(pattern.properties) ? pattern.properties.filter(isNode) : []) {
    const key = isNode(property.key) ? String(property.key.name) : ''
    const value = isNode(property.value) ? property.value : undefined
    const target = value?.type === 'AssignmentPattern' && isNode(value.left) ? value.left : value
    if (target === undefined || !MEMBERS.some((member) => member === key)) continue
    found = true
    if (target.type === 'ObjectPattern' && key === 'ask') addAskMethods(target, names)
    else if (target.type === 'Identifier') setFor(key, names).add(String(target.name))
  }
  return found
}

function setFor(key: string, names: ContextNames): Set<string> {
  if (key === 'ask') return names.asks
  if (key === 'scope') return names.scopes
  return key === 'step' ? names.steps : names.waits
}

function addAskMethods(pattern: SyntaxNode, names: ContextNames): void {
  for (const property of Array.isArray(pattern.properties) ? pattern.properties.filter(isNode) : []) {
    const key = isNode(property.key) ? String(property.key.name) : ''
    if (ASKS.has(key) && isNode(property.value) && property.value.type === 'Identifier') {
      names.askMethods.add(String(property.value.name))
    }
  }
}

/** Adds what a declaration `const … = …` makes of the context. */
export function addDeclarator(declarator: SyntaxNode, names: ContextNames): void {
  if (!isNode(declarator.id) || !isNode(declarator.init)) return
  const init = unwrap(declarator.init)
  const path = dottedName(init)?.replaceAll('.scope()', '').split('.')
  if (path === undefined) return
  const source = path.length === 1 && isContextName(path[0] ?? '', names) ? 'context' : memberOf(path, names)
  if (source === undefined) return
  const { id } = declarator
  if (id.type === 'ObjectPattern') {
    if (source === 'context') addPattern(id, names)
    else if (source === 'ask') addAskMethods(id, names)
  } else if (id.type === 'Identifier') {
    const name = String(id.name)
    if (source === 'context') names.contexts.add(name)
    else setFor(source, names).add(name)
  }
}

type Member = 'ask' | 'step' | 'waitFor' | 'scope'

function memberOf(path: readonly string[], names: ContextNames): Member | undefined {
  const [first = '', second = ''] = path
  if (path.length === 1 && names.asks.has(first)) return 'ask'
  if (path.length !== 2 || !isContextName(first, names)) return undefined
  return MEMBERS.find((member) => member === second)
}

const MEMBERS: readonly Member[] = ['ask', 'step', 'waitFor', 'scope']

/** Whether the first part of a dotted name is a context: one by name, or what a `scope` taken off one gives. */
function isContextName(first: string, names: ContextNames): boolean {
  return names.contexts.has(first) || (first.endsWith('()') && names.scopes.has(first.slice(0, -2)))
}
