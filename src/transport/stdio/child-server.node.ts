import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { type OutgoingRequest, type RequestOptions } from '../../client/transport.ts'
import { host } from '../../replay/host.ts'
import { abandoned } from '../../replay/thenable.ts'
import { errorText } from '../../errors/error-text.ts'
import { RondoError } from '../../errors/rondo-error.ts'
import { encodeNotification } from '../../jsonrpc/encode.ts'
import { type JsonRpcNotification, type JsonRpcResponse, type RequestId } from '../../jsonrpc/messages.ts'
import { type Invalid, parseMessage } from '../../jsonrpc/parse.ts'
import { PendingRequests } from '../../jsonrpc/pending.ts'
import { METHODS } from '../../protocol/methods.ts'
import { ByteLines } from './byte-lines.node.ts'
import { guard, signalGroup } from './child-guard.node.ts'

/** How a child is started. */
export interface CommandSpec {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string | URL | undefined
  readonly stdio: StdioOptions
  readonly onStderr: ((line: string) => void) | undefined
  readonly grace: number
  readonly maxLine: number
}

/** Lines of stderr that an error quotes, and their greatest length. */
const LAST_LINES = 10
const QUOTED_LINE = 500

/** One run of a server program. */
export class ChildServer {
  readonly #address: string
  readonly #spec: CommandSpec
  readonly #child: ChildProcess
  readonly #pending = new PendingRequests()
  readonly #listeners = new Map<RequestId, (notification: JsonRpcNotification) => void>()
  readonly #lastLines: string[] = []
  readonly #exited: Promise<void>
  readonly #release: () => void
  #closing = false
  #gone: RondoError | undefined

