import { RondoError } from '../errors/rondo-error.ts'
import { type Entry, type Journal, JOURNAL_VERSION, newJournal, type OpenAsk } from './journal.ts'
import { type Outcome, type PutAsk } from './outcome.ts'
import { type Replay } from './replay.ts'

/** Ends the attempt with everything that is awaited, or with the reason why it may not go out (E2, E11, E18). */
export function suspend(replay: Replay): void {
  replay.owner.finish(suspension(replay))
}

function suspension(replay: Replay): Outcome<never> {
  const { owner } = replay
  const now = owner.host.now()
  const open: OpenAsk[] = []
  const asks: PutAsk[] = []
  try {
    for (const ask of [...replay.asks].sort((a, b) => a.order - b.order)) {
      const put = ask.put(now)
      open.push(put.open)
      asks.push(put.ask)
    }
    const error =
      asks.length === 0
        ? waitExceeded(replay, now - waitingSince(replay, now))
        : (asksExceeded(replay, asks.length, asks, owner.options.journal?.n ?? 0) ?? owner.options.admit?.(asks))
    if (error !== undefined) return { kind: 'failed', error }
  } catch (error) {
    return { kind: 'failed', error }
  }
  return written(replay, open, asks, now)
}

/** What goes into the journal came from outside too: nesting that cannot be written must not get past the attempt. */
function written(replay: Replay, open: readonly OpenAsk[], asks: readonly PutAsk[], now: number): Outcome<never> {
  try {
    const journal = write(replay, open, now)
    const text = JSON.stringify(journal)
    const error = tooLarge(text, journal, replay.limits.journalBytes)
    return error ? { kind: 'failed', error } : { kind: 'suspended', asks, journal, text }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

function write(replay: Replay, asked: readonly OpenAsk[], now: number): Journal {
  const { owner } = replay
  const old = owner.options.journal ?? newJournal(owner.startedAt, owner.callId)
  return {
    v: JOURNAL_VERSION,
    id: old.id,
    t: old.t,
    n: old.n + (asked.length > 0 ? 1 : 0),
    w: asked.length > 0 ? undefined : waitingSince(replay, now),
    f: facts(owner.facts ?? old.f),
    e: replay.delivery.entries(),
    // What the handler has not come to in this attempt is not out, but its deadline and its count stay.
    o: [...asked, ...replay.open.values()],
  }
}

/** Facts of earlier rounds stay, whether or not this attempt looked at them. */
function facts(known: Iterable<readonly [string, unknown]> | undefined): Journal['f'] {
  const f = known ? [...known] : []
  return f.length > 0 ? f : undefined
}

function waitingSince(replay: Replay, now: number): number {
  return (replay.progressed ? undefined : replay.owner.options.journal?.w) ?? now
}

/** The error for waiting too long, `waited` milliseconds, for something outside (E18). */
export function waitExceeded(replay: Replay, waited: number): RondoError | undefined {
  if (waited < replay.limits.waitTime) return undefined
  const waits = [...replay.waits].map(({ key }) => JSON.stringify(key)).join(', ')
  return new RondoError(
    'WAIT_TIME',
    `Waited for ${waits} for ${seconds(waited)}, the limit (waitTime), without result.`,
  )
}

/** The error for too many asks at once, `count`, or for `asks` that go out after too many rounds, `rounds` (E18). */
export function asksExceeded(
  { limits }: Replay,
  count: number,
  asks: readonly PutAsk[],
  rounds: number,
): RondoError | undefined {
  if (count > limits.asksPerRound) {
    return new RondoError(
      'ASKS_EXCEEDED',
      `${count} asks are awaited together; the limit (asksPerRound) is ${limits.asksPerRound}. Await some before ` +
        `the others, or ask for a list in one form.`,
    )
  }
  if (rounds >= limits.rounds) {
    const keys = asks.map(({ key }) => JSON.stringify(key)).join(', ')
    return new RondoError(
      'ROUNDS_EXCEEDED',
      `The call has asked in ${limits.rounds} rounds, the limit (rounds), and now asks ${keys}. Is there a loop that ` +
        `never gets the answer it wants?`,
    )
  }
  return undefined
}

function tooLarge(text: string, journal: Journal, limit: number): RondoError | undefined {
  // A character takes one to three bytes: most journals need no count.
  if (text.length * 3 <= limit) return undefined
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= limit) return undefined
  const size = (entry: Entry): number => JSON.stringify(entry).length
  const largest = journal.e
    .map((entry) => ({ key: entry[1], size: size(entry) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, 3)
    .map(({ key, size }) => `${JSON.stringify(key)} (${size})`)
  return new RondoError(
    'JOURNAL_TOO_LARGE',
    `The journal of the call is ${bytes} bytes, over the limit (journalBytes) of ${limit}. Its largest entries: ` +
      `${largest.join(', ')}. Let steps return only what the handler needs.`,
  )
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
