import { type CryptoPort, KID_BYTES, type RingKey, SEAL_OVERHEAD, TOKEN_PREFIX } from './crypto-port.ts'
import { chain } from './maybe-promise.ts'
import { type Sealer, type Unsealed } from './sealer.ts'
import { tooLarge } from './sizes.ts'

const KID_CHARS = (KID_BYTES * 4) / 3
const KID_END = TOKEN_PREFIX.length + KID_CHARS
const MIN_CHARS = Math.ceil((SEAL_OVERHEAD * 4) / 3)
const KID = /^[\w-]+$/

const MALFORMED: Unsealed = { ok: false, reason: 'malformed' }
const UNKNOWN_KEY: Unsealed = { ok: false, reason: 'unknown-key' }
const FORGED: Unsealed = { ok: false, reason: 'forged' }

/**
 * Seals with the first key of a ring and opens with the one the token names (T1, T8).
 *
 * @param secrets called on first use, since some hosts give no random bytes and run no WebCrypto before a request
 * @param maxBytes longest token, in characters (all ASCII)
 */
export function ringSealer(secrets: () => readonly Uint8Array[], maxBytes: number, crypto: CryptoPort): Sealer {
  let ring: readonly RingKey[] | Promise<readonly RingKey[]> | undefined
  const ready = (): readonly RingKey[] | Promise<readonly RingKey[]> => {
    ring ??= chain(makeRing(secrets(), crypto), (keys) => (ring = keys))
    return ring
  }

  return {
    seal(plain) {
      // No text takes more than three bytes a unit: only where that could be too much is the size counted.
      if (sealedSize(plain.length * 3) > maxBytes) {
        const size = sealedSize(utf8Size(plain))
        if (size > maxBytes) throw tooLarge(size, maxBytes)
      }
      return chain(ready(), (keys) => first(keys).seal(plain))
    },
    open(token) {
      if (!isShaped(token)) return MALFORMED
      return chain(ready(), (keys): Unsealed | Promise<Unsealed> => {
        const key = keys.find(({ kid }) => token.startsWith(kid, TOKEN_PREFIX.length))
        if (key === undefined) return KID.test(token.slice(TOKEN_PREFIX.length, KID_END)) ? UNKNOWN_KEY : MALFORMED
        const bytes = crypto.decodeBase64Url(token.slice(KID_END + 1))
        if (bytes === undefined) return MALFORMED
        return chain(key.open(bytes), (plain): Unsealed =>
          plain === undefined ? FORGED : { ok: true, plain, kid: key.kid },
        )
      })
    },
    key: (kid) => chain(ready(), (keys) => keys.find((key) => key.kid === kid) ?? first(keys)),
  }
}

function makeRing(
  secrets: readonly Uint8Array[],
  crypto: CryptoPort,
): readonly RingKey[] | Promise<readonly RingKey[]> {
  const keys = secrets.map((secret) => crypto.ringKey(secret))
  const made = keys.filter((key): key is RingKey => !(key instanceof Promise))
  return made.length === keys.length ? made : Promise.all(keys.map(async (key) => key))
}

function first(keys: readonly RingKey[]): RingKey {
  const [key] = keys
  if (key === undefined) throw new RangeError('A ring holds at least one key')
  return key
}

function isShaped(token: string): boolean {
  return token.startsWith(TOKEN_PREFIX) && token[KID_END] === '.' && token.length > KID_END + MIN_CHARS
}

/** Length of the token for so many bytes of plain text. */
function sealedSize(bytes: number): number {
  return KID_END + 1 + Math.ceil(((bytes + SEAL_OVERHEAD) * 4) / 3)
}

function utf8Size(text: string): number {
  let size = text.length
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) size += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return size
}
