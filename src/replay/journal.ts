import { type Failure } from './failure.ts'
import { isJournal } from './journal-shape.ts'

/** Version of the journal's form that this release writes. */
export const JOURNAL_VERSION = 1

/** An answered ask; `answer` is the raw answer, parsed again in every attempt. */
export type AskEntry = readonly ['a', key: string, kind: string, print: string, puts: number, answer: unknown]
/** An ask whose deadline passed before an answer came. */
export type LateEntry = readonly ['l', key: string, kind: string, print: string, puts: number]
/** An answered ask that had to be put again: its place in the order; the rest is in {@link Journal.o}. */
export type ReopenedEntry = readonly ['o', key: string]
/** A finished step; without a third element its result was `undefined`. */
export type StepEntry = readonly ['s', key: string, value?: unknown]
export type StepFailedEntry = readonly ['f', key: string, failure: Failure]
/** A wait that is over. */
export type WaitEntry = readonly ['w', key: string, value: unknown]
export type WaitFailedEntry = readonly ['x', key: string, failure: Failure]

export type SettledAsk = AskEntry | LateEntry
export type SettledWork = StepEntry | StepFailedEntry | WaitEntry | WaitFailedEntry
export type Entry = SettledAsk | SettledWork | ReopenedEntry

/** An ask that is out, unanswered. Short names, since it travels in every token; what is `undefined` is not written. */
export interface OpenAsk {
  /** Key. */
  readonly k: string
  /** Kind. */
  readonly y: string
  /** Fingerprint of the question as put last. */
  readonly p: string
  /** Times it was put, each with another text or reason than the last. */
  readonly n: number
  /** Times an answer did not fit. */
  readonly u?: number | undefined
  /** Reason the last answer did not fit. */
  readonly x?: string | undefined
  /** Times it was answered and then found reworded. */
  readonly r?: number | undefined
  /** The question as put last, for people; kept once it was reworded. */
  readonly m?: string | undefined
  /** Deadline, milliseconds since the epoch (E15). */
  readonly d?: number | undefined
}

/**
 * The ordered record of a call (E19): plain, compact JSON, written with `JSON.stringify` and read with
 * {@link readJournal}. Opaque outside this folder.
 */
export interface Journal {
  readonly v: typeof JOURNAL_VERSION
  /** Call id. */
  readonly id: string
  /** When the call began, milliseconds since the epoch. */
  readonly t: number
  /** Rounds so far that put an ask. */
  readonly n: number
  /** Since when rounds have passed that put no ask and brought nothing. */
  readonly w?: number | undefined
  /** Facts (E15). */
  readonly f?: readonly (readonly [name: string, value: unknown])[] | undefined
  /** Settled asks, steps and waits, in the order they were settled. */
  readonly e: readonly Entry[]
  /** Asks that are out, in the order asked. */
  readonly o: readonly OpenAsk[]
}

/** A journal in which nothing is recorded yet. */
export function newJournal(now: number, callId: string): Journal {
  return { v: JOURNAL_VERSION, id: callId, t: now, n: 0, e: [], o: [] }
}

/**
 * Reads what `JSON.stringify(journal)` wrote. `undefined` when `text` is not a journal of a version this release knows:
 * it comes from a sealed token, but an older release may have sealed it, and protection can be left off. Never throws.
 */
export function readJournal(text: string): Journal | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isJournal(value, JOURNAL_VERSION) ? (value as Journal) : undefined
}
