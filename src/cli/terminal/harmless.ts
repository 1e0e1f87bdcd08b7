/**
 * Characters that can move the cursor, hide text or reorder it: C0 and C1 controls, DEL, bidirectional overrides,
 * zero-width and other invisible characters, line and paragraph separators, lone surrogates.
 */
const HARMFUL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

/**
 * Text from a server as it may be printed: what a terminal would act on is written out instead (`\x1b`, `\u202e`).
 * Line feeds and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HARMFUL, escaped)
}

/** The same on one line: line feeds become a blank, and what is longer than `limit` characters is cut. */
export function oneLine(text: string, limit = 200): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}

/** JSON in which every such character is escaped, so that it can be printed and parsed back. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(HARMFUL, (found) =>
    found === '\n' ? found : [...found].flatMap((c) => codeUnits(c)).join(''),
  )
}

function escaped(found: string): string {
  const code = found.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

function codeUnits(character: string): string[] {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  )
}
