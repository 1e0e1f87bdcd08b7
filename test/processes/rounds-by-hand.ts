/** What a server answered, as it stood on the wire. */
export interface Wire {
  readonly resultType?: string
  readonly inputRequests?: Readonly<
    Record<string, { readonly method: string; readonly params?: { readonly message?: string } }>
  >
  readonly requestState?: string
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly isError?: boolean
  readonly error?: { readonly code: number; readonly message: string }
  readonly [member: string]: unknown
}

/** An original request: method and params, without `_meta`. */
export interface Call {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read'
  readonly params: Readonly<Record<string, unknown>>
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}

let id = 0

/** One round over HTTP, with nothing of the library's client in it: what a server says is seen as it is. */
export async function round(url: string, call: Call, answers?: Record<string, unknown>, state?: string): Promise<Wire> {
  const more = {
    ...(answers !== undefined && { inputResponses: answers }),
    ...(state !== undefined && { requestState: state }),
  }
  const params = { ...call.params, ...more, _meta: META }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': call.method,
      'mcp-name': String(call.params['name'] ?? call.params['uri']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method: call.method, params }),
  })
  const message = (await response.json()) as { result?: Wire; error?: Wire['error'] }
  return message.result ?? { error: message.error ?? { code: 0, message: `HTTP ${response.status}` } }
}

export const accept = (content: Readonly<Record<string, unknown>>) => ({ action: 'accept', content })

/** Keys that a round asks under. */
export const keys = (wire: Wire): string[] => Object.keys(wire.inputRequests ?? {})

/** The text of a question. */
export const message = (wire: Wire, key: string): string => wire.inputRequests?.[key]?.params?.message ?? ''

/** The text of a tool's result. */
export const text = (wire: Wire): string | undefined => wire.content?.[0]?.text

/** Answers under the keys of the round before: an ask that is put again has the author's key and `~2`, `~3` … */
const underKeysOf = (asked: Wire, answers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      keys(asked).find((key) => key.split('~')[0] === name) ?? name,
      answer,
    ]),
  )

/**
 * Drives a call to its end, each round on the next of the processes.
 *
 * @param answers what is answered in each round, by the author's keys.
 */
export async function across(
  urls: readonly string[],
  call: Call,
  answers: readonly Readonly<Record<string, unknown>>[],
): Promise<{ readonly rounds: readonly Wire[]; readonly last: Wire }> {
  const rounds = [await round(urls[0] ?? '', call)]
  for (const [n, given] of answers.entries()) {
    const url = urls[(n + 1) % urls.length] ?? ''
    const asked = rounds.at(-1) ?? {}
    rounds.push(await round(url, call, underKeysOf(asked, given), asked.requestState))
  }
  return { rounds, last: rounds.at(-1) ?? {} }
}
