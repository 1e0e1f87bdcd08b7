import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { isWithinDepth, PARSE_LIMITS } from '../jsonrpc/parse.ts'
import { host } from '../replay/host.ts'
import { readJournal, type Journal } from '../replay/journal.ts'
import { abandoned } from '../replay/thenable.ts'
import { canonicalJson } from '../token/canonical-json.ts'
import { readKeys } from '../token/key-ring.ts'
import { signingKeyMissing, tokenCodec, type Binding, type Opened, type TokenCodec } from '../token/token-codec.ts'
import type { CallPolicy } from './call-policy.ts'
import { givenClock } from './clock.ts'
import { milliseconds } from './duration.ts'
import type { Exchange } from './exchange.ts'
import { hostEnvironment } from './host-environment.ts'
import type { Logger } from './log.ts'
import { after, type Maybe } from './maybe.ts'
import type { ServerOptions, StateKeysOption } from './options.ts'
import type { ServerRequest } from './request.ts'

const HOUR = 3_600_000
/** Marks a journal sent in plain text, so that an author's own plain state is not taken for one. */
const PLAIN_JOURNAL = 'u1.'
/** Stands before an author's own plain state that begins like one of these two marks. */
const PLAIN_OWN = 'u0.'
/** The last moment that a date can tell: a longer time to live ends there. */
const LAST = 8.64e15

/** What a state is bound to, once a call's target is known. */
export interface Bound {
  readonly request: ServerRequest
  readonly policy: CallPolicy
  /** Name and arguments, or URI, as canonical text. Asked for only when there is a token to open or to seal. */
  target(): string
}

/** What a request brought along from the round before. */
export interface Carried {
  /** Which form of handler wrote the state: it says what the handler may use now. */
  readonly form: 'none' | 'ask' | 'return'
  readonly journal: Journal | undefined
  readonly journalText: string
  /** What a handler of the return form wrote. */
  readonly state: string | undefined
  readonly callId: string | undefined
  readonly callExpires: number | undefined
  /** Key that the state was sealed with. */
  readonly kid: string | undefined
  readonly answers: Answers
}

type Answers = ReadonlyMap<string, unknown> | undefined

/** State ready to be sent. */
export interface Sealed {
  readonly requestState: string
  /** Milliseconds since 1970 until which it is taken; `undefined` when unprotected. */
  readonly expires?: number
}

/** What is written into a state beside its binding. */
export interface Written {
  readonly form: 'ask' | 'return'
  readonly callId: string
  readonly text: string
}

/**
 * Joins replay and token: what a call knows leaves the process sealed (T1–T5) and comes back as a journal or as the
 * author's own state. Keeps nothing in between.
 */
export class Continuation {
  readonly #options: ServerOptions
  readonly #audience: string
  readonly #ttl: { readonly call: number; readonly round: number }
  readonly #log: Logger
  #codec: TokenCodec | undefined
  /** Whether the codec's key was made up before any request brought an environment, which may have keys. */
  #provisional = false

