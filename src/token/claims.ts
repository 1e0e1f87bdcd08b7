/** What a token is good for (T2): presented with anything else it is refused. */
export interface Binding {
  /** Method of the call, such as `tools/call`. */
  readonly method: string
  /** What is called with what, as canonical text of any length; of a long one only its digest goes into the token. */
  readonly target: string
  /** Who it was made for: the server's name unless the server is told otherwise. */
  readonly audience: string
  /** Who called; `''` is anonymous. */
  readonly principal: string
  /** The handler's own version, when it has one. */
  readonly version?: string | undefined
}

/** When a token ends, in milliseconds since 1970. The earlier of the two decides. */
export interface Times {
  readonly roundExpires: number
  readonly callExpires: number
}

/** Why a token was refused. For the log alone: on the wire every refusal is the same (T3). */
export type RefusalReason =
  | 'malformed'
  | 'too-large'
  | 'unknown-key'
  | 'forged'
  | 'method'
  | 'target'
  | 'audience'
  | 'principal'
  | 'version'
  | 'round-expired'
  | 'call-expired'
  | 'crypto-failed'

/** A token that passed every check. */
export interface OpenedBody extends Times {
  readonly ok: true
  /** The text that was sealed. */
  readonly body: string
  /** Id of the ring key that had sealed it; `undefined` with own crypto. */
  readonly kid: string | undefined
}

/** A token that did not. */
export interface Refused {
  readonly ok: false
  readonly reason: RefusalReason
  /** What own crypto threw, for the log. */
  readonly cause?: unknown
}

export type Opened = OpenedBody | Refused

/** Layout of the claims, so that a later release can still read this one's tokens. */
const LAYOUT = 1
/** How the body stands in the plain text: as it is, or (for text that UTF-8 cannot say) as a JSON string. */
const RAW = 0
const ESCAPED = 1

type Claims = readonly [
  layout: typeof LAYOUT,
  method: string,
  target: string,
  audience: string,
  principal: string,
  version: string | null,
  roundExpires: number,
  callExpires: number,
  encoding: typeof RAW | typeof ESCAPED,
]

/**
 * The plain text of a token: one line of claims, a line feed, the body. Text of a JSON array holds no line feed, so the
 * first one ends it.
 *
 * @param target what stands for `binding.target`
 */
export function writePlain(binding: Binding, target: string, body: string, times: Times): string {
  const raw = isWellFormed(body)
  const claims: Claims = [
    LAYOUT,
    binding.method,
    target,
    binding.audience,
    binding.principal,
    binding.version ?? null,
    Math.floor(times.roundExpires),
    Math.floor(times.callExpires),
    raw ? RAW : ESCAPED,
  ]
  return `${JSON.stringify(claims)}\n${raw ? body : JSON.stringify(body)}`
}

/**
 * Reads a plain text back and holds it against what the request says and the clock. Every claim is compared, always in
 * the same order; the first that differs names the reason.
 */
export function readPlain(
  plain: string,
  binding: Binding,
  expected: string,
  now: number,
  kid: string | undefined,
): Opened {
  const end = plain.indexOf('\n')
  const claims = end < 0 ? undefined : readClaims(plain.slice(0, end))
  if (claims === undefined) return { ok: false, reason: 'malformed' }
  const [, method, target, audience, principal, version, roundExpires, callExpires, encoding] = claims
  let reason: RefusalReason | undefined
  if (!(now < callExpires)) reason = 'call-expired'
  if (!(now < roundExpires)) reason = 'round-expired'
  if (version !== (binding.version ?? null)) reason = 'version'
  if (principal !== binding.principal) reason = 'principal'
  if (audience !== binding.audience) reason = 'audience'
  if (target !== expected) reason = 'target'
  if (method !== binding.method) reason = 'method'
  if (reason !== undefined) return { ok: false, reason }
  const text = plain.slice(end + 1)
  const body = encoding === RAW ? text : readString(text)
  if (body === undefined) return { ok: false, reason: 'malformed' }
  return { ok: true, body, roundExpires, callExpires, kid }
}

function readClaims(text: string): Claims | undefined {
  const value = readJson(text)
  if (!Array.isArray(value) || value.length !== 9) return undefined
  const [layout, method, target, audience, principal, version, roundExpires, callExpires, encoding] = value as unknown[]
  const known =
    layout === LAYOUT &&
    typeof method === 'string' &&
    typeof target === 'string' &&
    typeof audience === 'string' &&
    typeof principal === 'string' &&
    (version === null || typeof version === 'string') &&
    typeof roundExpires === 'number' &&
    typeof callExpires === 'number' &&
    (encoding === RAW || encoding === ESCAPED)
  return known ? (value as unknown as Claims) : undefined
}

function readString(text: string): string | undefined {
  const value = readJson(text)
  return typeof value === 'string' ? value : undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether UTF-8 can say `text`: no surrogate stands alone. (In ES2024's library, and in every host Rondo runs on.) */
export function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed()
}
