import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import { crypto as node } from './crypto.node.ts'

const bytes = fc.uint8Array({ maxLength: 80 })

describe('base64url', () => {
  it('spells any bytes as Node does and reads them back', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const text = encodeBase64Url(value)
        expect(text).toBe(Buffer.from(value).toString('base64url'))
        expect(decodeBase64Url(text)).toEqual(value)
      }),
    )
  })

  it('T1 refuses every spelling but the canonical one, on both hosts alike', () => {
    for (const text of [
      'AA==',
      'AA=',
      'A',
      'AB',
      'AAB',
      'A A',
      'AA\n',
      ' AA',
      'A+',
      'A/',
      'é',
      'AAAA=',
      'A\u0000',
      'AAA\u0141',
    ]) {
      expect(decodeBase64Url(text), text).toBeUndefined()
      expect(node.decodeBase64Url(text), text).toBeUndefined()
    }
  })

  it('takes the same texts as Node under the canonical rule', () => {
    const alphabet = fc.constantFrom('A', 'B', 'Q', 'g', 'w', '-', '_', '=', '+', '/', ' ', 'ÿ')
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 9 }), (chars) => {
        const text = chars.join('')
        const [ours, theirs] = [decodeBase64Url(text), node.decodeBase64Url(text)]
        expect(ours && Buffer.from(ours)).toEqual(theirs && Buffer.from(theirs))
      }),
      { numRuns: 2000 },
    )
  })
})
