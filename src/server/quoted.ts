/** What was received, for an error's text: cut, so that an error never sends back more than it was sent. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
