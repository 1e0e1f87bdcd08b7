import { type Host } from './host.ts'
import { type ReplayLog } from './outcome.ts'
import { isThenable } from './thenable.ts'

/** A function that the end of an attempt runs (E5). */
export type Cleanup = () => void | PromiseLike<void>

/**
 * Runs what was registered, last in, first out; what fails is logged and stops nothing (E5). Gives a promise only when
 * there is something to wait for, and waits at most `limit` milliseconds for all of it.
 */
export function cleanUp(
  fns: Cleanup[],
  limit: number,
  host: Host,
  log: (event: ReplayLog) => void,
): Promise<void> | undefined {
  for (let fn = fns.pop(); fn; fn = fns.pop()) {
    const pending = call(fn, log)
    if (pending) return bounded(rest(pending, fns, log), limit, host, log)
  }
  return undefined
}

async function rest(first: PromiseLike<void>, fns: Cleanup[], log: (event: ReplayLog) => void): Promise<void> {
  for (let pending: PromiseLike<void> | undefined = first; ;) {
    try {
      await pending
    } catch (error) {
      log(failed(error))
    }
    const fn = fns.pop()
    if (!fn) return
    pending = call(fn, log)
  }
}

function call(fn: Cleanup, log: (event: ReplayLog) => void): PromiseLike<void> | undefined {
  try {
    const result = fn()
    return isThenable(result) ? result : undefined
  } catch (error) {
    log(failed(error))
    return undefined
  }
}

function bounded(done: Promise<void>, limit: number, host: Host, log: (event: ReplayLog) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = host.setTimer(() => {
      log({
        level: 'warn',
        code: 'CLEANUP_SLOW',
        message: `What onAttemptEnd registered took longer than ${limit} ms; the reply goes out without waiting for it.`,
      })
      resolve()
    }, limit)
    void done.then(() => {
      host.clearTimer(timer)
      resolve()
    })
  })
}

function failed(cause: unknown): ReplayLog {
  return { level: 'error', code: 'CLEANUP_FAILED', message: 'A function given to onAttemptEnd failed.', cause }
}
