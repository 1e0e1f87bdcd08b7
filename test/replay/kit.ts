import { Attempt, type AttemptOptions } from '../../src/replay/attempt.ts'
import { type AskSpec, type Checked } from '../../src/replay/ask.ts'
import { type Journal, readJournal } from '../../src/replay/journal.ts'
import { type Outcome, type ReplayLog, type Suspended } from '../../src/replay/outcome.ts'

/** What a test's ask may differ in from the plainest one. */
export type AskOptions<A> = Partial<AskSpec<A>> & { readonly message?: string }

/** An ask whose answer is any value but `undefined`; `'unfit'` does not fit. */
export function spec<A = unknown>(name: string, options: AskOptions<A> = {}): AskSpec<A> {
  const { message = `${name}?`, ...rest } = options
  return {
    kind: 'form',
    name,
    print: message,
    schemaPrint: 'any',
    text: message,
    payload: { message },
    withReason: (payload, reason) => ({ ...(payload as object), reason }),
    check: (answer) => accept<A>(answer),
    ...rest,
  }
}

function accept<A>(answer: unknown): Checked<A> {
  if (answer === undefined) return { ok: 'missing' }
  if (answer === 'unfit') return { ok: false, reason: 'not like that' }
  return { ok: true, value: answer as A }
}

/** What a test's handler is given. */
export interface Ctx {
  readonly attempt: Attempt
  ask<A = unknown>(name: string, options?: AskOptions<A>): PromiseLike<A>
  step: Attempt['step']
  waitFor: Attempt['waitFor']
}

export type Handler<R> = (ctx: Ctx) => R | PromiseLike<R>

export interface RoundOptions extends AttemptOptions {
  /** Called with the attempt before the handler runs. */
  readonly onAttempt?: (attempt: Attempt) => void
}

/** Runs one round of a handler. */
export function round<R>(handler: Handler<R>, options: RoundOptions = {}): Outcome<R> | Promise<Outcome<R>> {
  const { onAttempt, ...rest } = options
  const attempt = new Attempt(rest)
  onAttempt?.(attempt)
  return attempt.run(() =>
    handler({
      attempt,
      ask: (name, askOptions) => attempt.ask(spec(name, askOptions)),
      step: (name, fn, stepOptions) => attempt.step(name, fn, stepOptions),
      waitFor: (name, poll, waitOptions) => attempt.waitFor(name, poll, waitOptions),
    }),
  )
}

/** A suspended outcome, or a failure of the test that says what came instead. */
export function suspended(outcome: Outcome<unknown>): Suspended {
  if (outcome.kind === 'suspended') return outcome
  throw new Error(`expected a suspension, got ${describe(outcome)}`, {
    cause: outcome.kind === 'failed' ? outcome.error : undefined,
  })
}

function describe(outcome: Outcome<unknown>): string {
  if (outcome.kind === 'failed') return `failed: ${String(outcome.error)}`
  return JSON.stringify(outcome)
}

/** Keys of the asks that went out. */
export function keys(outcome: Outcome<unknown>): string[] {
  return suspended(outcome).asks.map(({ key }) => key)
}

/** The journal as the next request brings it: through its text. */
export function carried(outcome: Outcome<unknown>): Journal {
  const journal = readJournal(JSON.stringify(suspended(outcome).journal))
  if (!journal) throw new Error('the journal cannot be read back')
  return journal
}

/** Answers as a request brings them. */
export function answers(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(given))
}

/**
 * Runs a call: round after round, each with the next of `given`, until it is no longer suspended or they are used up.
 * Gives the outcome of every round.
 */
export async function rounds<R>(
  handler: Handler<R>,
  given: readonly Readonly<Record<string, unknown>>[],
  options: RoundOptions = {},
): Promise<Outcome<R>[]> {
  const outcomes = [await round(handler, options)]
  for (const answer of given) {
    const last = outcomes.at(-1) as Outcome<R>
    if (last.kind !== 'suspended') break
    outcomes.push(await round(handler, { ...options, journal: carried(last), answers: answers(answer) }))
  }
  return outcomes
}

/** Collects what is logged. */
export function logbook(): {
  readonly log: (event: ReplayLog) => void
  readonly events: ReplayLog[]
  codes(): string[]
} {
  const events: ReplayLog[] = []
  return { log: (event) => void events.push(event), events, codes: () => events.map(({ code }) => code) }
}

/** Resolves after `ms`, as work outside the journal does. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Resolves after `count` macrotask turns. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => setImmediate(resolve))
}
