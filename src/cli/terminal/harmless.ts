import { fitted } from './width.ts'

/** Letters that a joiner or non-joiner may follow: those of the scripts whose letters change where they meet. */
const JOINED = ['Arabic', 'Syriac', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu']
  .concat(['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')

/**
 * Characters that can move the cursor, hide text or reorder it: C0 and C1 controls, DEL, line and paragraph separators,
 * whatever has no picture of its own (bidirectional overrides, zero-width characters, fillers, tags), lone surrogates, and
 * marks that are heaped up over other rows. A joiner stays between letters that it joins, and so does the selector that gives
 * an emoji its colour.
 */
const HARMFUL = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]`,
    String.raw`(?![\u200c\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}`,
    String.raw`(?<!\p{Emoji})[\ufe0e\ufe0f]`,
    String.raw`(?<![${JOINED}])\u200c`,
    String.raw`(?<![${JOINED}])\u200d`,
    String.raw`\u200d(?!\p{L})`,
    String.raw`\p{Cs}`,
    String.raw`(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]`,
  ].join('|'),
  'gu',
)

/** Joiners of emoji. Terminals do not agree on what they join, so joined emoji are shown apart. */
const EMOJI_JOINERS = /(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Text from a server as it may be printed: what a terminal would act on is written out instead (`\x1b`, `\u202e`).
 * Line feeds and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(EMOJI_JOINERS, '').replace(HARMFUL, escaped)
}

/** The same on one line: line feeds become a blank, and what takes more than `limit` columns is cut. */
export function oneLine(text: string, limit = 200): string {
  return fitted(harmless(text).replace(/\s+/g, ' ').trim(), limit)
}

/** JSON in which every such character is escaped, so that it can be printed and parsed back. */
export function harmlessJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(HARMFUL, (found) =>
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
