/** What was received, for an error's text: cut, so that an error never sends back more than it was sent. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}

/** What stands where a name should, for an error's text. Never throws. */
export function nameText(name: unknown): string {
  if (typeof name === 'string') return JSON.stringify(name)
  return (typeof name === 'object' && name !== null) || typeof name === 'function'
    ? `of a ${typeof name}`
    : String(name)
}
