/** Every bound of the replay engine (rule E18): what a call may ask, hold and take. Times in milliseconds. */
export interface ReplayLimits {
  /** Rounds of one call that put asks. Breach: `ROUNDS_EXCEEDED`. */
  readonly rounds: number
  /** Asks that go out in one round. Breach: `ASKS_EXCEEDED`. */
  readonly asksPerRound: number
  /** Size of the journal, in bytes of its JSON text. Breach: `JOURNAL_TOO_LARGE`. */
  readonly journalBytes: number
  /** Time one attempt may take; no time of a person's is in it. Breach: `HANDLER_TIME`. */
  readonly handlerTime: number
  /** Time a call may spend in rounds that put no ask (waits) without getting on. Breach: `WAIT_TIME`. */
  readonly waitTime: number
  /** Times an ask is put again because its answer did not fit. Breach: `ASK_UNFIT`. */
  readonly unfit: number
  /** Times an answered ask is put again because its question changed. Breach: `ASK_UNSTABLE`. */
  readonly reworded: number
  /** How long a recorded answer that the handler has not asked for yet is waited for, in quiet (E2). */
  readonly grace: number
  /** How long `waitFor` keeps polling inside a round, counted from the start of the attempt. */
  readonly hold: number
  /** Time between two polls of one `waitFor`. */
  readonly every: number
  /** How long the end of an attempt waits for its `onEnd` functions (E5). */
  readonly cleanup: number
}

/** The bounds in force where an option does not say otherwise. */
export const DEFAULT_LIMITS: ReplayLimits = Object.freeze({
  rounds: 64,
  asksPerRound: 32,
  journalBytes: 128 * 1024,
  handlerTime: 60_000,
  waitTime: 15 * 60_000,
  unfit: 3,
  reworded: 2,
  grace: 1_000,
  hold: 20_000,
  every: 1_000,
  cleanup: 5_000,
})
