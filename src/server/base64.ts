/** Characters converted at a time: `String.fromCharCode` takes its input as arguments. */
const CHUNK = 0x8000

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return btoa(binary)
}
