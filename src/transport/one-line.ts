/**
 * A JSON text without line breaks, for framings that end a message with one. JSON text can only have them between tokens,
 * where a space means the same.
 */
export function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\r\n]+/g, ' ') : json
}
