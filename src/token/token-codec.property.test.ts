import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crypto as node } from './crypto.node.ts'
import { crypto as web } from './crypto.web.ts'
import { generateKey } from './key-ring.ts'
import { type Binding, tokenCodec } from './token-codec.ts'

const NOW = Date.UTC(2026, 6, 28)
const TIMES = { roundExpires: NOW + 1000, callExpires: NOW + 2000 }

/** Any string of UTF-16 units, lone surrogates included. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0xd800, 0xdfff, 0xfeff, 10, 34)), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units))
const binding: fc.Arbitrary<Binding> = fc.record(
  { method: text, target: text, audience: text, principal: text, version: text },
  { requiredKeys: ['method', 'target', 'audience', 'principal'] },
)

describe.each([
  { host: 'node:crypto', crypto: node, numRuns: 400 },
  { host: 'WebCrypto', crypto: web, numRuns: 60 },
])('any token, by $host', ({ crypto, numRuns }) => {
  const codec = tokenCodec({ keys: generateKey() }, crypto)

  it('T1 carries any string for any binding', async () => {
    await fc.assert(
      fc.asyncProperty(binding, text, async (bound, body) => {
        const opened = await codec.open(bound, await codec.seal(bound, body, TIMES), NOW)
        expect(opened).toMatchObject({ ok: true, body })
      }),
      { numRuns },
    )
  })

  it('T1 is refused with any bit of its bytes turned', async () => {
    await fc.assert(
      fc.asyncProperty(binding, text, fc.nat(), async (bound, body, at) => {
        const token = await codec.seal(bound, body, TIMES)
        const bytes = Buffer.from(token.slice(12), 'base64url')
        const bit = at % (bytes.length * 8)
        bytes.writeUInt8((bytes.at(bit >> 3) ?? 0) ^ (1 << (bit & 7)), bit >> 3)
        const turned = token.slice(0, 12) + bytes.toString('base64url')
        expect(await codec.open(bound, turned, NOW)).toEqual({ ok: false, reason: 'forged' })
      }),
      { numRuns },
    )
  })

  it('T1 is refused when cut, stretched or spliced', async () => {
    await fc.assert(
      fc.asyncProperty(binding, text, text, fc.nat(), async (bound, body, other, at) => {
        const [token, second] = [await codec.seal(bound, body, TIMES), await codec.seal(bound, other, TIMES)]
        const cut = at % token.length
        const changed = [
          token.slice(0, cut),
          token.slice(cut + 1),
          token.slice(0, cut) + second.slice(cut),
          token + second,
          token + 'AAAA',
        ]
        for (const text of changed.filter((text) => text !== token && text !== second)) {
          expect((await codec.open(bound, text, NOW)).ok).toBe(false)
        }
      }),
      { numRuns },
    )
  })

  it('T2 is refused under any other binding', async () => {
    await fc.assert(
      fc.asyncProperty(binding, binding, text, async (bound, other, body) => {
        fc.pre(JSON.stringify(Object.entries(bound).sort()) !== JSON.stringify(Object.entries(other).sort()))
        const token = await codec.seal(bound, body, TIMES)
        expect((await codec.open(other, token, NOW)).ok).toBe(false)
      }),
      { numRuns },
    )
  })

  it('T2 is refused when a single claim moves to its neighbour', async () => {
    const claims = ['method', 'target', 'audience', 'principal', 'version'] as const
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 5, maxLength: 5 }), fc.nat(4), async (values, at) => {
        const named = (order: readonly string[]): Binding =>
          Object.fromEntries(claims.map((claim, index) => [claim, order[index] ?? ''])) as unknown as Binding
        const moved = [...values]
        ;[moved[at], moved[(at + 1) % 5]] = [moved[(at + 1) % 5] ?? '', moved[at] ?? '']
        const token = await codec.seal(named(values), 'state', TIMES)
        expect((await codec.open(named(moved), token, NOW)).ok).toBe(false)
      }),
      { numRuns },
    )
  })

  it('T3 never throws, whatever text comes', async () => {
    const wild = fc.oneof(
      text,
      fc.string(),
      text.map((rest) => `r1.aaaaaaaa.${rest}`),
      fc.base64String({ minLength: 60, maxLength: 200 }).map((rest) => `r1.aaaaaaaa.${rest}`),
    )
    await fc.assert(
      fc.asyncProperty(binding, wild, async (bound, token) => {
        expect((await codec.open(bound, token, NOW)).ok).toBe(false)
      }),
      { numRuns },
    )
  })
})
