/** What kind of thing a value is, with its article, for the text of an error. Never shows the value: it may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A value as an author wrote it, for the text of an error: objects and functions by their kind. Never throws. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' || typeof value === 'function' ? kindOf(value) : String(value)
}
