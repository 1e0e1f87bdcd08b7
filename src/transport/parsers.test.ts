import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonType, readAccept } from './http/media-types.ts'
import { OriginPolicy } from './http/origin.ts'
import type { HttpRequest } from './http/http-message.ts'
import { oneLine } from './one-line.ts'
import { ByteLines } from './stdio/byte-lines.node.ts'

const HEADER = fc.string({
  unit: fc.constantFrom(...'abAB/*;,=q01. "[]:@%#?-', 'application/json', 'text/event-stream', 'localhost', 'http://'),
})

it('HS1 lines come out the same however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' '))
  const cutting = fc.tuple(fc.array(line), fc.array(fc.nat()))
  fc.assert(
    fc.property(cutting, ([lines, cuts]) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      const at = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
      const got: string[] = []
      const reader = new ByteLines(1e6, {
        line: (text) => got.push(text),
        tooLong: () => expect.unreachable(),
        notUtf8: () => expect.unreachable(),
      })
      for (const [index, end] of at.slice(1).entries()) reader.feed(bytes.subarray(at[index], end))
      reader.end()
      expect(got).toEqual(lines.filter((text) => text !== ''))
    }),
  )
})

it('HS1 bytes of any kind never make the reader throw, and lines stay within the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const reader = new ByteLines(20, {
        line: (text) => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20),
        tooLong: () => undefined,
        notUtf8: () => undefined,
      })
      for (const chunk of chunks) reader.feed(Buffer.from(chunk))
      reader.end()
    }),
  )
})

it('HS1 a message put on one line is the same message', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (json, indent) => {
      const value: unknown = JSON.parse(json)
      const text = oneLine(JSON.stringify(value, null, indent))
      expect(text).not.toMatch(/[\r\n]/)
      expect(JSON.parse(text)).toEqual(value)
    }),
  )
})

it('H6 no Accept and no Content-Type makes the readers throw', () => {
  fc.assert(
    fc.property(HEADER, (header) => {
      const { events } = readAccept(header)
      if (events) expect(header.toLowerCase()).toContain('text/event-stream')
      if (isJsonType(header)) expect(header.toLowerCase()).toContain('application/json')
    }),
  )
})

it('H3 no Origin that is not listed passes under a name that may be rebound', () => {
  fc.assert(
    fc.property(
      HEADER,
      fc.domain().filter((name) => !name.endsWith('.localhost')),
      (text, name) => {
        const ask = (origin: string, host: string) => {
          const request = { loopback: false, secure: false, header: () => host } as Partial<HttpRequest> as HttpRequest
          return new OriginPolicy({}).refuseOrigin(request, origin)
        }
        expect(ask(text, `${name}.example`)).toBeDefined()
        expect(ask(`http://${name}`, name)).toBeDefined()
      },
    ),
  )
})
