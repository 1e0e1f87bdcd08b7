import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { crypto as web } from './crypto.web.ts'
import { generateKey, readKeys, readSecrets, type StateKeys } from './key-ring.ts'
import { tokenCodec } from './token-codec.ts'

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(isRondoError(error, 'STATE_KEYS_INVALID')).toBe(true)
    return (error as Error).message
  }
  return expect.fail('was not refused')
}

describe('state keys', () => {
  it('T7 generates a fresh key each time, as text without a comma', () => {
    const keys = [generateKey(), generateKey(), generateKey(web)]
    expect(new Set(keys).size).toBe(3)
    for (const key of keys) {
      expect(key).toMatch(/^rk1_[\w-]{43}$/)
      expect(readSecrets(key)[0]).toHaveLength(32)
    }
  })

  it('T7 reads keys parted by commas, with white space and empty places between', () => {
    const [a, b] = [generateKey(), generateKey()]
    expect(readKeys(`${a},${b}`)).toEqual([a, b])
    expect(readKeys(` ${a} ,\n${b},`)).toEqual([a, b])
  })

  it('T7 takes an absent or blank text as no keys', () => {
    expect([readKeys(undefined), readKeys(''), readKeys(' , ')]).toEqual([undefined, undefined, undefined])
  })

  it('T1 takes secrets of 32 bytes and more, text counted as UTF-8', () => {
    expect(readSecrets('x'.repeat(32))[0]).toHaveLength(32)
    expect(readSecrets('é'.repeat(16))[0]).toHaveLength(32)
    expect(readSecrets(new Uint8Array(64))[0]).toHaveLength(64)
    expect(refusal(() => readSecrets('x'.repeat(31)))).toContain('has 31 bytes')
    expect(refusal(() => readSecrets(new Uint8Array(31)))).toContain('has 31 bytes')
    expect(refusal(() => tokenCodec({ keys: 'short' }))).toContain('has 5 bytes')
  })

  it('T1 notices a generated key that was cut or joined', () => {
    const key = generateKey()
    for (const text of [key.slice(0, -1), `${key.slice(0, -1)}=`, `${key},${key}`, `${key} `]) {
      expect(refusal(() => readSecrets(text))).toContain('not a whole generated key')
    }
  })

  it('T1 names a bad key by its place and never by its text', () => {
    const good = generateKey()
    for (const bad of ['hush-hush', 'rk1_hush-hush']) {
      const text = refusal(() => readSecrets([good, bad]))
      expect(text).toContain('State key 2')
      expect(text).not.toContain('hush')
    }
    expect(refusal(() => readKeys(`${good},hush-hush`))).toContain('State key 2')
  })

  it('refuses an empty ring and values that are no keys', () => {
    expect(refusal(() => readSecrets([]))).toContain('No state key')
    for (const value of [42, null, {}, [42], [undefined]]) refusal(() => readSecrets(value as unknown as StateKeys))
  })

  it('keeps a copy of bytes, so that the caller may wipe them', () => {
    const bytes = new Uint8Array(32).fill(7)
    const [secret] = readSecrets(bytes)
    bytes.fill(0)
    expect(secret).toEqual(new Uint8Array(32).fill(7))
  })
})
