/** One thing wrong with a value. */
export interface Issue {
  /** Property names and array indexes from the root; empty for the root itself. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The issues as text for people and models, one a line, at most `limit` of them. */
export function issuesText(issues: readonly Issue[], limit = 20): string {
  const lines = issues
    .slice(0, limit)
    .map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`))
  return issues.length > limit ? [...lines, `and ${issues.length - limit} more`].join('\n') : lines.join('\n')
}

/** A path as one would write it in code: `a.b[0]`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    if (!/^[\w$-]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

/** The path a JSON Pointer names within `root`, with array indexes as numbers. */
export function pointerPath(pointer: string, root: unknown): (string | number)[] {
  const path: (string | number)[] = []
  let value = root
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(key) : key)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  }
  return path
}
