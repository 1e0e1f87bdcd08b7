import { crypto as hostCrypto } from '#crypto'
import { RondoError } from '../errors/rondo-error.ts'
import { type Binding, isWellFormed, type Opened, readPlain, type Times, writePlain } from './claims.ts'
import { type CryptoPort } from './crypto-port.ts'
import { readSecrets, type StateKeys } from './key-ring.ts'
import { chain } from './maybe-promise.ts'
import { type OwnCrypto, ownSealer } from './own-sealer.ts'
import { ringSealer } from './ring-sealer.ts'
import { type Sealer } from './sealer.ts'
import { DEFAULT_MAX_BYTES } from './sizes.ts'

export type { Binding, Opened, Times } from './claims.ts'

/** Longest target, in UTF-16 units, that is remembered between two tokens. */
const KEPT_TARGET = 4096

/** Longest target that stands in a token as it is: a digest would take longer to make than the characters to carry. */
const SHORT_TARGET = 96

export interface TokenOptions {
  /**
   * The ring: the first key seals, all open. Absent, or `'ephemeral'`: one random key of this process, made on first
   * use.
   */
  readonly keys?: StateKeys | 'ephemeral' | undefined
  /** Own sealing in place of the ring's (T10). `keys` must then be given beside it, and make HMACs alone. */
  readonly crypto?: OwnCrypto | undefined
  /** Longest token either way, in bytes. Default: 256 KiB (T5). */
  readonly maxBytes?: number | undefined
}

/** Makes and opens continuation tokens (README.md of this folder has the rules). */
export interface TokenCodec {
  /**
   * Seals `body` for one binding.
   *
   * @throws RondoError `STATE_TOO_LARGE`; with own crypto also `STATE_CRYPTO`, and both by rejection
   */
  seal(binding: Binding, body: string, times: Times): string | Promise<string>
  /**
   * Opens what a caller sent. Never throws and never rejects, whatever `token` is.
   *
   * @param now milliseconds since 1970
   */
  open(binding: Binding, token: unknown, now: number): Opened | Promise<Opened>
  /**
   * HMAC-SHA-256, base64url, for idempotency keys.
   *
   * @param kid `kid` of the opened token, so that a retry gives the same keys after a rotation; the first key when absent
   */
  hmac(text: string, kid?: string): string | Promise<string>
  /** Id of the key that makes new signatures. */
  signingKid(): string | Promise<string>
  /**
   * `<key id>.<HMAC>`, so that it can be checked while the ring still has the key (T8).
   *
   * @param kid the key to sign with; the first when absent or no longer in the ring
   */
  sign(text: string, kid?: string): string | Promise<string>
  /** Whether `signature` is one of {@link sign} over `text`, by any key of the ring. */
  verify(text: string, signature: string): boolean | Promise<boolean>
  /** Whether tokens die with this process, since its key was made up by it (T7). */
  readonly ephemeral: boolean
}

/**
 * @throws RondoError `STATE_KEYS_INVALID`, `STATE_KEYS_MISSING` (own crypto without keys)
 */
export function tokenCodec(options: TokenOptions = {}, crypto: CryptoPort = hostCrypto): TokenCodec {
  const { keys, crypto: own, maxBytes = DEFAULT_MAX_BYTES } = options
  const claimOf = lastClaim(crypto)
  const made = keys === undefined || keys === 'ephemeral'
  if (own !== undefined && keys === undefined) throw signingKeyMissing()
  const sealer = sealerOf(made ? undefined : readSecrets(keys, crypto), own, maxBytes, crypto)
  return {
    ephemeral: made && own === undefined,
    seal: (binding, body, times) =>
      chain(claimOf(binding.target), (target) => sealer.seal(writePlain(binding, target, body, times))),
    open(binding, token, now) {
      if (typeof token !== 'string') return { ok: false, reason: 'malformed' }
      if (token.length > maxBytes) return { ok: false, reason: 'too-large' }
      return chain(sealer.open(token), (unsealed): Opened | Promise<Opened> => {
        if (!unsealed.ok) return unsealed
        const { plain, kid } = unsealed
        return chain(claimOf(binding.target), (target) => {
          const opened = readPlain(plain, binding, target, now, kid)
          if (opened.ok || opened.reason !== 'target' || !isSpelledOut(target)) return opened
          // 0.1.0 wrote the digest of short targets, too (T11).
          return chain(digestOf(binding.target, crypto), (digest) => readPlain(plain, binding, digest, now, kid))
        })
      })
    },
    hmac: (text, kid) => chain(sealer.key(kid), (key) => key.hmac(text)),
    signingKid: () => chain(sealer.key(), ({ kid }) => kid),
    sign: (text, kid) => chain(sealer.key(kid), (key) => chain(key.hmac(text), (mac) => `${key.kid}.${mac}`)),
    verify(text, signature) {
      const kid = signature.slice(0, Math.max(signature.indexOf('.'), 0))
      return chain(sealer.key(kid), (key) => chain(key.hmac(text), (mac) => isEqual(`${key.kid}.${mac}`, signature)))
    },
  }
}

function sealerOf(
  secrets: readonly Uint8Array[] | undefined,
  own: OwnCrypto | undefined,
  maxBytes: number,
  crypto: CryptoPort,
): Sealer {
  const ring = ringSealer(() => secrets ?? [crypto.randomBytes(32)], maxBytes, crypto)
  if (own === undefined) return ring
  return ownSealer(own, ring.key, maxBytes)
}

/** Own crypto without a secret for signatures: whatever stood in for it would be known to everybody (T10). */
export function signingKeyMissing(): RondoError<'STATE_KEYS_MISSING'> {
  return new RondoError(
    'STATE_KEYS_MISSING',
    'state.crypto seals the state of calls, but signed URLs and idempotency keys need a secret of their own. Give ' +
      'state.keys beside it, or set RONDO_STATE_KEYS, the same on every machine (`rondo keygen` prints one).',
  )
}

/** Compares in a time that does not depend on where the two differ. */
function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

type Claim = string | Promise<string>

/**
 * What stands for a target in a token: its digest or, when it is short, the target itself, marked as no digest is. A
 * round opens one token and seals the next for the same target: the last claim is kept, unless its text is large.
 */
function lastClaim(crypto: CryptoPort): (target: string) => Claim {
  let last: string | undefined
  let claim: Claim = ''
  return (target) => {
    if (target === last) return claim
    const made = target.length <= SHORT_TARGET && isWellFormed(target) ? `=${target}` : digestOf(target, crypto)
    if (target.length > KEPT_TARGET) return made
    last = target
    claim = made
    return made
  }
}

function isSpelledOut(claim: string): boolean {
  return claim.startsWith('=')
}

/** Digest of a target. Text that UTF-8 cannot say is digested as UTF-16, and marked, so that no two targets meet. */
function digestOf(target: string, crypto: CryptoPort): Claim {
  if (isWellFormed(target)) return crypto.sha256(target)
  const units = new Uint8Array(target.length * 2)
  for (let i = 0; i < target.length; i += 1) {
    const unit = target.charCodeAt(i)
    units[2 * i] = unit >> 8
    units[2 * i + 1] = unit & 0xff
  }
  return chain(crypto.sha256(units), (digest) => `16:${digest}`)
}
