import { PassThrough } from 'node:stream'
import type { Server } from 'rondo'
import { serve, type Serving } from 'rondo/stdio'

/** A JSON-RPC message, read. */
export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** What an old client sends first. */
export function initialize(protocolVersion: string, capabilities: object = {}): object {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'old', version: '1' } }
  return { jsonrpc: '2.0', id: 'init', method: 'initialize', params }
}

/** The bare wire of a client over lines: what is sent stands in the test. */
export class LineClient {
  readonly serving: Serving
  readonly #input = new PassThrough()
  readonly #messages: (Message | Message[])[] = []
  #wake: (() => void) | undefined
  #ids = 0

  constructor(server: Server) {
    const output = new PassThrough()
    this.serving = serve(server, { stdin: this.#input, stdout: output, grace: 0 })
    let text = ''
    output.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString()).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) this.#messages.push(JSON.parse(line) as Message)
      this.#wake?.()
    })
  }

  /** A client that has been let in. */
  static async connect(server: Server, revision: string, capabilities: object = {}): Promise<LineClient> {
    const client = new LineClient(server)
    client.send(initialize(revision, capabilities))
    await client.until((message) => message.id === 'init')
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return client
  }

  send(message: unknown): void {
    this.#input.write(`${JSON.stringify(message)}\n`)
  }

  /** Takes the next message that fits, whatever else came before it. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const at = this.#messages.findIndex((message) => !Array.isArray(message) && fits(message))
      if (at >= 0) return this.#messages.splice(at, 1)[0] as Message
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Takes the next batch. */
  async batch(): Promise<Message[]> {
    for (;;) {
      const at = this.#messages.findIndex((message) => Array.isArray(message))
      if (at >= 0) return this.#messages.splice(at, 1)[0] as Message[]
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Takes whatever else came. */
  take(): Message[] {
    return this.#messages.splice(0).flat()
  }

  /** Sends a request without waiting for anything. @returns its id */
  begin(method: string, params: object = {}): number {
    const id = ++this.#ids
    this.send({ jsonrpc: '2.0', id, method, params })
    return id
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = this.begin(method, params)
    return this.until((message) => message.id === id && message.method === undefined)
  }

  async close(): Promise<void> {
    this.#input.end()
    await this.serving.closed
  }
}
