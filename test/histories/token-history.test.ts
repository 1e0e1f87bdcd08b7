import { describe, expect, it } from 'vitest'
import { crypto as node } from '../../src/token/crypto.node.ts'
import { crypto as web } from '../../src/token/crypto.web.ts'
import { tokenCodec } from '../../src/token/token-codec.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { histories, recordHistory } from './token-history.ts'

const { RECORD_HISTORY } = process.env
if (RECORD_HISTORY !== undefined) await recordHistory(RECORD_HISTORY, Date.now())

describe('tokens of earlier releases', () => {
  it('T11 keeps tokens of this release', () => {
    expect(histories().map(({ release }) => release)).toContain(packageJson.version)
  })

  describe.each([...histories()])('of $release', ({ keys, tokens, recorded, hmac }) => {
    it.each([...tokens])('T11 opens with the clock set back: $name', async ({ binding, body, times, token }) => {
      for (const crypto of [node, web]) {
        for (const ring of [keys, [...keys].reverse(), [...keys, 'a key of later days, added since']]) {
          const opened = await tokenCodec({ keys: ring }, crypto).open(binding, token, recorded)
          expect(opened).toMatchObject({ ok: true, body, ...times })
        }
      }
    })

    it.each([...tokens])('T11 does not open today: $name', async ({ binding, times, token }) => {
      const opened = await tokenCodec({ keys }).open(binding, token, times.roundExpires)
      expect(opened).toEqual({ ok: false, reason: 'round-expired' })
    })

    it('T11 gives the same idempotency keys', async () => {
      expect(await tokenCodec({ keys }).hmac(hmac.text)).toBe(hmac.result)
    })
  })
})
