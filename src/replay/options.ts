import { type Host } from './host.ts'
import { type Journal } from './journal.ts'
import { type ReplayLimits } from './limits.ts'
import { type PutAsk, type ReplayLog } from './outcome.ts'

/** A caller who can be asked while the handler waits: the attempt then lasts as long as the call. */
export interface LiveCaller {
  /**
   * Called whenever the handler can go no further without an answer, with everything that is out, in the order asked, what
   * was put before included. Answers go to `Attempt.answer`.
   */
  put(asks: readonly PutAsk[]): void
  /** The ask of this wire key is no longer wanted: its deadline has passed, or the attempt has ended. */
  withdraw(key: string): void
}

/** What an attempt is given by the layer above. */
export interface AttemptOptions {
  /** What the caller brought back; `undefined` in the first round. Never changed. */
  readonly journal?: Journal | undefined
  /** Makes the id of a new call; called once, when it is first needed. */
  callId?(): string
  /** Raw answers of this request, by wire key. Without a journal they answer nothing (E17). */
  readonly answers?: ReadonlyMap<string, unknown> | undefined
  /** Set where the caller can be asked while the handler waits: asks then go to it and the attempt is not suspended. */
  readonly live?: LiveCaller | undefined
  readonly limits?: Partial<ReplayLimits> | undefined
  /** Whether these asks may go out to this caller: an error to end the call with, or `undefined` (E11). */
  admit?(asks: readonly PutAsk[]): unknown
  /** Key of a step for `tools.idempotencyKey` (E14). Without it: call id and step key, which no other answer changes. */
  idempotencyKey?(stepKey: string): string | Promise<string>
  /** What an answered ask that the handler left out means; `warn` by default (E16). */
  readonly onDivergence?: 'warn' | 'fail' | undefined
  /** Whether an ask or step inside a step is looked for; by default where the host does it for nothing (E10). */
  readonly detectNesting?: boolean | undefined
  log?(event: ReplayLog): void
  /** `tools.log` of a step; by default an event of {@link log}. */
  stepLog?(message: string, data: unknown, stepKey: string): void
  readonly host?: Host | undefined
}
