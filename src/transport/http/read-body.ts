/** A body as text, or why there is none. */
export type Body = { readonly text: string } | 'taken' | 'too-large' | 'not-utf8' | 'broken-off'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the body of a web request, up to a limit in bytes. Never rejects. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  if (request.body === null) return { text: '' }
  if (request.bodyUsed || request.body.locked) return 'taken'
  let bytes: Uint8Array | undefined
  try {
    bytes = await readBytes(request.body.getReader(), maxBytes)
  } catch {
    return 'broken-off'
  }
  if (bytes === undefined) return 'too-large'
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return 'not-utf8'
  }
}

async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // What an application streams may be anything; the limit counts bytes.
    if (!ArrayBuffer.isView(next.value)) throw new TypeError('A body is a stream of bytes')
    size += next.value.byteLength
    if (size > maxBytes) {
      // What becomes of the rest, and when, is not this reply's business.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    chunks.push(next.value)
  }
  return join(chunks, size)
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
