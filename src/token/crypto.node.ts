import { Buffer } from 'node:buffer'
import * as nodeCrypto from 'node:crypto'
import {
  type CryptoPort,
  KID_BYTES,
  LABELS,
  NONCE_BYTES,
  type RingKey,
  SALT_BYTES,
  TAG_BYTES,
  TOKEN_PREFIX,
} from './crypto-port.ts'
import { derivationBlocks } from './derivation.ts'

const { createCipheriv, createDecipheriv, createHash, createHmac, randomFillSync } = nodeCrypto

const ALGORITHM = 'aes-256-gcm'
/** Where the encrypted text begins: the salt and the nonce stand before it. */
const BOX = SALT_BYTES + NONCE_BYTES

/** Half the cost of a hash object; absent in Bun and Deno of some ages. */
const oneShot: typeof nodeCrypto.hash | undefined = nodeCrypto.hash

/** Asking the system for random bytes costs a call each time; a page of them serves many tokens. */
const pool = Buffer.allocUnsafeSlow(4096)
let used = pool.length

function fillRandom(target: Buffer, size: number): void {
  if (used + size > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  pool.copy(target, 0, used, used + size)
  // What was handed out once does not stay behind in the pool.
  pool.fill(0, used, used + size)
  used += size
}

/** Where tokens are put together, one after the other: most fit, and memory of their own would be garbage at once. */
const scratch = Buffer.allocUnsafeSlow(8192)
const scratchNonce = scratch.subarray(SALT_BYTES, BOX)

function nodeRingKey(secret: Uint8Array): RingKey {
  const part = (label: string): Buffer => createHmac('sha256', secret).update(label).digest()
  const kid = part(LABELS.kid).subarray(0, KID_BYTES).toString('base64url')
  const hmacKey = part(LABELS.hmac)
  const prefix = `${TOKEN_PREFIX}${kid}.`
  const aad = Buffer.from(prefix)
  // ECB over blocks that never repeat within one derivation is the bare block cipher; kept open, it costs no set-up.
  const block = createCipheriv('aes-256-ecb', part(LABELS.seal), null).setAutoPadding(false)
  const blocks = derivationBlocks(block.update(Buffer.alloc(16)))
  const keyFor = (sealed: Uint8Array): Buffer => block.update(blocks(sealed))

  return {
    kid,
    seal(plain) {
      fillRandom(scratch, BOX)
      const cipher = createCipheriv(ALGORITHM, keyFor(scratch), scratchNonce).setAAD(aad)
      const box = cipher.update(plain, 'utf8')
      cipher.final()
      const end = BOX + box.length
      const size = end + TAG_BYTES
      const sealed = size > scratch.length ? Buffer.allocUnsafe(size) : scratch
      if (sealed !== scratch) scratch.copy(sealed, 0, 0, BOX)
      sealed.set(box, BOX)
      sealed.set(cipher.getAuthTag(), end)
      return prefix + sealed.toString('base64url', 0, size)
    },
    open(sealed) {
      const bytes = Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv(ALGORITHM, keyFor(bytes), bytes.subarray(SALT_BYTES, BOX))
      decipher.setAAD(aad).setAuthTag(bytes.subarray(end))
      const plain = decipher.update(bytes.subarray(BOX, end))
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
  sha256: (data) =>
    oneShot === undefined
      ? createHash('sha256').update(data).digest('base64url')
      : oneShot('sha256', data, 'base64url'),
  randomBytes: (size) => randomFillSync(new Uint8Array(size)),
  encodeBase64Url: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url'),
  decodeBase64Url(text) {
    const bytes = Buffer.from(text, 'base64url')
    return bytes.toString('base64url') === text ? bytes : undefined
  },
}
