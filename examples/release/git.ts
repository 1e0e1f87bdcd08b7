import { execFile } from 'node:child_process'

/** What `git` said when it failed. */
export class GitError extends Error {
  readonly exit: number | undefined
  readonly stderr: string

  constructor(args: readonly string[], exit: number | undefined, stderr: string) {
    super(`git ${args[0] ?? ''}: ${stderr.trim() || `ended with ${String(exit)}`}`)
    this.name = 'GitError'
    this.exit = exit
    this.stderr = stderr
  }
}

/** Variables that would point git somewhere else than at the folder it is started in. */
const REDIRECTS = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX']

/** Settings that keep a repository from running programs of its own. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'tag.gpgSign=false']

/** Options of {@link git}. */
export interface GitOptions {
  readonly signal?: AbortSignal
  /** Text for its standard input. */
  readonly input?: string
}

/**
 * Runs git in a folder, without a shell, and gives what it printed. The folder is where git is started, never an
 * argument, so a name that begins with `-` is only a name.
 *
 * @throws GitError when it fails, or cannot be started
 */
export function git(folder: string, args: readonly string[], { signal, input }: GitOptions = {}): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' }
  for (const name of REDIRECTS) delete (env as NodeJS.ProcessEnv)[name]
  const options = { cwd: folder, env, timeout: 30_000, maxBuffer: 16 * 1024 * 1024, ...(signal && { signal }) }
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...QUIET, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new GitError(args, typeof error.code === 'number' ? error.code : undefined, stderr || error.message))
    })
    // A git that ends early closes its input; what it has to say comes with its exit.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
