import { forecastBody } from '../measure/scenarios.mjs'
import { bareFetch } from './fetch.mjs'
import { handle } from './handle.mjs'

const texts = Array.from({ length: 64 }, (_, n) => forecastBody(n))

/** A block of string to string work. `handle` may answer with a value or a promise of one. */
export function textBlock(handleText) {
  let last
  return {
    size: 256,
    ready: () => undefined,
    async run() {
      for (let n = 0; n < 256; n++) {
        last = handleText(texts[n & 63])
        if (typeof last !== 'string') last = await last
      }
    },
    check() {
      if (!last.includes('mostly dry')) throw new Error(last)
    },
  }
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'forecast',
}

/** A block of `Request` to `Response` work; the requests are made outside the clock, and the bodies are not read in it. */
export function fetchBlock(handleRequest) {
  let last
  return {
    size: 128,
    ready: () =>
      Array.from(
        { length: 128 },
        (_, n) => new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: texts[n & 63] }),
      ),
    async run(requests) {
      for (const request of requests) last = await handleRequest(request)
    },
    check() {
      if (last.status !== 200) throw new Error(`status ${last.status}`)
    },
  }
}

export const prepare = (name) => (name === 'text' ? textBlock(handle) : fetchBlock(bareFetch))
