/**
 * JSON with one spelling for each value: members sorted by UTF-16 code units, no white space, numbers and strings as
 * `JSON.stringify` writes them (RFC 8785). Beyond that standard, so that no two values that differ for a handler have
 * the same text: a number too large for a double is written `Infinity`, and a lone surrogate is escaped.
 *
 * Members that are `undefined` are left out, as `JSON.stringify` does. Works at any depth.
 */
export function canonicalJson(value: unknown): string {
  return isCanonical(value, 0) ? (JSON.stringify(value) ?? 'null') : write(value)
}

/** Deeper values are written without the call stack. */
const SHALLOW = 200

/** Whether `JSON.stringify` gives the canonical text by itself, which is the usual case and several times faster. */
function isCanonical(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > SHALLOW) return false
  if (Array.isArray(value)) return value.every((item) => isCanonical(item, depth + 1))
  let previous: string | undefined
  for (const key of Object.keys(value)) {
    if (previous !== undefined && key < previous) return false
    if (!isCanonical((value as Record<string, unknown>)[key], depth + 1)) return false
    previous = key
  }
  return true
}

/** Text that stands as it is, between values that are still to be written. */
interface Literal {
  readonly text: string
}
type Task = { readonly value: unknown } | Literal

function write(root: unknown): string {
  let text = ''
  const tasks: Task[] = [{ value: root }]
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('text' in task) text += task.text
    else if (typeof task.value !== 'object' || task.value === null) text += scalar(task.value)
    else {
      const parts = partsOf(task.value)
      // One by one: a call does not take arguments without end.
      for (let i = parts.length - 1; i >= 0; i -= 1) tasks.push(parts[i] as Task)
    }
  }
  return text
}

function partsOf(value: object): Task[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, index): Task[] =>
      index === 0 ? [{ value: item }] : [{ text: ',' }, { value: item }],
    )
    return [{ text: '[' }, ...items, { text: ']' }]
  }
  const members = value as Record<string, unknown>
  const keys = Object.keys(members)
    .filter((key) => members[key] !== undefined)
    .sort((a, b) => (a < b ? -1 : 1))
  const parts = keys.flatMap((key, index): Task[] => [
    { text: `${index === 0 ? '' : ','}${JSON.stringify(key)}:` },
    { value: members[key] },
  ])
  return [{ text: '{' }, ...parts, { text: '}' }]
}

function scalar(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return JSON.stringify(value) ?? 'null'
}
