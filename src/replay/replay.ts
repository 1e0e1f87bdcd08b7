import { contextIsFree, currentContext } from '#context'
import { RondoError } from '../errors/rondo-error.ts'
import { type ErrorCode } from '../errors/codes.ts'
import { type Consumer, Delivery, type Item } from './delivery.ts'
import { type Host, type Timer } from './host.ts'
import { type OpenAsk, type SettledAsk } from './journal.ts'
import { type ReplayLimits, DEFAULT_LIMITS } from './limits.ts'
import { loadJournal } from './load.ts'
import { nameProblem, Names, type Space } from './names.ts'
import { type AttemptOptions } from './options.ts'
import { type Outcome, type PutAsk, type ReplayLog } from './outcome.ts'
import { park } from './park.ts'
import { Turns } from './quiescence.ts'

/** The attempt, as its parts see it. */
export interface Owner {
  readonly options: AttemptOptions
  readonly host: Host
  readonly ended: boolean
  readonly signal: AbortSignal
  readonly callId: string
  /** When the attempt began, milliseconds since the epoch. */
  readonly startedAt: number
  readonly facts: ReadonlyMap<string, unknown> | undefined
  finish(outcome: Outcome<never>): void
  /** Stops the clock of the attempt's time, until {@link resume}: what passes now is not the handler's (E18). */
  pause(): void
  resume(): void
  log(event: ReplayLog): void
  /** Says once that the context was used after the attempt had ended (E4). */
  inert(what: string): void
}

/** An ask that is awaited and has no answer. */
export interface AwaitedAsk {
  readonly key: string
  readonly name: string
  /** Place among everything awaited in this attempt. */
  readonly order: number
  put(now: number): { readonly open: OpenAsk; readonly ask: PutAsk }
  /** Its answer has come, in place. */
  settle(entry: SettledAsk, open: OpenAsk): void
  drop(): void
}

/** What takes the place of a suspension where the caller can be asked at any time. */
export interface LiveSide {
  /** The handler can go no further without an answer. */
  suspend(): void
  /** An answer has come; one to an ask that is not out answers nothing (E17). */
  answer(key: string, answer: unknown): void
  /** Nothing is left to do but to wait for something outside. */
  waits(): void
  /** Something was settled. */
  progressed(): void
  /** Takes back what is out. */
  drop(): void
}

/** A wait that is awaited and not over. */
export interface AwaitedWait {
  readonly key: string
  /** Whether it polls again inside this round. */
  readonly holding: boolean
  /** Polls no more in this attempt. */
  release(): void
  drop(): void
}

/** An ask or a wait that was made. */
export interface Idle {
  readonly space: Space
  readonly name: string
}

/** A function of the author's that the engine runs and waits for: a step or a poll. */
export interface Running {
  /** For people: `step "build"`. */
  readonly label: string
  drop(): void
}

const NONE: ReadonlySet<never> = new Set()

/** Everything an attempt needs once its handler uses the context; made on first use. */
export class Replay {
  readonly owner: Owner
  readonly limits: ReplayLimits
  readonly names = new Names()
  readonly delivery = new Delivery()
  /** Asks of the journal that this request left unanswered and the handler has not come to, by key. */
  readonly open: Map<string, OpenAsk>
  readonly asks = new Set<AwaitedAsk>()
  readonly detects: boolean
  live: LiveSide | undefined
  /** The ask whose answer is being read, while that takes time. */
  checking: AwaitedAsk | undefined
  /** The first ask, step or wait met that the journal does not have. */
  firstFound: string | undefined
  /** Whether something was settled that the journal did not have. */
  progressed = false

  readonly #turns: Turns
  /** Asks and waits in the handler's hands that it has not awaited. */
  readonly #idle = new Set<Idle>()
  readonly #suspend: (replay: Replay) => void
  // Most calls wait for nothing and run no step.
  #waits: Set<AwaitedWait> | undefined
  #running: Set<Running> | undefined
  #order = 0
  #quiet: boolean
  #delivering = false
  #grace: Timer

