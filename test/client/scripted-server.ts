import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type JsonObject, type RequestId } from '../../src/jsonrpc/messages.ts'
import { type Exchange, type Reply } from '../../src/server/exchange.ts'

/** A request as a scripted server saw it. */
export interface Seen {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject & { readonly _meta: JsonObject }
  /** The message as it came. */
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a script answers: a result, or `{ error }`. */
export type Scripted = JsonObject | { readonly error: { code: number; message: string; data?: unknown } }
export type Script = (request: Seen, exchange: Exchange) => Scripted | Promise<Scripted>

/** A server object that answers as told and remembers what it was sent; `server/discover` it answers by itself. */
export interface ScriptedServer {
  readonly seen: Seen[]
  /** Requests but for `server/discover`. */
  readonly calls: Seen[]
  handle(message: string, exchange: Exchange): Promise<Reply>
}

export const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  instructions: 'Ask nicely',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1.2.3', title: 'Scripted' } },
}

export function scripted(script: Script): ScriptedServer {
  const seen: Seen[] = []
  return {
    seen,
    get calls() {
      return seen.filter(({ method }) => method !== 'server/discover')
    },
    async handle(text, exchange) {
      const { id, method, params } = JSON.parse(text) as Seen
      const request: Seen = { id, method, params, text, headers: {} }
      seen.push(request)
      const answer = method === 'server/discover' ? DISCOVERED : await script(request, exchange)
      const body = isError(answer)
        ? { jsonrpc: '2.0', id, error: answer.error }
        : { jsonrpc: '2.0', id, result: answer }
      return { status: 200, body: JSON.stringify(body) }
    },
  }
}

export function isError(answer: Scripted): answer is { error: { code: number; message: string } } {
  return 'error' in answer
}

export const text = (words: string): JsonObject => ({
  resultType: 'complete',
  content: [{ type: 'text', text: words }],
})

export const asking = (inputRequests: JsonObject | undefined, requestState?: string): JsonObject => ({
  resultType: 'input_required',
  ...(inputRequests && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
})

export const form = (properties: JsonObject = {}, required: string[] = [], message = 'Well?'): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
})

/** Node's own server around a function of the request and its body, on a free port. */
export interface HttpServer {
  readonly url: string
  readonly seen: Seen[]
  close(): Promise<void>
}

export type HttpScript = (request: Seen, response: ServerResponse, raw: IncomingMessage) => void | Promise<void>

export async function httpServer(script: HttpScript): Promise<HttpServer> {
  const seen: Seen[] = []
  const server: Server = createServer((raw, response) => {
    let body = ''
    raw.setEncoding('utf8')
    raw.on('data', (chunk: string) => (body += chunk))
    raw.on('end', () => {
      const { id, method, params } = JSON.parse(body) as Seen
      const request: Seen = { id, method, params, text: body, headers: raw.headers }
      seen.push(request)
      void script(request, response, raw)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Answers a request with a result, or an error of this status. */
export function answer(request: Seen, response: ServerResponse, scriptedAnswer: Scripted, status = 200): void {
  const { id } = request
  if (isError(scriptedAnswer)) json(response, status, { jsonrpc: '2.0', id, error: scriptedAnswer.error })
  else json(response, 200, { jsonrpc: '2.0', id, result: scriptedAnswer })
}
