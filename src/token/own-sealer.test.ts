import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { generateKey } from './key-ring.ts'
import { type OwnCrypto } from './own-sealer.ts'
import { type Binding, tokenCodec } from './token-codec.ts'

const NOW = Date.UTC(2026, 6, 28)
const TIMES = { roundExpires: NOW + 1000, callExpires: NOW + 2000 }
const keys = generateKey()
const BINDING: Binding = { method: 'tools/call', target: 'deploy\n{}', audience: 'deploys', principal: 'ada' }

/** A key service: gives out handles, keeps what they stand for. */
function service(): OwnCrypto & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>()
  return {
    kept,
    seal: async (plain) => {
      const handle = `blob ${kept.size} é`
      kept.set(handle, plain)
      return handle
    },
    open: async (sealed) => kept.get(sealed),
  }
}

describe('own crypto', () => {
  it('T10 seals and opens through the given pair', async () => {
    const codec = tokenCodec({ keys, crypto: service() })
    for (const body of ['', 'state', 'é\n\ud800', '\ufeff']) {
      const token = await codec.seal(BINDING, body, TIMES)
      expect(await codec.open(BINDING, token, NOW)).toMatchObject({ ok: true, body })
    }
    expect(codec.ephemeral).toBe(false)
  })

  it('T10 takes a synchronous pair too', async () => {
    const codec = tokenCodec({
      keys,
      crypto: {
        seal: (plain) => Buffer.from(plain).toString('hex'),
        open: (sealed) => new Uint8Array(Buffer.from(sealed, 'hex')),
      },
    })
    const token = await codec.seal(BINDING, 'state', TIMES)
    expect(await codec.open(BINDING, token, NOW)).toMatchObject({ ok: true, body: 'state' })
  })

  it.each([
    ['method', { method: 'prompts/get' }],
    ['target', { target: 'deploy\n{"a":1}' }],
    ['audience', { audience: 'x' }],
    ['principal', { principal: '' }],
    ['version', { version: '1' }],
  ] as const)('T10 leaves the check of the %s with Rondo', async (reason, other) => {
    const codec = tokenCodec({ keys, crypto: service() })
    const token = await codec.seal(BINDING, 'state', TIMES)
    expect(await codec.open({ ...BINDING, ...other }, token, NOW)).toEqual({ ok: false, reason })
  })

  it('T10 leaves the check of the times with Rondo', async () => {
    const codec = tokenCodec({ keys, crypto: service() })
    const token = await codec.seal(BINDING, 'state', TIMES)
    expect(await codec.open(BINDING, token, NOW + 1000)).toEqual({ ok: false, reason: 'round-expired' })
    expect(await codec.open(BINDING, token, NOW + 2000)).toEqual({ ok: false, reason: 'round-expired' })
  })

  it('T10 refuses what the pair does not open, and never throws', async () => {
    const cause = new Error('service down')
    const opens: [OwnCrypto['open'], object][] = [
      [() => undefined, { reason: 'forged' }],
      [async () => undefined, { reason: 'forged' }],
      [() => 'text' as unknown as Uint8Array, { reason: 'forged' }],
      [async () => Promise.reject(cause), { reason: 'crypto-failed', cause }],
      [
        () => {
          throw cause
        },
        { reason: 'crypto-failed', cause },
      ],
      [() => new Uint8Array([0xff, 0xfe]), { reason: 'malformed' }],
      ...[
        '',
        '\n',
        '[]\n',
        '[1]\nx',
        '{}\n',
        'null\nx',
        '[2,"m","t","a","p",null,1,2,0]\nx',
        '[1,"m","t","a","p",null,1,"2",0]\nx',
        '[1,"m","t","a","p",null,1,2,7]\nx',
      ].map((text): [OwnCrypto['open'], object] => [() => new TextEncoder().encode(text), { reason: 'malformed' }]),
    ]
    for (const [open, expected] of opens) {
      const codec = tokenCodec({ keys, crypto: { seal: () => 'x', open } })
      expect(await codec.open(BINDING, 'r1x.x', NOW)).toEqual({ ok: false, ...expected })
    }
  })

  it('T10 refuses the token of a ring, and a ring that of own crypto', async () => {
    const [own, ring] = [tokenCodec({ crypto: service(), keys }), tokenCodec({ keys })]
    const [a, b] = [await own.seal(BINDING, 'state', TIMES), await ring.seal(BINDING, 'state', TIMES)]
    expect(await ring.open(BINDING, a, NOW)).toEqual({ ok: false, reason: 'malformed' })
    expect(await own.open(BINDING, b, NOW)).toEqual({ ok: false, reason: 'malformed' })
  })

  it('T10 says that sealing failed, with the cause', async () => {
    const cause = new Error('service down')
    const seals: [OwnCrypto['seal'], unknown][] = [
      [async () => Promise.reject(cause), cause],
      [() => 42 as unknown as string, undefined],
    ]
    for (const [seal, expected] of seals) {
      const codec = tokenCodec({ keys, crypto: { seal, open: () => undefined } })
      const error = await Promise.resolve(codec.seal(BINDING, 'state', TIMES)).catch((thrown: unknown) => thrown)
      expect(isRondoError(error, 'STATE_CRYPTO')).toBe(true)
      expect((error as Error).cause).toBe(expected)
    }
  })

  it('T10 keeps to the size limit, before and after the pair', async () => {
    const pair = service()
    const codec = tokenCodec({ keys, crypto: pair, maxBytes: 500 })
    const tooLarge = await Promise.resolve(codec.seal(BINDING, 'x'.repeat(500), TIMES)).catch((error: unknown) => error)
    expect(isRondoError(tooLarge, 'STATE_TOO_LARGE')).toBe(true)
    expect(pair.kept.size).toBe(0)
    const grown = tokenCodec({ keys, crypto: { ...pair, seal: () => 'x'.repeat(600) }, maxBytes: 500 })
    const after = await Promise.resolve(grown.seal(BINDING, 'x', TIMES)).catch((error: unknown) => error)
    expect(isRondoError(after, 'STATE_TOO_LARGE')).toBe(true)
    expect(await codec.open(BINDING, `r1x.${'x'.repeat(600)}`, NOW)).toEqual({ ok: false, reason: 'too-large' })
  })

  it('T10 makes HMACs with the keys beside the pair, the same on every machine', async () => {
    const [a, b] = [tokenCodec({ crypto: service(), keys }), tokenCodec({ keys })]
    expect(await a.hmac('step')).toBe(await b.hmac('step'))
    expect(await b.verify('url', await a.sign('url'))).toBe(true)
  })

  it('T10 HMACs of a token are the same after the keys beside the pair were rotated', async () => {
    const pair = service()
    const [old, fresh] = [generateKey(), generateKey()]
    const before = tokenCodec({ crypto: pair, keys: [old, fresh] })
    const token = await before.seal(BINDING, 'state', TIMES)
    const made = await before.hmac('step')
    for (const ring of [[old, fresh], [fresh, old], [old]]) {
      const codec = tokenCodec({ crypto: pair, keys: ring })
      const opened = await codec.open(BINDING, token, NOW)
      if (!opened.ok) throw new Error(opened.reason)
      expect(await codec.hmac('step', opened.kid)).toBe(made)
    }
  })

  it('T11 opens a token that was sealed without the id of a key', async () => {
    const pair = service()
    const codec = tokenCodec({ keys, crypto: pair })
    const token = await codec.seal(BINDING, 'state', TIMES)
    const [handle, plain] = [...pair.kept][0] ?? ['', new Uint8Array()]
    pair.kept.set(handle, plain.slice(plain.indexOf('['.charCodeAt(0))))
    expect(await codec.open(BINDING, token, NOW)).toMatchObject({ ok: true, body: 'state', kid: undefined })
  })

  it('T10 takes no constant for a key: without keys it is refused, and an ephemeral one is made up', async () => {
    const refused = () => tokenCodec({ crypto: service() })
    expect(refused).toThrow(/RONDO_STATE_KEYS/)
    const make = () => tokenCodec({ crypto: service(), keys: 'ephemeral' })
    expect(await make().hmac('step')).not.toBe(await make().hmac('step'))
    expect(make().ephemeral).toBe(false)
  })
})
