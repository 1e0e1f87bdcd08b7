import { fork, type ChildProcess } from 'node:child_process'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** What it has written to standard error. */
  stderr(): string
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
}

/** Starts a server program that tells the port it listens on (`process.send({ port })`). */
export async function startProcess(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = fork(file, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
    execArgv: [],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const port = await portOf(child, file, () => stderr)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    pid: child.pid ?? 0,
    stderr: () => stderr,
    kill: () => ended(child),
  }
}

function portOf(child: ChildProcess, file: string, stderr: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('close', (code) => reject(new Error(`${file} ended with code ${String(code)}: ${stderr()}`)))
  })
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