  constructor(name: string, options: ServerOptions, log: Logger) {
    this.#options = options
    this.#audience = options.state?.audience ?? name
    this.#log = log
    const { crypto, keys, callTtl = 24 * HOUR, roundTtl = HOUR } = options.state ?? {}
    this.#ttl = { call: milliseconds(callTtl, 'state.callTtl'), round: milliseconds(roundTtl, 'state.roundTtl') }
    // Elsewhere keys may come with the first request: there they are missed when they are needed.
    if (crypto !== undefined && keys === undefined && host.sharedTimers && !hasListedKeys(hostEnvironment())) {
      throw signingKeyMissing()
    }
    if (this.unprotected) {
      this.#log.once('unprotected', {
        level: 'warn',
        code: 'state-unprotected',
        message: "requestState: 'unprotected': clients can read and change the state of calls. Use it for tests only.",
      })
    }
  }

  get unprotected(): boolean {
    return this.#options.requestState === 'unprotected'
  }

  /** Whether state dies with this process for want of keys, and nobody said that it may (T7). */
  get ephemeral(): boolean {
    return !this.unprotected && this.#options.state?.keys !== 'ephemeral' && this.#codecFor({}).ephemeral
  }

  /**
   * Reads `requestState` and `inputResponses` of a request.
   *
   * @throws WireError the one refusal (T3)
   */
  open(bound: Bound): Maybe<Carried> {
    const { exchange, params } = bound.request
    // Clients of the legacy era know neither; what they send under these names is not ours.
    if (exchange.legacy !== undefined) return NOTHING
    const state = params['requestState']
    const answers = readAnswers(params['inputResponses'])
    if (state === undefined || state === null) return answers === undefined ? NOTHING : carriedOn('none', '', answers)
    if (this.unprotected) return this.#openPlain(bound, state, answers)
    const codec = this.#codecFor(bound.request.exchange)
    const opened = codec.open(this.#binding(bound), state, this.#now(bound.request.exchange))
    return after(opened, (token) => this.#read(bound, token, answers))
  }

  /** Seals what a suspended round leaves behind. */
  seal(bound: Bound, carried: Carried, written: Written): Maybe<Sealed> {
    const { form, callId, text } = written
    if (this.unprotected) return { requestState: form === 'ask' ? PLAIN_JOURNAL + text : plainOwn(text) }
    const { exchange } = bound.request
    const codec = this.#codecFor(exchange)
    if (codec.ephemeral && exchange.perRequestHost === true && this.#options.state?.keys !== 'ephemeral') {
      throw new RondoError(
        'STATE_KEYS_MISSING',
        "A call was suspended on a host that may not keep this process until the answer comes. Set state.keys or RONDO_STATE_KEYS (`rondo keygen` makes one), or say state: { keys: 'ephemeral' } to go on without.",
      )
    }
    const now = this.#now(exchange)
    const { ttl } = bound.policy
    const callExpires = carried.callExpires ?? Math.min(LAST, now + (ttl?.call ?? this.#ttl.call))
    const roundExpires = Math.min(now + (ttl?.round ?? this.#ttl.round), callExpires)
    // A journal holds the call's id itself.
    const body = form === 'ask' ? `a\n${text}` : `r${callId}\n${text}`
    const token = codec.seal(this.#binding(bound), body, { roundExpires, callExpires })
    return after(token, (requestState) => ({ requestState, expires: roundExpires }))
  }

  /**
   * Key of a step (E14): the same when the same state comes back with the same answers, whichever key of the ring it was
   * sealed with; another otherwise.
   */
  idempotencyKey(request: ServerRequest, carried: Carried, callId: string, stepKey: string): Maybe<string> {
    const answers = canonicalJson(request.params['inputResponses'] ?? {})
    const text = `${callId}\n${stepKey}\n${carried.journalText}\n${answers}`
    return this.#codecFor(request.exchange).hmac(text, carried.kid)
  }

  /** Makes and checks signatures with this server's keys (T8). */
  signer(exchange: Pick<Exchange, 'env'>): Pick<TokenCodec, 'signingKid' | 'sign' | 'verify'> {
    return this.#codecFor(exchange)
  }

  #read(bound: Bound, token: Opened, answers: Answers): Carried {
    if (!token.ok) throw this.#refused(bound, token.reason)
    const { body, callExpires, kid } = token
    const line = body.indexOf('\n')
    const text = body.slice(line + 1)
    if (body.startsWith('r'))
      return carriedOn('return', text, answers, undefined, body.slice(1, line), callExpires, kid)
    const journal = this.#journal(bound, text)
    return carriedOn('ask', text, answers, journal, journal.id, callExpires, kid)
  }

  #journal(bound: Bound, text: string): Journal {
    const journal = readJournal(text)
    if (journal === undefined) throw this.#refused(bound, 'journal')
    return journal
  }

  #openPlain(bound: Bound, state: unknown, answers: Answers): Carried {
    if (typeof state !== 'string') throw this.#refused(bound, 'malformed')
    if (state.startsWith(PLAIN_JOURNAL)) {
      const text = state.slice(PLAIN_JOURNAL.length)
      const journal = this.#journal(bound, text)
      return carriedOn('ask', text, answers, journal, journal.id)
    }
    return carriedOn('return', state.startsWith(PLAIN_OWN) ? state.slice(PLAIN_OWN.length) : state, answers)
  }

  #now(exchange: Exchange): number {
    return (givenClock(exchange, this.#options) ?? Date.now)()
  }

  #refused({ request }: Bound, reason: string): WireError {
    const message = `A requestState was refused: ${reason}`
    this.#log.about(request, { level: 'info', code: 'state-refused', message, data: { reason } })
    return new WireError('STATE_REFUSED', 'Invalid or expired requestState')
  }

  #binding({ request, policy, target }: Bound): Binding {
    const { method, principal } = request
    return { method, target: target(), audience: this.#audience, principal, version: policy.version }
  }

  #codecFor({ env }: Pick<Exchange, 'env'>): TokenCodec {
    if (this.#codec !== undefined && (!this.#provisional || env === undefined)) return this.#codec
    // What comes with a request need not be an environment: Bun and Deno hand over other things in its place.
    const codec = this.#makeCodec(env === undefined ? hostEnvironment() : { ...hostEnvironment(), ...env })
    this.#provisional = env === undefined && codec.ephemeral && this.#options.state?.keys === undefined
    return (this.#codec = codec)
  }

  #makeCodec(env: Readonly<Record<string, unknown>>): TokenCodec {
    const { keys, crypto, maxBytes } = this.#options.state ?? {}
    return tokenCodec({ keys: resolveKeys(keys, env), crypto, maxBytes })
  }
}

/**
 * What a round goes on from. Written out in one literal: spreads cost more than all the rest of a round's dispatch.
 *
 * @param text the journal, or what a handler of the return form wrote
 */
export function carriedOn(
  form: Carried['form'],
  text: string | undefined,
  answers: Answers,
  journal?: Journal,
  callId?: string,
  callExpires?: number,
  kid?: string,
): Carried {
  const state = form === 'return' ? text : undefined
  return { form, journal, journalText: text ?? '', state, callId, callExpires, kid, answers }
}

const NOTHING = carriedOn('none', '', undefined)

function plainOwn(text: string): string {
  return text.startsWith(PLAIN_JOURNAL) || text.startsWith(PLAIN_OWN) ? PLAIN_OWN + text : text
}

function resolveKeys(keys: StateKeysOption | undefined, env: Readonly<Record<string, unknown>>) {
  if (typeof keys === 'function') return settled(keys(env))
  if (keys !== undefined) return keys
  return hasListedKeys(env) ? readKeys(String(env['RONDO_STATE_KEYS'])) : undefined
}

/** @throws RondoError `STATE_KEYS_INVALID` for keys that come later: the first round cannot wait for them */
function settled<T>(keys: T): T {
  if (!abandoned(keys)) return keys
  throw new RondoError(
    'STATE_KEYS_INVALID',
    'state.keys gave a promise. Fetch the keys first, and make the server with what came.',
  )
}

function hasListedKeys(env: Readonly<Record<string, unknown>>): boolean {
  const listed = env['RONDO_STATE_KEYS']
  return typeof listed === 'string' && listed.trim() !== ''
}

/**
 * Answers by key. One nested so deep that nothing recursive could take it counts as missing: short texts, and what a
 * framework parsed, come here without that check.
 *
 * @throws WireError `INVALID_PARAMS`
 */
function readAnswers(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WireError('INVALID_PARAMS', 'Invalid params: inputResponses must be an object of responses by key')
  }
  const answers = new Map<string, unknown>()
  for (const [key, answer] of Object.entries(value)) {
    if (isWithinDepth(answer, PARSE_LIMITS.depth)) answers.set(key, answer)
  }
  return answers
}
