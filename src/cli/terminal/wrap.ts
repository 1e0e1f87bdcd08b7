import { piecesOf, widthOf } from './width.ts'

const TAB_STOP = 4

/**
 * A text as the rows it is drawn in: its lines, broken at blanks where that is possible, none wider than `columns`. Tabs
 * become blanks, since a terminal does not wrap at them.
 *
 * @param columns at least 2; `Infinity` breaks nothing
 */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(withoutTabs(line), Math.max(columns, 2)))
}

/** The same with every row after the first set in by `indent` blanks. */
export function hung(text: string, columns: number, indent = 4): string {
  const rows = wrap(text, columns)
  const [first = '', ...more] = rows.length === 1 ? rows : wrap(text, columns - indent)
  return [first, ...more.map((row) => `${' '.repeat(indent)}${row}`)].join('\n')
}

function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line]
  const rows: string[] = []
  let row = ''
  let width = 0
  const end = (next: string): void => {
    rows.push(row.replace(DANGLING, ''))
    row = next
    width = widthOf(next)
  }
  for (const word of line.split(/(?<=\s)(?=\S)/u)) {
    const wide = widthOf(word.trimEnd())
    if (row !== '' && width + wide > columns && wide <= columns) end('')
    for (const piece of piecesOf(word, columns)) {
      const blank = piece.text.trim() === ''
      if (width + piece.width > columns && !blank) end('')
      row += piece.text
      width += piece.width
    }
  }
  end('')
  return rows
}

/** Blanks at the end of a row, and joiners, by which some terminals draw the next row's first character into this one. */
const DANGLING = /[\s\u200c\u200d]+$/u

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  let shown = ''
  for (const part of line.split(/(\t)/)) {
    shown += part === '\t' ? ' '.repeat(TAB_STOP - (widthOf(shown) % TAB_STOP)) : part
  }
  return shown
}
