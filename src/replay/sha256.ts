const K = roots(64, 1 / 3)
const H = roots(8, 1 / 2)

/** SHA-256 (FIPS 180-4) of the UTF-8 bytes of `text`, for hosts without a synchronous one. */
export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6))
  new Uint8Array(view.buffer).set(bytes)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(view.byteLength - 4, bytes.length << 3)

  const state = H.slice()
  const words = new Int32Array(64)
  for (let at = 0; at < view.byteLength; at += 64) compress(state, words, view, at)

  const out = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => out.setInt32(i * 4, word))
  return new Uint8Array(out.buffer)
}

function compress(state: Int32Array, words: Int32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = block.getInt32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const w2 = words[i - 2] as number
    const w15 = words[i - 15] as number
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10)
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (words[i] as number)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const next = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = ((state[i] as number) + (next[i] as number)) | 0
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The first 32 bits of the fractional parts of a root of each of the first `count` primes. */
function roots(count: number, power: number): Int32Array {
  const words = new Int32Array(count)
  for (let n = 2, found = 0; found < count; n++) {
    let prime = true
    for (let by = 2; by * by <= n; by++) if (n % by === 0) prime = false
    if (prime) words[found++] = (n ** power % 1) * 2 ** 32
  }
  return words
}
