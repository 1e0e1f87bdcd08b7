/** How one expression of RFC 6570 is written: `''` for a simple one. */
type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&'

/** One variable of an expression. */
interface Variable {
  readonly name: string
  /** `*`: a list or a map, spread out. */
  readonly explode: boolean
  /** `:n`: the first `n` characters alone. */
  readonly prefix: number | undefined
}

/** A piece of a URI that a template describes, in the order they come. */
export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'variable'
      readonly name: string
      /** Characters that end the value. */
      readonly stops: string
      readonly maxLength: number
    }
  /** Pairs of a query or its continuation, any of them, in any order: to the end of the query. */
  | {
      readonly kind: 'query'
      /** Characters it may begin with. */
      readonly leads: string
      readonly names: readonly string[]
      /** Those of the names that may come several times. */
      readonly lists: readonly string[]
    }

const OPERATORS = '+#./;?&'
const RESERVED_FOR_LATER = '=,!@|'
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*)(\*|:[1-9]\d{0,3})?$/

/**
 * The pieces of a template.
 *
 * @param encode Writes literal text as an expanded URI has it.
 * @throws SyntaxError saying what is wrong with the template.
 * @see RFC 6570, "Syntax"
 */
export function templateParts(template: string, encode: (literal: string) => string): Part[] {
  const parts: Part[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const text = template.slice(at, open === -1 ? undefined : open)
    if (text.includes('}')) throw new SyntaxError('it has a } without {')
    if (text !== '') parts.push({ kind: 'literal', text: encode(text) })
    if (open === -1) break
    const close = template.indexOf('}', open)
    if (close === -1) throw new SyntaxError('it has a { without }')
    parts.push(...expressionParts(template.slice(open + 1, close)))
    at = close + 1
  }
  checkOrder(parts)
  return mergeQueries(parts).map((part, index, all) => narrowed(part, all.slice(index + 1)))
}

/** Names of the variables, in the order they come. */
export function variableNames(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : part.kind === 'query' ? part.names : []))
}

function expressionParts(expression: string): Part[] {
  const first = expression[0] ?? ''
  if (first !== '' && RESERVED_FOR_LATER.includes(first)) throw new SyntaxError(`its operator ${first} is reserved`)
  const operator = (first !== '' && OPERATORS.includes(first) ? first : '') as Operator
  const variables = expression.slice(operator.length).split(',').map(variable)
  if (operator === '?' || operator === '&') {
    const lists = variables.filter(({ explode }) => explode).map(({ name }) => name)
    return [{ kind: 'query', leads: operator, names: variables.map(({ name }) => name), lists }]
  }
  return variables.flatMap((one, index) => [
    ...lead(operator, one, index === 0),
    valuePart(operator, one, variables.length),
  ])
}

function variable(text: string): Variable {
  const [, name, modifier] = VARIABLE.exec(text) ?? []
  if (name === undefined) throw new SyntaxError(`${JSON.stringify(text)} is no variable`)
  const prefix = modifier?.startsWith(':') ? Number(modifier.slice(1)) : undefined
  return { name, explode: modifier === '*', prefix }
}

function lead(operator: Operator, { name }: Variable, isFirst: boolean): Part[] {
  if (operator === ';') return [{ kind: 'literal', text: `;${name}=` }]
  if (operator === '.' || operator === '/') return [{ kind: 'literal', text: operator }]
  if (!isFirst) return [{ kind: 'literal', text: ',' }]
  return operator === '#' ? [{ kind: 'literal', text: '#' }] : []
}

function valuePart(operator: Operator, { name, explode, prefix = Infinity }: Variable, count: number): Part {
  const stops = {
    '': `/?#${count > 1 ? ',' : ''}`,
    '+': count > 1 ? ',' : '',
    '#': count > 1 ? ',' : '',
    '.': `/?#${explode ? '' : '.'}`,
    '/': `?#${explode ? '' : '/'}`,
    ';': '/?#;',
    '?': '',
    '&': '',
  }[operator]
  return { kind: 'variable', name, stops, maxLength: prefix }
}

function checkOrder(parts: readonly Part[]): void {
  const names = variableNames(parts)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SyntaxError(`its variable ${twice} comes twice`)
  parts.forEach((part, index) => {
    const next = parts[index + 1]
    if (part.kind === 'variable' && next?.kind === 'variable') {
      throw new SyntaxError(`nothing tells where its variable ${part.name} ends and ${next.name} begins`)
    }
    if (part.kind === 'query' && next !== undefined && !endsQuery(next)) {
      throw new SyntaxError('only a fragment may come after its query')
    }
  })
}

function endsQuery(next: Part): boolean {
  return next.kind === 'query' || (next.kind === 'literal' && next.text.startsWith('#'))
}

/** `{?a}{&b}` is one query: pairs of it may be left out, and come in any order. */
function mergeQueries(parts: readonly Part[]): Part[] {
  const merged: Part[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.kind !== 'query' || last?.kind !== 'query') merged.push(part)
    else {
      const names = [...last.names, ...part.names]
      merged.splice(-1, 1, {
        kind: 'query',
        leads: last.leads + part.leads,
        names,
        lists: [...last.lists, ...part.lists],
      })
    }
  }
  return merged
}

/** A value stops where a query or a fragment of the template begins. */
function narrowed(part: Part, later: readonly Part[]): Part {
  if (part.kind !== 'variable') return part
  const query = later.some(({ kind }) => kind === 'query') ? '?' : ''
  const fragment = later.some((other) => other.kind === 'literal' && other.text.startsWith('#')) ? '#' : ''
  return { ...part, stops: part.stops + query + fragment }
}
