/** What was thrown, as text. Never throws: what cannot even be read is told as that. */
export function errorText(thrown: unknown): string {
  try {
    const text: unknown = thrown instanceof Error ? thrown.message : thrown
    return String(text)
  } catch {
    return 'Something was thrown that cannot be read'
  }
}