  constructor(owner: Owner, suspend: (replay: Replay) => void) {
    const { options, host } = owner
    this.owner = owner
    this.limits = options.limits ? { ...DEFAULT_LIMITS, ...options.limits } : DEFAULT_LIMITS
    this.detects = options.detectNesting ?? contextIsFree
    this.#suspend = suspend
    this.#turns = new Turns(host.defer, (quiet) => this.#turn(quiet))
    this.#quiet = options.journal !== undefined
    this.open = options.journal
      ? loadJournal(this.delivery, options.journal, options.answers, () => host.now())
      : new Map<string, OpenAsk>()
  }

  /** Whether what the handler says was said in an earlier attempt (E13). */
  get quiet(): boolean {
    return this.#quiet
  }

  get waits(): ReadonlySet<AwaitedWait> {
    return this.#waits ?? NONE
  }

  get running(): ReadonlySet<Running> {
    return this.#running ?? NONE
  }

  /** What was made and not awaited: nothing of it was put or polled (E1). */
  get idle(): ReadonlySet<Idle> {
    return this.#idle
  }

  made(idle: Idle): void {
    this.#idle.add(idle)
  }

  awaited(idle: Idle): void {
    this.#idle.delete(idle)
  }

  begins(run: Running): void {
    ;(this.#running ??= new Set()).add(run)
    if (this.live) this.owner.resume()
  }

  ends(run: Running): void {
    this.#running?.delete(run)
  }

  awaitOutside(wait: AwaitedWait): void {
    ;(this.#waits ??= new Set()).add(wait)
  }

  isOver(wait: AwaitedWait): void {
    this.#waits?.delete(wait)
  }

  /** Ends the call. */
  stop(code: ErrorCode, message: string): void {
    this.owner.finish({ kind: 'failed', error: new RondoError(code, message) })
  }

  /** Ends the call and parks the caller: no error of the engine's reaches the handler (E4, E12). */
  fail(code: ErrorCode, message: string): Promise<never> {
    this.stop(code, message)
    return park()
  }

  stepLog(message: string, data: unknown, key: string): void {
    const { options } = this.owner
    if (this.owner.ended) this.owner.inert(`the log of the step ${JSON.stringify(key)}`)
    else if (options.stepLog) options.stepLog(message, data, key)
    else this.owner.log({ level: 'debug', code: 'STEP_LOG', message: `${key}: ${message}` })
  }

  /** Parks whoever uses a context that has ended, gives a bad name, or stands inside a step; otherwise `undefined`. */
  refuse(space: Space, name: string): Promise<never> | undefined {
    if (this.owner.ended) {
      this.owner.inert(`${space} ${JSON.stringify(name)}`)
      return park()
    }
    const problem = nameProblem(name)
    if (problem !== undefined) {
      return this.fail('ASK_NAME', `The ${space} ${JSON.stringify(name)} cannot be called so: ${problem}.`)
    }
    const around = this.detects ? currentContext() : undefined
    if (!this.isWithin(around)) return undefined
    return this.fail(
      'STEP_NESTED',
      `The ${space} ${JSON.stringify(name)} was used inside the ${around.label}. A recorded step is not run again, so ` +
        `nothing inside it may ask, wait or be recorded: move it out, before or after.`,
    )
  }

  /** Takes the name into use, or parks the caller because it already is (E9). */
  claim(space: Space, name: string): Promise<never> | undefined {
    if (this.names.open(space, name)) return undefined
    return this.fail(
      'ASK_DUPLICATE',
      `Two ${space}s called ${JSON.stringify(name)} are open at once, so which result belongs to which would depend on ` +
        `timing. Give each a name of its own (such as ${JSON.stringify(`${name}/1`)}), or await one before the next.`,
    )
  }

  /** Something happened that may let the handler go on (E2). */
  stir(): void {
    if (this.#grace !== undefined) {
      this.owner.host.clearTimer(this.#grace)
      this.#grace = undefined
    }
    this.#turns.stir()
  }

  /** The handler has come to something recorded. */
  meet(item: Item, consumer: Consumer): void {
    this.delivery.meet(item, consumer)
    this.stir()
  }

  /** The handler has come to something that is not recorded. */
  found(space: Space, key: string): void {
    this.firstFound ??= `${space} ${JSON.stringify(key)}`
    this.#quiet = false
    this.stir()
  }

  /** An ask has no answer: it goes out when the round ends. */
  awaitAnswer(ask: AwaitedAsk): void {
    this.asks.add(ask)
    if (!this.live) for (const wait of this.waits) wait.release()
    if (this.delivery.left === 0 && this.open.size === 0) this.#quiet = false
    this.stir()
  }

  nextOrder(): number {
    return ++this.#order
  }

  /** Something was settled just now. */
  settle(entry: Parameters<Delivery['push']>[0], consumer: Consumer, open?: OpenAsk): void {
    this.progressed = true
    this.live?.progressed()
    this.delivery.push(entry, consumer, open)
    this.stir()
  }

  /** A record has reached the handler. */
  delivered(item: Item): void {
    if (item.open) this.progressed = true
    this.delivery.delivered(item)
    if (this.delivery.left === 0 && this.open.size === 0) this.#quiet = false
  }

  /** Lets go of everything that leads to the handler's frames (E7). */
  drop(): void {
    this.#turns.stop()
    if (this.#grace !== undefined) this.owner.host.clearTimer(this.#grace)
    for (const part of [...this.asks, ...this.waits, ...this.running]) part.drop()
    this.checking?.drop()
    this.live?.drop()
    this.asks.clear()
    this.#idle.clear()
    this.#waits = undefined
    this.#running = undefined
    this.delivery.drop()
  }

  isWithin(context: object | undefined): context is Running {
    return context !== undefined && this.running.has(context as Running)
  }

  #turn(quiet: boolean): void {
    if (this.#delivering) return
    const item = this.delivery.next()
    if (item?.consumer) return this.#deliver(item, item.consumer)
    if (this.running.size > 0) return
    if (this.#isHeld()) return this.live?.waits()
    if (!quiet) return this.#turns.again()
    const expecting = this.asks.size + this.waits.size > 0
    if (this.delivery.isHeldUp(expecting)) this.#waitInQuiet()
    else if (expecting) {
      if (this.live) this.live.suspend()
      else this.#suspend(this)
    }
  }

  /** Whether a wait keeps the round open. In place it keeps nobody: asks go out beside it. */
  #isHeld(): boolean {
    if (this.live && this.asks.size > 0) return false
    for (const wait of this.waits) if (wait.holding) return true
    return false
  }

  #deliver(item: Item, consumer: Consumer): void {
    let pending: PromiseLike<void> | void
    try {
      pending = consumer(item)
    } catch (error) {
      // Nobody's turn is above this one: what a record makes throw ends its call and not the process.
      return this.owner.finish({ kind: 'failed', error })
    }
    if (!pending) return this.#goOn()
    this.#delivering = true
    const done = (): void => {
      this.#delivering = false
      if (!this.owner.ended) this.#goOn()
    }
    pending.then(done, done)
  }

  /** A turn for what is left. Where nothing is, the handler's next use of the context asks for one. */
  #goOn(): void {
    if (this.delivery.left > 0 || this.asks.size > 0 || this.waits.size > 0 || this.delivery.next()) this.stir()
  }

  #waitInQuiet(): void {
    this.#grace = this.owner.host.setTimer(() => {
      this.#grace = undefined
      this.delivery.setAside()
      this.stir()
    }, this.limits.grace)
  }
}
