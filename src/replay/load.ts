import { type Delivery } from './delivery.ts'
import { type Journal, type OpenAsk, type SettledAsk } from './journal.ts'
import { wireKey } from './names.ts'

/**
 * Fills the queue with what is settled: the journal's entries in their order, then the asks that this request answers or
 * whose deadline has passed, in the order asked (E19). Gives the asks that are still open, by key. Answers under any
 * other key answer nothing (E17).
 */
export function loadJournal(
  delivery: Delivery,
  journal: Journal,
  answers: ReadonlyMap<string, unknown> | undefined,
  now: () => number,
): Map<string, OpenAsk> {
  const open = new Map(journal.o.map((ask) => [ask.k, ask]))
  const settle = (ask: OpenAsk): SettledAsk | undefined => {
    const settled = settledBy(ask, answers, now)
    if (settled) open.delete(ask.k)
    return settled
  }

  let excused = false
  let placed: Set<string> | undefined
  for (const entry of journal.e) {
    if (entry[0] !== 'o') {
      delivery.expect(entry, true, undefined, excused)
      continue
    }
    const ask = open.get(entry[1])
    if (!ask) continue
    ;(placed ??= new Set()).add(ask.k)
    const settled = settle(ask)
    if (settled) delivery.expect(settled, true, ask, excused)
    else {
      delivery.keepPlace(entry)
      excused = true
    }
  }
  for (const ask of journal.o) {
    const settled = placed?.has(ask.k) ? undefined : settle(ask)
    if (settled) delivery.expect(settled, false, ask, false)
  }
  return open
}

function settledBy(
  ask: OpenAsk,
  answers: ReadonlyMap<string, unknown> | undefined,
  now: () => number,
): SettledAsk | undefined {
  const key = wireKey(ask.k, ask.n)
  return answers?.has(key) || isLate(ask, now) ? settledAs(ask, answers?.get(key), now) : undefined
}

/** What the journal keeps of an answer. A deadline is a promise: an answer that comes after it is late, too. */
export function settledAs(ask: OpenAsk, answer: unknown, now: () => number): SettledAsk {
  return isLate(ask, now) ? ['l', ask.k, ask.y, ask.p, ask.n] : ['a', ask.k, ask.y, ask.p, ask.n, answer]
}

function isLate(ask: OpenAsk, now: () => number): boolean {
  return ask.d !== undefined && now() >= ask.d
}
