import { spawn } from 'node:child_process'
import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { domainToUnicode, pathToFileURL } from 'node:url'
import { command } from '../../transport/stdio/command.node.ts'
import { type Host, type Output } from './host.ts'
import { wantsColour } from './paint.ts'
import { plainOutput } from './plain-output.node.ts'

/** The machine this process runs on. */
export function nodeHost(): Host {
  const { stdin, stdout, stderr, env } = process
  const drawn = outputOf(stderr)
  const person = stdin.isTTY === true && stderr.isTTY === true && env.TERM !== 'dumb'
  return {
    stdout: outputOf(stdout),
    stderr: drawn,
    terminal: person
      ? {
          input: stdin,
          output: drawn.colour ? stderr : plainOutput(stderr),
          columns: () => columnsOf(stderr),
          discardTyped: () => discardTyped(stdin),
        }
      : undefined,
    version: (createRequire(import.meta.url)('rondo/package.json') as { version: string }).version,
    reach: (target, onStderr) => {
      if ('url' in target) return target.url
      const [file, ...args] = target.command
      return command(file, args, { stderr: onStderr, restart: false })
    },
    readText: (path) => readFile(path, 'utf8'),
    sourceFiles,
    directoryUrl,
    openUrl,
    unicodeHost: domainToUnicode,
    onInterrupt: (stop) => {
      process.once('SIGINT', stop)
      return () => process.removeListener('SIGINT', stop)
    },
  }
}

/** Milliseconds in which what the terminal has kept back comes in. */
const TYPED_AHEAD = 25

/** Reads what was typed while nothing was asked: without it, it would answer the next question unseen. */
function discardTyped(input: NodeJS.ReadStream): Promise<boolean> {
  let interrupted = false
  const drop = (chunk: Buffer | string): void => {
    if (chunk.toString().includes('\x03')) interrupted = true
  }
  input.setRawMode(true)
  input.on('data', drop).resume()
  return new Promise((resolve) => {
    setTimeout(() => {
      input.off('data', drop).pause()
      input.setRawMode(false)
      resolve(interrupted)
    }, TYPED_AHEAD)
  })
}

function outputOf(stream: NodeJS.WriteStream): Output {
  const isTerminal = stream.isTTY === true
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    get columns() {
      return isTerminal ? columnsOf(stream) : Infinity
    },
    colour: wantsColour(isTerminal, process.env),
  }
}

/** Columns of a terminal; some say 0 when they do not know. */
function columnsOf({ columns }: { readonly columns?: number }): number {
  return columns === undefined || columns < 1 ? 80 : columns
}

const SOURCE = /\.(ts|tsx|mts|js|jsx|mjs)$/
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'out'])

async function sourceFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) await walk(path)
      else if (entry.isFile() && SOURCE.test(entry.name) && !entry.name.includes('.d.')) found.push(path)
    }
  }
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) await walk(path)
    else found.push(path)
  }
  return found.map((path) => relative('.', path) || path)
}

async function directoryUrl(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? pathToFileURL(real).href : undefined
  } catch {
    return undefined
  }
}

/** Program that opens a URL, and what stands before the URL. None of them is a shell. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

function openUrl(url: string): Promise<boolean> {
  if (!/^https?:\/\//.test(url)) return Promise.resolve(false)
  const [program, ...before] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...before, url], { shell: false, stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
