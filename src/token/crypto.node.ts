import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHash, createHmac, randomFillSync } from 'node:crypto'
import {
  type CryptoPort,
  KID_BYTES,
  LABELS,
  NONCE_BYTES,
  type RingKey,
  SALT_BYTES,
  SEAL_OVERHEAD,
  TAG_BYTES,
  TOKEN_PREFIX,
} from './crypto-port.ts'
import { derivationBlocks } from './derivation.ts'

const ALGORITHM = 'aes-256-gcm'

/** Asking the system for random bytes costs a call each time; a page of them serves many tokens. */
const pool = Buffer.allocUnsafeSlow(4096)
let used = pool.length

function takeRandom(size: number): Buffer {
  if (size > pool.length) return randomFillSync(Buffer.allocUnsafeSlow(size))
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + size))
  // What was handed out once does not stay behind in the pool.
  pool.fill(0, used, used + size)
  used += size
  return bytes
}

function nodeRingKey(secret: Uint8Array): RingKey {
  const part = (label: string): Buffer => createHmac('sha256', secret).update(label).digest()
  const kid = part(LABELS.kid).subarray(0, KID_BYTES).toString('base64url')
  const hmacKey = part(LABELS.hmac)
  const prefix = `${TOKEN_PREFIX}${kid}.`
  const aad = Buffer.from(prefix)
  // ECB over blocks that never repeat within one derivation is the bare block cipher; kept open, it costs no set-up.
  const block = createCipheriv('aes-256-ecb', part(LABELS.seal), null).setAutoPadding(false)
  const blocks = derivationBlocks(block.update(Buffer.alloc(16)))
  const keyFor = (salt: Uint8Array): Buffer => block.update(blocks(salt))

  return {
    kid,
    seal(plain) {
      const size = Buffer.byteLength(plain)
      const nonces = takeRandom(SALT_BYTES + NONCE_BYTES)
      const salt = nonces.subarray(0, SALT_BYTES)
      const cipher = createCipheriv(ALGORITHM, keyFor(salt), nonces.subarray(SALT_BYTES)).setAAD(aad)
      const sealed = Buffer.allocUnsafe(size + SEAL_OVERHEAD)
      nonces.copy(sealed)
      cipher.update(plain, 'utf8').copy(sealed, SALT_BYTES + NONCE_BYTES)
      cipher.final()
      cipher.getAuthTag().copy(sealed, sealed.length - TAG_BYTES)
      return prefix + sealed.toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
      const end = bytes.length - TAG_BYTES
      const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, keyFor(bytes.subarray(0, SALT_BYTES)), nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(aad).setAuthTag(bytes.subarray(end))
      const plain = decipher.update(bytes.subarray(SALT_BYTES + NONCE_BYTES, end))
      try {
        decipher.final()
      } catch {
        return undefined
      }
      return plain.toString('utf8')
    },
    hmac: (text) => createHmac('sha256', hmacKey).update(text).digest('base64url'),
  }
}

/** Cryptography of Node, Bun and Deno: synchronous, so that a suspended round costs no turn of the event loop. */
export const crypto: CryptoPort = {
  ringKey: nodeRingKey,
  sha256: (data) => createHash('sha256').update(data).digest('base64url'),
  randomBytes: (size) => new Uint8Array(takeRandom(size)),
  encodeBase64Url: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url'),
  decodeBase64Url(text) {
    const bytes = Buffer.from(text, 'base64url')
    return bytes.toString('base64url') === text ? bytes : undefined
  },
}
