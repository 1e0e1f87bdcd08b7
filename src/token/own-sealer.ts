import { RondoError } from '../errors/rondo-error.ts'
import { type Refused } from './claims.ts'
import { type Sealer, type Unsealed } from './sealer.ts'
import { tooLarge } from './sizes.ts'

/** An author's own sealing, for instance by a key management service (T10). It must be authenticated encryption. */
export interface OwnCrypto {
  /** Any text that travels in JSON. */
  seal(plain: Uint8Array): string | PromiseLike<string>
  /** `undefined`, a throw or a rejection all mean that `sealed` is refused. */
  open(sealed: string): Uint8Array | undefined | PromiseLike<Uint8Array | undefined>
}

/** Marks tokens of own crypto; a ring key never gives one. */
const PREFIX = 'r1x.'

/** What claims begin with, and no key id. */
const CLAIMS = '['

/**
 * Seals through the author's pair. What is sealed, and how its claims are checked, stays Rondo's.
 *
 * Before the claims stands the id of the key that makes HMACs at that time: a retry of the same token gives the same
 * idempotency keys after a rotation (T8, E14).
 */
export function ownSealer(own: OwnCrypto, key: Sealer['key'], maxBytes: number): Sealer {
  return {
    seal: async (plain) => sealWith(own, (await key()).kid + plain, maxBytes),
    open(token) {
      if (!token.startsWith(PREFIX)) return { ok: false, reason: 'malformed' }
      return openWith(own, token.slice(PREFIX.length))
    },
    key,
  }
}

async function sealWith(own: OwnCrypto, plain: string, maxBytes: number): Promise<string> {
  const bytes = new TextEncoder().encode(plain)
  // Sealing never makes it shorter: what is too large before is not sent through a key service first.
  if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes)
  const sealed = await attempt(() => own.seal(bytes))
  if (typeof sealed !== 'string') {
    throw new RondoError('STATE_CRYPTO', "The server's own crypto.seal() gave no string. It must give the sealed text.")
  }
  const token = PREFIX + sealed
  const size = new TextEncoder().encode(token).length
  if (size > maxBytes) throw tooLarge(size, maxBytes)
  return token
}

async function attempt(seal: () => unknown): Promise<unknown> {
  try {
    return await seal()
  } catch (cause) {
    throw new RondoError('STATE_CRYPTO', "The server's own crypto.seal() failed. The cause is attached.", { cause })
  }
}

async function openWith(own: OwnCrypto, sealed: string): Promise<Unsealed> {
  let bytes: unknown
  try {
    bytes = await own.open(sealed)
  } catch (cause) {
    return { ok: false, reason: 'crypto-failed', cause }
  }
  if (!(bytes instanceof Uint8Array)) return refused('forged')
  const plain = decode(bytes)
  if (plain === undefined) return refused('malformed')
  const at = plain.indexOf(CLAIMS)
  return { ok: true, plain: plain.slice(Math.max(at, 0)), kid: at > 0 ? plain.slice(0, at) : undefined }
}

function refused(reason: Refused['reason']): Refused {
  return { ok: false, reason }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
