import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import {
  type CryptoPort,
  KID_BYTES,
  LABELS,
  NONCE_BYTES,
  type RingKey,
  SALT_BYTES,
  SEAL_OVERHEAD,
  TOKEN_PREFIX,
} from './crypto-port.ts'
import { derivationBlocks } from './derivation.ts'

type Bytes = Uint8Array<ArrayBuffer>

const { subtle } = globalThis.crypto
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const
const BLOCK = 16

async function hmacKey(secret: Uint8Array): Promise<CryptoKey> {
  return subtle.importKey('raw', Uint8Array.from(secret), HMAC, false, ['sign'])
}

async function sign(key: CryptoKey, text: string): Promise<Bytes> {
  return new Uint8Array(await subtle.sign(HMAC, key, encoder.encode(text)))
}

/** WebCrypto has no bare block cipher: the first block of CBC from a zero vector is one. */
async function encryptBlock(key: CryptoKey, block: Uint8Array): Promise<Uint8Array> {
  const cbc = { name: 'AES-CBC', iv: new Uint8Array(BLOCK) }
  return new Uint8Array(await subtle.encrypt(cbc, key, Uint8Array.from(block)), 0, BLOCK)
}

async function webRingKey(secret: Uint8Array): Promise<RingKey> {
  const root = await hmacKey(secret)
  const kid = encodeBase64Url((await sign(root, LABELS.kid)).subarray(0, KID_BYTES))
  const hmac = await hmacKey(await sign(root, LABELS.hmac))
  const ringKey = await subtle.importKey('raw', await sign(root, LABELS.seal), 'AES-CBC', false, ['encrypt'])
  const blocks = derivationBlocks(await encryptBlock(ringKey, new Uint8Array(BLOCK)))
  const prefix = `${TOKEN_PREFIX}${kid}.`
  const additionalData = encoder.encode(prefix)
  const keyFor = async (salt: Uint8Array, usage: KeyUsage): Promise<CryptoKey> => {
    // Both blocks are copied out before the first await: the next token writes its salt into the same bytes.
    const pair = blocks(salt)
    const halves = [encryptBlock(ringKey, pair.slice(0, BLOCK)), encryptBlock(ringKey, pair.slice(BLOCK))]
    return subtle.importKey('raw', join(...(await Promise.all(halves))), 'AES-GCM', false, [usage])
  }

  return {
    kid,
    async seal(plain) {
      const nonces = globalThis.crypto.getRandomValues(new Uint8Array(SALT_BYTES + NONCE_BYTES))
      const iv = nonces.subarray(SALT_BYTES)
      const key = await keyFor(nonces.subarray(0, SALT_BYTES), 'encrypt')
      const sealed = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, encoder.encode(plain))
      return prefix + encodeBase64Url(join(nonces, new Uint8Array(sealed)))
    },
    async open(sealed) {
      if (sealed.length < SEAL_OVERHEAD) return undefined
      const bytes = Uint8Array.from(sealed)
      const iv = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES)
      const key = await keyFor(bytes.subarray(0, SALT_BYTES), 'decrypt')
      const box = bytes.subarray(SALT_BYTES + NONCE_BYTES)
      try {
        return decoder.decode(await subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, box))
      } catch {
        return undefined
      }
    },
    hmac: async (text) => encodeBase64Url(await sign(hmac, text)),
  }
}

function join(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Cryptography of hosts that have WebCrypto alone: everything it does is asynchronous. */
export const crypto: CryptoPort = {
  ringKey: webRingKey,
  async sha256(data) {
    const bytes = typeof data === 'string' ? encoder.encode(data) : Uint8Array.from(data)
    return encodeBase64Url(new Uint8Array(await subtle.digest('SHA-256', bytes)))
  },
  randomBytes: (size) => globalThis.crypto.getRandomValues(new Uint8Array(size)),
  encodeBase64Url,
  decodeBase64Url,
}