  constructor(address: string, spec: CommandSpec) {
    this.#address = address
    this.#spec = spec
    const child = spawn(spec.file, spec.args, {
      env: spec.env,
      cwd: spec.cwd,
      stdio: spec.stdio,
      // A group of its own on POSIX, so that what the program itself started (`npx …`) ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#child = child
    this.#release = guard(child)
    const out = new ByteLines(spec.maxLine, {
      line: (line) => this.#receive(line),
      tooLong: () => this.#end(`wrote a line of more than ${spec.maxLine} bytes`),
      // Nobody's answer; a request it was meant for runs into its time-out.
      notUtf8: () => undefined,
    })
    child.stdout?.on('data', (chunk: Buffer) => out.feed(chunk))
    const err = new ByteLines(spec.maxLine, {
      line: (line) => this.#remember(line),
      tooLong: () => undefined,
      notUtf8: () => undefined,
    })
    child.stderr?.on('data', (chunk: Buffer) => err.feed(chunk))
    // A write to a child that has just gone, and pipes that break with it; its exit tells the rest, if it comes.
    child.stdin?.on('error', () => this.#lost('closed its input'))
    child.stdout?.on('error', () => this.#lost('closed its output'))
    child.stdout?.on('end', () => this.#lost('closed its output'))
    child.stderr?.on('error', () => undefined)
    this.#exited = new Promise((resolve) => {
      child.on('error', (cause) => {
        this.#fail(this.#failed(`could not be started: ${cause.message}`, cause, 'TRANSPORT_FAILED'))
        this.#release()
        resolve()
      })
      // `close`, not `exit`: what it still wrote is read first.
      child.once('close', (code, signal) => {
        err.end()
        const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
        this.#fail(this.#failed(how, undefined, 'TRANSPORT_CLOSED', { exitCode: code, signal }))
        this.#release()
        resolve()
      })
    })
  }

  /** Whether this run is over. */
  get gone(): boolean {
    return this.#gone !== undefined
  }

  async request(request: OutgoingRequest, options: RequestOptions): Promise<JsonRpcResponse> {
    if (this.#gone) throw this.#gone
    const { id } = request
    const answer = this.#pending.add(id)
    if (options.onNotification) this.#listeners.set(id, (notification) => options.onNotification?.(notification))
    this.#write(request.text)
    options.onCancel((error) => {
      if (!this.#pending.fail(id, error)) return
      this.#write(encodeNotification(METHODS.cancelled, { requestId: id, reason: errorText(error) }))
    })
    try {
      return await answer
    } finally {
      this.#listeners.delete(id)
    }
  }

  /** Closes stdin, and ends a child that does not go by itself (basic/transports/stdio, "Shutdown"). */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true
      this.#fail(new RondoError('TRANSPORT_CLOSED', `The client of "${this.#address}" was closed`))
      this.#child.stdin?.end()
    }
    if (await this.#exitsWithin(this.#spec.grace)) return
    signalGroup(this.#child, 'SIGTERM')
    if (await this.#exitsWithin(this.#spec.grace)) return
    signalGroup(this.#child, 'SIGKILL')
    // Something it started may still hold its pipes open; the child itself is dead.
    if (await this.#exitsWithin(this.#spec.grace)) return
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
    await this.#exited
  }

  #write(text: string): void {
    this.#child.stdin?.write(`${text}\n`)
  }

  #receive(line: string): void {
    const parsed = parseMessage(line)
    if (parsed.kind === 'response') {
      this.#pending.settle(parsed.response)
    } else if (parsed.kind === 'notification') {
      const { method, params } = parsed
      const notification: JsonRpcNotification = params ? { jsonrpc: '2.0', method, params } : { jsonrpc: '2.0', method }
      // All requests share the channel. Progress names its request; a log message names none.
      for (const listener of [...this.#listeners.values()]) listener(notification)
    }
    if (parsed.kind === 'invalid' && parsed.response === true) this.#unusable(parsed)
    // A server writes nothing else to stdout; a stray line is passed over, since it is nobody's answer.
  }

  /** A response that is none is still the answer to its request, which would else wait for another. */
  #unusable({ id, message }: Invalid): void {
    if (id === undefined) return
    const why = `answered with what is no response: ${message}`
    this.#pending.fail(id, this.#failed(why, undefined, 'RESPONSE_INVALID'))
  }

  #remember(line: string): void {
    this.#lastLines.push(line.slice(0, QUOTED_LINE))
    if (this.#lastLines.length > LAST_LINES) this.#lastLines.shift()
    try {
      abandoned(this.#spec.onStderr?.(line))
    } catch {
      // Who shows lines, and fails to, must not end the call, nor the process.
    }
  }

  /** No more can be said to the child, or heard from it: one that lives on is ended. */
  #lost(how: string): void {
    if (this.#closing) return
    void this.#exitsWithin(this.#spec.grace).then((gone) => {
      if (!gone && !this.#closing) this.#end(`${how} and did not exit`, 'TRANSPORT_CLOSED')
    })
  }

  #end(why: string, code: 'RESPONSE_INVALID' | 'TRANSPORT_CLOSED' = 'RESPONSE_INVALID'): void {
    this.#fail(this.#failed(why, undefined, code))
    signalGroup(this.#child, 'SIGKILL')
  }

  #failed(
    how: string,
    cause: unknown,
    code: 'TRANSPORT_FAILED' | 'TRANSPORT_CLOSED' | 'RESPONSE_INVALID',
    more: { readonly exitCode?: number | null; readonly signal?: string | null } = {},
  ): RondoError {
    const stderr = [...this.#lastLines]
    const told = stderr.length === 0 ? '' : `\nIts last words on stderr:\n  ${stderr.join('\n  ')}`
    return new RondoError(code, `"${this.#address}" ${how}${told}`, { cause, data: { ...more, stderr } })
  }

  #fail(error: RondoError): void {
    this.#gone ??= error
    this.#pending.failAll(this.#gone)
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = host.setTimer(() => resolve(false), ms)
      void this.#exited.then(() => {
        host.clearTimer(timer)
        resolve(true)
      })
    })
  }
}
