/** Bytes of salt, GCM nonce and GCM tag around the sealed text of a token. */
export const SALT_BYTES = 12
export const NONCE_BYTES = 12
export const TAG_BYTES = 16
/** What sealing adds to the plain text, in bytes, before base64url. */
export const SEAL_OVERHEAD = SALT_BYTES + NONCE_BYTES + TAG_BYTES

/** Version tag that every token sealed with a ring key begins with. */
export const TOKEN_PREFIX = 'r1.'
/** Bytes of a key id; it stands in the token as 8 base64url characters. */
export const KID_BYTES = 6

/** Labels under which one secret gives its three independent parts. */
export const LABELS = {
  kid: 'rondo token r1: key id',
  seal: 'rondo token r1: sealing key',
  hmac: 'rondo token r1: hmac key',
} as const

/** One secret of the ring, made ready: what depends on the secret alone is computed once. */
export interface RingKey {
  /** Short id that stands in each token it sealed; gives nothing of the secret away. */
  readonly kid: string
  /** Seals `plain` with fresh nonces and returns the whole token text, prefix and key id included. */
  seal(plain: string): string | Promise<string>
  /** Opens the decoded third part of a token; `undefined` when it was not sealed by this key under this prefix. */
  open(sealed: Uint8Array): string | undefined | Promise<string | undefined>
  /** HMAC-SHA-256 of `text`, base64url. */
  hmac(text: string): string | Promise<string>
}

/** What a host's cryptography has to give. Two make it: `crypto.node.ts` (synchronous) and `crypto.web.ts`. */
export interface CryptoPort {
  /** @param secret at least 32 bytes; copied where it is kept. */
  ringKey(secret: Uint8Array): RingKey | Promise<RingKey>
  /** SHA-256 of bytes, or of the UTF-8 form of a text; base64url. */
  sha256(data: string | Uint8Array): string | Promise<string>
  randomBytes(size: number): Uint8Array
  encodeBase64Url(bytes: Uint8Array): string
  /** `undefined` unless `text` is the one canonical base64url spelling of its bytes (no padding, spare bits zero). */
  decodeBase64Url(text: string): Uint8Array | undefined
}
