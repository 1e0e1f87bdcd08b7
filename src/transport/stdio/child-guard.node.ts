import { type ChildProcess } from 'node:child_process'

/** Signals that end a process that does not listen for them. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const children = new Set<ChildProcess>()

/**
 * Sees to it that a child does not outlive this process, however this process ends, short of SIGKILL (then the child's
 * stdin ends, which ends any server that keeps the rules).
 *
 * @returns what to call when the child is gone
 */
export function guard(child: ChildProcess): () => void {
  if (children.size === 0) {
    process.on('exit', killAll)
    for (const signal of ENDING) process.on(signal, onSignal)
  }
  children.add(child)
  return () => {
    children.delete(child)
    if (children.size > 0) return
    process.off('exit', killAll)
    for (const signal of ENDING) process.off(signal, onSignal)
  }
}

function killAll(): void {
  for (const child of children) signalGroup(child, 'SIGKILL')
}

function onSignal(signal: NodeJS.Signals): void {
  // Another listener decides what the signal means; `exit` follows if that is the end.
  if (process.listenerCount(signal) > 1) return
  killAll()
  process.off(signal, onSignal)
  process.kill(process.pid, signal)
}

/** Signals the child and everything in its group. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // Already gone.
  }
}
