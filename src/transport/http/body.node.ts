import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** Told, once, what came of reading a body. */
export interface BodyTaker {
  readonly maxBodyBytes: number
  body(text: string): void
  tooLarge(): void
  notUtf8(): void
}

/** Times the limit that is read and thrown away, so that a client still sending can see the refusal, before it is cut off. */
const WASTE = 4

/** Reads a request's body as text. A client that goes away before its end is told nothing: there is no one to tell. */
export function readBody(request: IncomingMessage, taker: BodyTaker): void {
  let first: Buffer | undefined
  let chunks: Buffer[] | undefined
  let size = 0
  let refused = false
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > taker.maxBodyBytes) {
      if (size > taker.maxBodyBytes * (WASTE + 1)) request.destroy()
      if (refused) return
      refused = true
      first = chunks = undefined
      taker.tooLarge()
    } else if (first === undefined) first = chunk
    else (chunks ??= [first]).push(chunk)
  })
  request.on('end', () => {
    if (refused) return
    const bytes = chunks === undefined ? first : Buffer.concat(chunks, size)
    if (bytes === undefined) taker.body('')
    else if (isUtf8(bytes)) taker.body(bytes.toString())
    else taker.notUtf8()
  })
}

/** Reads on, to nowhere, what a refused client still sends; past a bound its connection is cut. */
export function wasteBody(request: IncomingMessage, maxBodyBytes: number): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBodyBytes * WASTE) request.destroy()
  })
}
