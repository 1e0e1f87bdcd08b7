const CELLS = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What may be drawn with nothing of its own: marks over the character before. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200c\u200d\ufe0e]$/u

/** Scripts and punctuation that every terminal draws one column wide. */
const NARROW = /^[\u0020-\u10ff\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2500-\u257f]$/u

/** Text in pieces that should not be cut in two, each with the columns it takes; one wider than `most` is cut all the same. */
export function piecesOf(text: string, most: number): { readonly text: string; readonly width: number }[] {
  return Array.from(CELLS.segment(text), ({ segment }) => segment)
    .flatMap((segment) => (widthOf(segment) > most ? [...segment] : [segment]))
    .map((piece) => ({ text: piece, width: widthOf(piece) }))
}

/** Text on one line, cut to `columns` at most. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let fit = ''
  let width = 0
  for (const piece of piecesOf(text, columns)) {
    width += piece.width
    if (width > columns - 1) break
    fit += piece.text
  }
  return `${fit}…`
}

/**
 * Columns a text on one line takes at most. Terminals do not agree on emoji, joined characters and symbols: what is not
 * known to be narrow counts two, so that a row is never longer than was reckoned.
 */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : NARROW.test(character) ? 1 : 2
  return width
}
