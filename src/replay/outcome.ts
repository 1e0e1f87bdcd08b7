import { type Journal } from './journal.ts'

/** An ask as it goes out in a round. */
export interface PutAsk {
  /** Key on the wire: the ask's key, and `~2`, `~3` … when it was put again with another text or reason (E9). */
  readonly key: string
  readonly kind: string
  /** What is put to the caller, opaque to the engine. */
  readonly payload: unknown
}

/** How an attempt ended. An attempt never rejects: middleware and dispatch see values (E6). */
export type Outcome<R> =
  | { readonly kind: 'completed'; readonly value: R }
  | Suspended
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' }

/** The handler waits for answers (`asks`), or, when there is no ask, for something outside: the caller retries later. */
export interface Suspended {
  readonly kind: 'suspended'
  readonly asks: readonly PutAsk[]
  readonly journal: Journal
  /** `JSON.stringify(journal)`, made anyway to measure it. */
  readonly text: string
}

/** Something worth telling the operator or the author. Never carries an answer. */
export interface ReplayLog {
  readonly level: 'debug' | 'warn' | 'error'
  readonly code: string
  readonly message: string
  /** What an author's function threw, where that is the subject. */
  readonly cause?: unknown
  /** What it is about, where saying so once for a handler is enough. */
  readonly once?: string
}
