import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { derivationBlocks } from './derivation.ts'

/** XAES-256-GCM put together from the derivation, as its published test vectors have it. */
function xaesSeal(key: Uint8Array, nonce: Uint8Array, plain: string, aad: string): string {
  const ecb = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const blocks = derivationBlocks(ecb.update(new Uint8Array(16)))
  const gcm = createCipheriv('aes-256-gcm', ecb.update(blocks(nonce)), nonce.subarray(12))
  gcm.setAAD(Buffer.from(aad))
  return Buffer.concat([gcm.update(plain), gcm.final(), gcm.getAuthTag()]).toString('hex')
}

const nonce = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX')

describe('key derivation', () => {
  it('T1 agrees with the published vector of XAES-256-GCM whose subkey needs no reduction', () => {
    const sealed = xaesSeal(Buffer.alloc(32, 1), nonce, 'XAES-256-GCM', '')
    expect(sealed).toBe('ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271')
  })

  it('T1 agrees with the published vector of XAES-256-GCM whose subkey needs a reduction', () => {
    const sealed = xaesSeal(Buffer.alloc(32, 3), nonce, 'XAES-256-GCM', 'c2sp.org/XAES-256-GCM')
    expect(sealed).toBe('986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d')
  })

  it('T1 gives another pair of blocks for every bit of the salt', () => {
    const blocks = derivationBlocks(Buffer.alloc(16, 0x5a))
    const seen = new Set([Buffer.from(blocks(new Uint8Array(12))).toString('hex')])
    for (let bit = 0; bit < 96; bit += 1) {
      const salt = new Uint8Array(12)
      salt[bit >> 3] = 1 << (bit & 7)
      seen.add(Buffer.from(blocks(salt)).toString('hex'))
    }
    expect(seen.size).toBe(97)
  })
})
