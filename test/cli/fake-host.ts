import { domainToUnicode } from 'node:url'
import { PassThrough, Writable } from 'node:stream'
import { type Server } from '../../src/server/server.ts'
import { type Target } from '../../src/cli/command-line.ts'
import { type Host, type Output, type Terminal } from '../../src/cli/terminal/host.ts'

/** What a fake machine has. */
export interface Machine {
  readonly server?: Server
  /** Files by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Whether stderr is a terminal. */
  readonly tty?: boolean
  /** Whether stderr takes colours. */
  readonly colour?: boolean
  /** Columns of that terminal. */
  readonly columns?: number
  /** A person at the terminal. */
  readonly person?: Person
}

/** A machine of a test: keeps what was printed and what was opened. */
export class FakeHost implements Host {
  out = ''
  err = ''
  readonly opened: string[] = []
  readonly version = '9.9.9'
  readonly stdout: Output
  readonly stderr: Output
  readonly terminal: Terminal | undefined
  interrupt: (() => void) | undefined
  readonly #machine: Machine

  constructor(machine: Machine = {}) {
    this.#machine = machine
    const columns = machine.columns ?? (machine.tty === true ? 80 : Infinity)
    this.stdout = { write: (text) => void (this.out += text), isTerminal: false, columns, colour: false }
    this.stderr = {
      write: (text) => void (this.err += text),
      isTerminal: machine.tty === true,
      columns,
      colour: machine.colour === true,
    }
    this.terminal = machine.person?.terminal
  }

  reach(target: Target): Server | string {
    return this.#machine.server ?? ('url' in target ? target.url : 'http://127.0.0.1:9/')
  }

  readText(path: string): Promise<string> {
    const text = this.#machine.files?.[path]
    return text === undefined ? Promise.reject(new Error(`ENOENT: no such file, ${path}`)) : Promise.resolve(text)
  }

  async sourceFiles(paths: readonly string[]): Promise<readonly string[]> {
    const all = Object.keys(this.#machine.files ?? {})
    const found = paths.flatMap((path) => all.filter((file) => path === '.' || file.startsWith(path)))
    if (paths.includes('missing')) throw new Error('ENOENT: no such file or directory, missing')
    return found
  }

  async directoryUrl(path: string): Promise<string | undefined> {
    return path === 'missing' ? undefined : `file:///home/${path}`
  }

  async openUrl(url: string): Promise<boolean> {
    this.opened.push(url)
    return true
  }

  unicodeHost(host: string): string {
    return domainToUnicode(host)
  }

  onInterrupt(stop: () => void): () => void {
    this.interrupt = stop
    return () => {
      this.interrupt = undefined
    }
  }
}

/** Keys as a terminal sends them. */
export const KEY = {
  enter: '\r',
  down: '\x1b[B',
  up: '\x1b[A',
  space: ' ',
  tab: '\t',
  escape: '\x1b',
  ctrlC: '\x03',
} as const

/** Someone at a terminal: waits until something is shown, then types. */
export class Person {
  readonly terminal: Terminal
  /** Everything drawn, without colours and cursor movements. */
  drawn = ''
  readonly #input = new PassThrough()
  readonly #waiting: { text: string; from: number; resolve: () => void }[] = []
  #seen = 0

  /** @param columns of the terminal */
  constructor(columns = 100) {
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        // Wherever the cursor goes, another row begins.
        this.drawn += String(chunk)
          .replace(/\x1b\[[\d;?]*m/g, '')
          .replace(/(\x1b\[[\d;?]*[A-Za-z])+/g, '\n')
        this.#look()
        done()
      },
    })
    Object.assign(output, { columns, rows: 50, isTTY: true })
    const input = this.#input
    const discardTyped = async (): Promise<boolean> => String(input.read() ?? '').includes(KEY.ctrlC)
    this.terminal = { input, output, discardTyped, columns: () => columns }
  }

  /** Types once `text` is shown after what the last call waited for. */
  async at(text: string, ...keys: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ text, from: this.#seen, resolve })
      this.#look()
    })
    for (const key of keys) this.#input.write(key)
  }

  /** Types at once, whatever is shown. */
  ahead(...keys: readonly string[]): void {
    for (const key of keys) this.#input.write(key)
  }

  #look(): void {
    for (const wait of [...this.#waiting]) {
      const at = this.drawn.indexOf(wait.text, wait.from)
      if (at < 0) continue
      this.#seen = this.drawn.length
      this.#waiting.splice(this.#waiting.indexOf(wait), 1)
      wait.resolve()
    }
  }
}
