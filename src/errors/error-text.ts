/** Whether `thrown` is an error, of this realm or another: test runners and `vm` have several. May throw. */
export function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]'
}

/** What was thrown, as text. Never throws: what cannot even be read is told as that. */
export function errorText(thrown: unknown): string {
  try {
    const text: unknown = isError(thrown) ? thrown.message : thrown
    return String(text)
  } catch {
    return 'Something was thrown that cannot be read'
  }
}
