/** Who caused an error: decides what the caller is told, and whether the log calls it a bug. */
export type Fault = 'author' | 'peer' | 'person' | 'host'

interface ErrorRow {
  /** JSON-RPC code that a caller is given for it; `undefined` for errors that only ever stay on the client's side. */
  readonly wire: number | undefined
  /** HTTP status of the reply that carries it. */
  readonly status: number
  /** Whether the same request may succeed when sent again unchanged. */
  readonly retryable: boolean
  readonly fault: Fault
  /** Page of `docs/` that explains it. */
  readonly doc: string
}

const wire = (code: number, status: number, fault: Fault = 'peer'): ErrorRow => ({
  wire: code,
  status,
  retryable: false,
  fault,
  doc: 'errors.md#wire',
})
const author = (doc: string): ErrorRow => ({ wire: -32603, status: 200, retryable: false, fault: 'author', doc })
const person = (doc: string): ErrorRow => ({ wire: -32602, status: 200, retryable: false, fault: 'person', doc })
const host = (doc: string, retryable = false): ErrorRow => ({
  wire: -32603,
  status: 200,
  retryable,
  fault: 'host',
  doc,
})
const client = (doc: string, retryable = false): ErrorRow => ({
  wire: undefined,
  status: 0,
  retryable,
  fault: 'peer',
  doc,
})

/**
 * Every error Rondo raises, in one table: the code, what crosses the wire for it, its HTTP status, whether trying again
 * can help, whose doing it is, and where it is explained. The wire codes are those of the specification
 * (basic/index, "Error Codes") and no others.
 */
export const ERRORS = {
  // The wire family: JSON-RPC 2.0 and specification codes.
  PARSE_ERROR: wire(-32700, 400),
  INVALID_REQUEST: wire(-32600, 400),
  METHOD_NOT_FOUND: wire(-32601, 404),
  INVALID_PARAMS: wire(-32602, 200),
  INTERNAL_ERROR: wire(-32603, 200, 'author'),
  HEADER_MISMATCH: wire(-32020, 400),
  CAPABILITY_MISSING: wire(-32021, 400),
  VERSION_UNSUPPORTED: wire(-32022, 400),
  /** An author's own `WireError`, outside the reserved range. */
  WIRE_CUSTOM: wire(0, 200),

  // The replay engine.
  ASK_DUPLICATE: author('replay.md#names'),
  ASK_NAME: author('replay.md#names'),
  ASK_SCHEMA: author('forms.md'),
  ASK_UNSTABLE: author('replay.md#what-runs-again'),
  ASK_FAILED: person('asks.md#older-clients'),
  ASK_UNFIT: person('replay.md#answers'),
  STEP_NESTED: author('replay.md#steps'),
  STEP_UNRECORDABLE: author('replay.md#steps'),
  REPLAY_DIVERGED: author('replay.md#what-runs-again'),
  FORMS_MIXED: author('return-form.md'),
  ROUNDS_EXCEEDED: author('limits.md'),
  ASKS_EXCEEDED: author('limits.md'),
  JOURNAL_TOO_LARGE: author('limits.md'),
  HANDLER_TIME: author('limits.md'),
  WAIT_TIME: author('limits.md'),

  // Continuation tokens.
  STATE_KEYS_MISSING: host('state.md#keys'),
  STATE_KEYS_INVALID: host('state.md#keys'),
  STATE_TOO_LARGE: author('limits.md'),
  STATE_REFUSED: wire(-32602, 200),
  STATE_CRYPTO: host('state.md#own-crypto', true),

  // The server's set-up and handlers.
  DEFINITION_INVALID: author('server.md#definitions'),
  RESULT_INVALID: author('server.md#results'),
  RESULT_TOO_LARGE: author('limits.md#results'),
  RATE_LIMITED: { wire: -32603, status: 200, retryable: true, fault: 'peer', doc: 'limits.md#rate' },
  LISTEN_FAILED: host('transports.md#listening'),
  SUBSCRIPTIONS_EXCEEDED: { wire: -32603, status: 200, retryable: true, fault: 'peer', doc: 'limits.md#subscriptions' },
  SERVER_CLOSED: { ...host('server.md#closing', true), status: 503 },

  // The client.
  ROUND_REFUSED: client('client.md#refused-rounds'),
  ANSWER_INVALID: client('client.md#answers'),
  INPUT_REQUIRED: client('client.md#rounds'),
  RESULT_TYPE_UNKNOWN: client('client.md#results'),
  RESPONSE_INVALID: client('client.md#results'),
  RESPONSE_ERROR: client('client.md#errors'),
  CLIENT_ROUNDS_EXCEEDED: client('client.md#rounds'),
  CLIENT_ASKS_EXCEEDED: client('client.md#rounds'),
  CALL_EXPIRED: client('client.md#rounds'),
  REQUEST_TIMEOUT: client('client.md#timeouts', true),
  REQUEST_CANCELLED: client('client.md#cancelling'),
  TRANSPORT_FAILED: client('client.md#transports', true),
  TRANSPORT_CLOSED: client('client.md#transports', true),
  HTTP_STATUS: client('client.md#transports'),
  ERA_UNSUPPORTED: client('client.md#versions'),
  CONFIG_INVALID: client('client.md'),
} as const satisfies Record<string, ErrorRow>

/** The string codes of every error Rondo raises. */
export type ErrorCode = keyof typeof ERRORS
