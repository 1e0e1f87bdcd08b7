import { crypto as hostCrypto } from '#crypto'
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

export interface TokenOptions {
  /**
   * The ring: the first key seals, all open. Absent, or `'ephemeral'`: one random key of this process, made on first
   * use.
   */
  readonly keys?: StateKeys | 'ephemeral' | undefined
  /** Own sealing in place of the ring's (T10). `keys`, when given beside it, then serve {@link TokenCodec.hmac} alone. */
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
  /** Whether tokens die with this process, since its key was made up by it (T7). */
  readonly ephemeral: boolean
}

/**
 * @throws RondoError `STATE_KEYS_INVALID`
 */
export function tokenCodec(options: TokenOptions = {}, crypto: CryptoPort = hostCrypto): TokenCodec {
  const { keys, crypto: own, maxBytes = DEFAULT_MAX_BYTES } = options
  const digest = lastDigest(crypto)
  const made = keys === undefined || keys === 'ephemeral'
  const sealer = sealerOf(made ? undefined : readSecrets(keys, crypto), own, maxBytes, crypto)
  return {
    ephemeral: made && own === undefined,
    seal: (binding, body, times) =>
      chain(digest(binding.target), (target) => sealer.seal(writePlain(binding, target, body, times))),
    open(binding, token, now) {
      if (typeof token !== 'string') return { ok: false, reason: 'malformed' }
      if (token.length > maxBytes) return { ok: false, reason: 'too-large' }
      return chain(sealer.open(token), (unsealed): Opened | Promise<Opened> => {
        if (!unsealed.ok) return unsealed
        const { plain, kid } = unsealed
        return chain(digest(binding.target), (target) => readPlain(plain, binding, target, now, kid))
      })
    },
    hmac: (text, kid) => sealer.hmac(text, kid),
  }
}

function sealerOf(
  secrets: readonly Uint8Array[] | undefined,
  own: OwnCrypto | undefined,
  maxBytes: number,
  crypto: CryptoPort,
): Sealer {
  if (own === undefined) return ringSealer(() => secrets ?? [crypto.randomBytes(32)], maxBytes, crypto)
  // Without keys beside own crypto the HMAC key is a constant: its results must be the same on every machine, and what
  // goes in holds the call's random id.
  const { hmac } = ringSealer(() => secrets ?? [new Uint8Array(32)], maxBytes, crypto)
  return ownSealer(own, hmac, maxBytes)
}

type Digest = string | Promise<string>

/** A round opens one token and seals the next for the same target: the last digest is kept, unless its text is large. */
function lastDigest(crypto: CryptoPort): (target: string) => Digest {
  let last: string | undefined
  let digest: Digest = ''
  return (target) => {
    if (target === last) return digest
    const made = digestOf(target, crypto)
    if (target.length > KEPT_TARGET) return made
    last = target
    digest = made
    return made
  }
}

/** Digest of a target. Text that UTF-8 cannot say is digested as UTF-16, and marked, so that no two targets meet. */
function digestOf(target: string, crypto: CryptoPort): Digest {
  if (isWellFormed(target)) return crypto.sha256(target)
  const units = new Uint8Array(target.length * 2)
  for (let i = 0; i < target.length; i += 1) {
    const unit = target.charCodeAt(i)
    units[2 * i] = unit >> 8
    units[2 * i + 1] = unit & 0xff
  }
  return chain(crypto.sha256(units), (digest) => `16:${digest}`)
}
