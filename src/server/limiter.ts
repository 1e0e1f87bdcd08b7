import { WireError } from '../errors/wire-error.ts'
import { checkOptions, refuse } from './definition.ts'

/** How much one principal may ask of the server. All who are anonymous share one allowance. */
export interface LimiterOptions {
  /** Calls a second, in the long run; 10,000 by default. */
  readonly perSecond?: number | undefined
  /** Calls that may come at once after a pause; twice `perSecond` by default. */
  readonly burst?: number | undefined
  /** Calls that may run at the same time; 1,024 by default. A call that waits for a person's answer is not running. */
  readonly concurrent?: number | undefined
  /** Principals remembered; 10,000 by default. Those that have been quiet longest are forgotten first. */
  readonly principals?: number | undefined
}

/** What the limiter remembers of one principal. Given by {@link Limiter.enter} and handed back to {@link Limiter.leave}. */
export interface LimiterSlot {
  /** When all calls let through so far are paid for at the long-run rate, in milliseconds of the limiter's clock. */
  paid: number
  running: number
  /** Calls whose client is being asked: they run no handler. */
  waiting: number
}

/** What a refused caller is told in the error's `data`. */
export interface RateLimitedData {
  /** Milliseconds after which a call is let through again, if nothing else comes between. */
  readonly retryAfterMs: number
}

const DEFAULTS = { perSecond: 10_000, concurrent: 1024, principals: 10_000 } as const

/** What a caller is told to wait when it has too many calls running: when one ends is not known. */
const BUSY_RETRY_MS = 1000

const monotonic: () => number = performance.now.bind(performance)

/** Clocks count in fractions: who waited as long as they were told must get in. */
const ROUNDING = 1e-6

/**
 * Limits the calls of each principal: a token bucket for their rate, kept as the time at which it is full again, and a
 * bound on those that run at once (server/tools and server/utilities/completion, "Security": servers must rate limit).
 *
 * @throws RondoError `DEFINITION_INVALID` for options that make no sense.
 */
export class Limiter {
  /** Milliseconds that one call costs. */
  readonly #price: number
  /** Milliseconds that calls may run ahead of their payment. */
  readonly #credit: number
  readonly #concurrent: number
  readonly #principals: number
  readonly #now: () => number
  readonly #slots = new Map<string, LimiterSlot>()

  /** @param now milliseconds; for tests. */
  constructor(options: LimiterOptions = {}, now: () => number = monotonic) {
    checkLimits(options)
    const perSecond = options.perSecond ?? DEFAULTS.perSecond
    const burst = options.burst ?? Math.max(1, perSecond * 2)
    this.#price = 1000 / perSecond
    this.#credit = (burst - 1) * this.#price + ROUNDING
    this.#concurrent = options.concurrent ?? DEFAULTS.concurrent
    this.#principals = options.principals ?? DEFAULTS.principals
    this.#now = now
  }

  /** How many principals are remembered. */
  get size(): number {
    return this.#slots.size
  }

  /**
   * Lets a call begin. Every slot it gives must be handed to {@link leave} once, when the call is over.
   *
   * @throws WireError `RATE_LIMITED` with {@link RateLimitedData}.
   */
  enter(principal: string): LimiterSlot {
    const now = this.#now()
    const slot = this.#slots.get(principal) ?? this.#open(principal, now)
    if (slot.running >= this.#concurrent) {
      throw refusal(`Too many calls at once: ${this.#concurrent} may run. Wait for one to end.`, BUSY_RETRY_MS)
    }
    const early = slot.paid - now - this.#credit
    if (early > 0) {
      const wait = Math.max(1, Math.ceil(early))
      throw refusal(`Too many calls: try again in ${wait} ms.`, wait)
    }
    slot.paid = Math.max(slot.paid, now) + this.#price
    slot.running += 1
    return slot
  }

  /**
   * Says that a call which runs waits for a person: another may run in its place. As many may wait as may run; who has more
   * gets no place for them.
   *
   * @returns whether the place was given up, to be taken back by {@link resume}.
   */
  pause(slot: LimiterSlot): boolean {
    if (slot.waiting >= this.#concurrent) return false
    slot.waiting += 1
    slot.running -= 1
    return true
  }

  /** The person answered. The call runs on at once, be it as one too many: its caller has waited for it. */
  resume(slot: LimiterSlot): void {
    slot.waiting -= 1
    slot.running += 1
  }

  /** Says that a call which {@link enter} let begin is over. */
  leave(slot: LimiterSlot): void {
    slot.running -= 1
  }

  #open(principal: string, now: number): LimiterSlot {
    if (this.#slots.size >= this.#principals) this.#forget(now)
    const slot = { paid: now, running: 0, waiting: 0 }
    this.#slots.set(principal, slot)
    return slot
  }

  /**
   * Makes room, a quarter at a time so that the sweep is rare: first those whose forgetting changes nothing, then the
   * oldest. Who has calls running is kept, else `concurrent` would not hold.
   */
  #forget(now: number): void {
    const target = this.#principals - Math.max(1, this.#principals >> 2)
    for (const [principal, slot] of this.#slots) {
      if (isIdle(slot) && slot.paid <= now) this.#slots.delete(principal)
    }
    for (const [principal, slot] of this.#slots) {
      if (this.#slots.size <= target) break
      if (isIdle(slot)) this.#slots.delete(principal)
    }
  }
}

function isIdle({ running, waiting }: LimiterSlot): boolean {
  return running === 0 && waiting === 0
}

function checkLimits(options: LimiterOptions): void {
  const where = 'Option rateLimit'
  checkOptions(options, ['perSecond', 'burst', 'concurrent', 'principals'], where)
  for (const [name, value] of Object.entries(options)) {
    const whole = name !== 'perSecond'
    if (value === undefined || (typeof value === 'number' && value > 0 && (!whole || value >= 1))) continue
    refuse(where, `${name} must be a number ${whole ? 'from 1 up' : 'above zero'}, not ${JSON.stringify(value)}.`)
  }
}

function refusal(message: string, retryAfterMs: number): WireError {
  const data: RateLimitedData = { retryAfterMs }
  return new WireError('RATE_LIMITED', message, { data })
}
