import { type HttpClient, type HttpLimits, type HttpSink, NOT_UTF8 } from './http-port.ts'

/** HTTP for hosts with nothing but the global `fetch`: workers and browsers. */
export function httpClient(origin: string, limits: HttpLimits): HttpClient {
  const open = new Set<AbortController>()
  return {
    post(path, headers, body, sink) {
      const controller = new AbortController()
      const once = onceOver(sink, () => open.delete(controller))
      let init: RequestInit
      try {
        const { signal } = controller
        init = { method: 'POST', headers: new Headers(headers), body, signal, redirect: 'manual' }
      } catch (error) {
        once.fail(error, true)
        return () => undefined
      }
      open.add(controller)
      exchange(`${origin}${path}`, init, once, limits).catch((error: unknown) => {
        once.fail(error)
        // What could not be used is not read further.
        controller.abort(error)
      })
      return (error) => {
        once.fail(error)
        controller.abort(error)
      }
    },
    async close() {
      const error = new Error('The client was closed')
      for (const controller of open) controller.abort(error)
    },
  }
}

async function exchange(url: string, init: RequestInit, sink: HttpSink, limits: HttpLimits): Promise<void> {
  const response = await fetch(url, init)
  const mode = sink.head(response.status, (name) => response.headers.get(name) ?? undefined)
  const reader = response.body?.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let whole = ''
  let bytes = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    const text = decoded(decoder, value)
    if (mode === 'pieces') {
      if (text !== '') sink.text(text)
    } else {
      if (bytes > limits.maxBytes) throw new RangeError(`The reply is larger than ${limits.maxBytes} bytes`)
      whole += text
    }
  }
  if (mode === 'whole') sink.text(whole + decoded(decoder))
  sink.end()
}

/** @throws RangeError when the bytes are not UTF-8; without any, when they broke off in the middle of a character */
function decoded(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new RangeError(NOT_UTF8)
  }
}

/** A sink that lets exactly one of `end` and `fail` through, and nothing after it. */
function onceOver(sink: HttpSink, done: () => void): HttpSink {
  let over = false
  const finish = (last: () => void): void => {
    if (over) return
    over = true
    done()
    last()
  }
  return {
    head: (status, header) => (over ? 'whole' : sink.head(status, header)),
    text: (piece) => {
      if (!over) sink.text(piece)
    },
    end: () => finish(() => sink.end()),
    fail: (error, unsent) => finish(() => sink.fail(error, unsent)),
  }
}
