import { crypto as hostCrypto } from '#crypto'
import { RondoError } from '../errors/rondo-error.ts'
import { type CryptoPort } from './crypto-port.ts'

/** One secret: bytes, what {@link generateKey} gave, or any text of at least 32 bytes. */
export type StateKey = string | Uint8Array

/** The secrets of a server's tokens: one, or a ring of which the first seals and all open (T8). */
export type StateKeys = StateKey | readonly StateKey[]

/** What a generated key begins with, so that a shortened one is noticed instead of being taken as a text. */
const GENERATED = 'rk1_'
const MIN_BYTES = 32

/** A new random key as text, 47 characters without a comma: `rk1_…`. */
export function generateKey(crypto: CryptoPort = hostCrypto): string {
  return GENERATED + crypto.encodeBase64Url(crypto.randomBytes(MIN_BYTES))
}

/**
 * Reads the comma-separated keys of `RONDO_STATE_KEYS` (T7).
 *
 * @returns the keys in their order; `undefined` when the text is absent or blank
 * @throws RondoError `STATE_KEYS_INVALID`
 */
export function readKeys(envText: string | undefined): readonly string[] | undefined {
  const keys = (envText ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (keys.length === 0) return undefined
  readSecrets(keys)
  return keys
}

/**
 * The bytes of every secret, checked and copied.
 *
 * @throws RondoError `STATE_KEYS_INVALID`, naming the key by its place and never by its text
 */
export function readSecrets(keys: StateKeys, crypto: CryptoPort = hostCrypto): readonly Uint8Array[] {
  const list: readonly StateKey[] = typeof keys === 'string' || keys instanceof Uint8Array ? [keys] : keys
  if (!Array.isArray(list) || list.length === 0) throw invalid('No state key was given', 'Give at least one')
  return list.map((key: unknown, index) =>
    secretOf(key, list.length === 1 ? 'The state key' : `State key ${index + 1}`, crypto),
  )
}

function secretOf(key: unknown, which: string, crypto: CryptoPort): Uint8Array {
  const bytes = bytesOf(key, which, crypto)
  if (bytes.length < MIN_BYTES) {
    throw invalid(`${which} has ${bytes.length} bytes where at least ${MIN_BYTES} are needed`, 'Use a longer one')
  }
  return bytes
}

function bytesOf(key: unknown, which: string, crypto: CryptoPort): Uint8Array {
  if (key instanceof Uint8Array) return Uint8Array.from(key)
  if (typeof key !== 'string') throw invalid(`${which} is neither a string nor a Uint8Array`, 'Give one of the two')
  if (!key.startsWith(GENERATED)) return new TextEncoder().encode(key)
  const bytes = crypto.decodeBase64Url(key.slice(GENERATED.length))
  if (bytes === undefined || bytes.length < MIN_BYTES) {
    throw invalid(`${which} begins with ${GENERATED} but is not a whole generated key`, 'Look for a cut or joined copy')
  }
  return bytes
}

function invalid(what: string, todo: string): RondoError<'STATE_KEYS_INVALID'> {
  return new RondoError('STATE_KEYS_INVALID', `${what}. ${todo}, or let \`rondo keygen\` print one.`)
}
