import type { Writable } from 'node:stream'

/** Standard output as the transport alone may use it. */
export interface GuardedOutput {
  write(text: string, done?: (error?: Error | null) => void): boolean
  /** Gives standard output back to everybody. */
  release(): void
}

/**
 * Keeps `stdout` for messages: whatever else this process writes to it, `console.log` in a handler above all, goes to
 * `stderr` (rule HS1; basic/transports/stdio: "MUST NOT write anything to its stdout that is not a valid MCP message").
 */
export function guardOutput(stdout: Writable, stderr: Writable): GuardedOutput {
  const original = stdout.write
  const redirected = stderr.write.bind(stderr)
  stdout.write = redirected
  return {
    write: (text, done) => original.call(stdout, text, 'utf8', done),
    release() {
      if (stdout.write === redirected) stdout.write = original
    },
  }
}
