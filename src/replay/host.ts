import { LONGEST, LongTimer } from './long-timer.ts'

/** A running timer, as the host gave it. */
export type Timer = unknown

/**
 * What the engine takes from the machine it runs on (E8). The default is captured when this module loads, so that fake
 * timers installed later do not stop it.
 */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `fn` in a macrotask turn, as soon as the host can. Others may run in it, too, before what `fn` leads to. */
  defer(fn: () => void): void
  /** An identifier nobody can guess. */
  random(): string
  /** Runs `fn` once after `ms`, which may be of any length. A `background` timer does not keep the process alive. */
  setTimer(fn: () => void, ms: number, background?: boolean): Timer
  clearTimer(timer: Timer): void
  /** Whether a timer may serve several requests; on Cloudflare Workers it belongs to the request that made it. */
  readonly sharedTimers: boolean
}

type Defer = (fn: () => void) => void

const { setTimeout, clearTimeout, MessageChannel } = globalThis
const now = Date.now
const setImmediate = (globalThis as { setImmediate?: Defer }).setImmediate
const perRequest = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** The machine this process runs on. */
export const host: Host = {
  now,
  defer: fastestTurn(),
  random: () => crypto.randomUUID(),
  setTimer(fn, ms, background = false) {
    if (ms > LONGEST) return new LongTimer(fn, ms, background)
    const timer: unknown = setTimeout(fn, ms)
    if (background) (timer as { unref?: () => void }).unref?.()
    return timer
  },
  clearTimer(timer) {
    if (timer instanceof LongTimer) timer.clear()
    else clearTimeout(timer as number)
  },
  sharedTimers: !perRequest,
}

function fastestTurn(): Defer {
  if (setImmediate) return sharedTurn(setImmediate)
  // A message port made in one request may not be used in another there.
  if (perRequest || !MessageChannel) return (fn) => void setTimeout(fn, 0)
  return channelTurn()
}

/** One turn for all that ask for the next one, which nothing of one attempt can tell from a turn of its own. */
function sharedTurn(schedule: Defer): Defer {
  let queue: (() => void)[] = []
  const defer: Defer = (fn) => {
    if (queue.push(fn) === 1) schedule(flush)
  }
  const flush = (): void => {
    const due = queue
    queue = []
    let done = 0
    try {
      for (const fn of due) {
        done++
        fn()
      }
    } finally {
      // What one throws must not cost the others their turn.
      while (done < due.length) defer(due[done++] as () => void)
    }
  }
  return defer
}

function channelTurn(): Defer {
  let port: MessagePort | undefined
  const queue: (() => void)[] = []
  return (fn) => {
    if (!port) {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => queue.shift()?.()
      port = channel.port2
    }
    queue.push(fn)
    port.postMessage(0)
  }
}
