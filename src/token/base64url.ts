const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NONE = 255

const VALUES = new Uint8Array(128).fill(NONE)
for (const [index, char] of [...ALPHABET].entries()) VALUES[char.charCodeAt(0)] = index

/** base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += char(group >> 18) + char(group >> 12)
    if (left > 1) text += char(group >> 6)
    if (left > 2) text += char(group)
  }
  return text
}

/** Bytes of a canonical base64url text; `undefined` for padding, another alphabet, white space, or spare bits set. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  const rest = text.length % 4
  if (rest === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let held = 0
  let bits = 0
  let length = 0
  for (let i = 0; i < text.length; i += 1) {
    const value = VALUES[text.charCodeAt(i)] ?? NONE
    if (value === NONE) return undefined
    held = (held << 6) | value
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[length] = held >> bits
      length += 1
      held &= (1 << bits) - 1
    }
  }
  return held === 0 ? bytes : undefined
}

function char(sextet: number): string {
  return ALPHABET[sextet & 63] ?? ''
}
