import { type Failure } from '../replay/failure.ts'
import { type Entry, readJournal } from '../replay/journal.ts'

/** One thing a call has recorded. */
export interface RecordView {
  readonly kind: 'ask' | 'ask, deadline passed' | 'ask, put again' | 'step' | 'step, failed' | 'wait' | 'wait, failed'
  readonly key: string
  /** The raw answer, the result, or the failure. */
  readonly value: unknown
}

/** What travels in a token of a call that asks: for tests to look at, never to rely on its form. */
export interface JournalView {
  readonly callId: string
  /** Rounds so far that put an ask. */
  readonly rounds: number
  /** What is settled, in order. */
  readonly records: readonly RecordView[]
  /** Keys of asks that are out. */
  readonly open: readonly string[]
  /** Bytes of its text. */
  readonly bytes: number
}

const KINDS: Readonly<Record<Entry[0], RecordView['kind']>> = {
  a: 'ask',
  l: 'ask, deadline passed',
  o: 'ask, put again',
  s: 'step',
  f: 'step, failed',
  w: 'wait',
  x: 'wait, failed',
}

/** Reads a journal's text; `undefined` for a state that a handler of the return form wrote. */
export function journalView(text: string): JournalView | undefined {
  const journal = readJournal(text)
  if (journal === undefined) return undefined
  return {
    callId: journal.id,
    rounds: journal.n,
    records: journal.e.map((entry) => ({ kind: KINDS[entry[0]], key: entry[1], value: valueOf(entry) })),
    open: journal.o.map(({ k }) => k),
    bytes: new TextEncoder().encode(text).length,
  }
}

function valueOf(entry: Entry): unknown {
  switch (entry[0]) {
    case 'a':
      return entry[5]
    case 's':
    case 'w':
      return entry[2]
    case 'f':
    case 'x':
      return entry[2] satisfies Failure
    case 'l':
    case 'o':
      return undefined
  }
}
