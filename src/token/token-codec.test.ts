import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { type CryptoPort, LABELS } from './crypto-port.ts'
import { crypto as node } from './crypto.node.ts'
import { crypto as web } from './crypto.web.ts'
import { derivationBlocks } from './derivation.ts'
import { generateKey } from './key-ring.ts'
import { type Binding, type Opened, tokenCodec, type TokenOptions } from './token-codec.ts'

const NOW = Date.UTC(2026, 6, 28)
const TIMES = { roundExpires: NOW + 3_600_000, callExpires: NOW + 86_400_000 }
const BINDING: Binding = {
  method: 'tools/call',
  target: 'deploy\n{"env":"staging"}',
  audience: 'deploys',
  principal: 'ada',
}
const REFUSED = (reason: string): object => ({ ok: false, reason })

/** A port that counts what it is asked, for proving that something was refused before it. */
function counting(crypto: CryptoPort): { port: CryptoPort; calls: () => number } {
  let calls = 0
  const port: CryptoPort = {
    ...crypto,
    ringKey: (secret) => ((calls += 1), crypto.ringKey(secret)),
    sha256: (data) => ((calls += 1), crypto.sha256(data)),
    decodeBase64Url: (text) => ((calls += 1), crypto.decodeBase64Url(text)),
    randomBytes: (size) => ((calls += 1), crypto.randomBytes(size)),
  }
  return { port, calls: () => calls }
}

/** Opens a token by the format's description alone; `undefined` when the tag does not hold. */
function openByHand(key: string, token: string, aad: string): string | undefined {
  const secret = Buffer.from(key.slice('rk1_'.length), 'base64url')
  const ecb = createCipheriv('aes-256-ecb', createHmac('sha256', secret).update(LABELS.seal).digest(), null)
  const blocks = derivationBlocks(ecb.setAutoPadding(false).update(Buffer.alloc(16)))
  const bytes = Buffer.from(token.slice(12), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', ecb.update(blocks(bytes.subarray(0, 12))), bytes.subarray(12, 24))
  decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-16))
  const plain = decipher.update(bytes.subarray(24, -16))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return plain.toString()
}

async function failure(run: () => unknown): Promise<Error> {
  try {
    await run()
  } catch (error) {
    return error as Error
  }
  return expect.fail('did not fail')
}

describe.each([
  { host: 'node:crypto', crypto: node },
  { host: 'WebCrypto', crypto: web },
])('tokens by $host', ({ crypto }) => {
  const key = generateKey()
  const codec = tokenCodec({ keys: key }, crypto)
  const seal = async (body = 'state', binding = BINDING, options: TokenOptions = { keys: key }): Promise<string> =>
    tokenCodec(options, crypto).seal(binding, body, TIMES)
  const open = async (token: unknown, binding = BINDING, now = NOW): Promise<Opened> => codec.open(binding, token, now)

  it('T1 has the form r1.<kid>.<base64url>', async () => {
    expect(await seal()).toMatch(/^r1\.[\w-]{8}\.[\w-]+$/)
  })

  it('T1 opens what it sealed, whole', async () => {
    for (const body of [
      '',
      'state',
      '\0',
      'a\nb',
      'é\u2028\u{1f600}',
      '\ufeffx',
      '"',
      '\ud800',
      'x\udfff\n',
      'y'.repeat(70_000),
    ]) {
      expect(await open(await seal(body))).toMatchObject({ ok: true, body, ...TIMES })
    }
  })

  it('T1 never gives the same token twice', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, async () => seal()))
    const salts = tokens.map((token) => token.slice(12, 28))
    const nonces = tokens.map((token) => token.slice(28, 44))
    expect([new Set(salts).size, new Set(nonces).size]).toEqual([50, 50])
  })

  it('T1 shows nothing of the body, the principal or the arguments', async () => {
    const token = await seal('the secret body')
    const bytes = Buffer.from(token.slice(12), 'base64url').toString('latin1')
    for (const text of ['secret', 'ada', 'staging', 'deploy', 'tools/call']) expect(bytes).not.toContain(text)
  })

  it('T1 refuses a token whose prefix, key id or any later character was changed', async () => {
    const token = await seal()
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const opened = await open(token.slice(0, at) + other + token.slice(at + 1))
      expect(opened.ok, `character ${at}`).toBe(false)
    }
  })

  it('T1 covers prefix and key id with the tag', async () => {
    const token = await seal()
    expect(openByHand(key, token, token.slice(0, 12))).toContain('state')
    for (const aad of ['', 'r1.', `r2.${token.slice(3, 12)}`, token.slice(0, 11), 'r1.aaaaaaaa.']) {
      expect(openByHand(key, token, aad), aad).toBeUndefined()
    }
  })

  it('T1 refuses every spelling of the same bytes but the canonical one', async () => {
    const token = await seal('some')
    const variants = [`${token}=`, `${token}==`, `${token}\n`, ` ${token}`, `${token} `, token.replace(/.$/, '$&A')]
    for (const variant of variants) expect((await open(variant)).ok, JSON.stringify(variant)).toBe(false)
  })

  it('T1 reads only the spare bits of the last character as zero', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const body of ['', 'a', 'aa']) {
      const token = await seal(body)
      const taken = [...alphabet].filter((char) =>
        Buffer.from(token.slice(12, -1) + char, 'base64url').equals(Buffer.from(token.slice(12), 'base64url')),
      )
      const opened = await Promise.all(taken.map(async (char) => open(token.slice(0, -1) + char)))
      expect(opened.filter(({ ok }) => ok)).toHaveLength(1)
    }
  })

  it.each([
    ['method', { method: 'prompts/get' }],
    ['target', { target: 'deploy\n{"env":"production"}' }],
    ['audience', { audience: 'other' }],
    ['principal', { principal: 'eve' }],
    ['version', { version: '2' }],
  ] as const)('T2 is bound to the %s', async (reason, other) => {
    expect(await open(await seal(), { ...BINDING, ...other })).toEqual(REFUSED(reason))
    expect(await open(await seal('state', { ...BINDING, ...other }))).toEqual(REFUSED(reason))
  })

  it('T2 takes an empty version as another one than none', async () => {
    expect(await open(await seal('state', { ...BINDING, version: '' }))).toEqual(REFUSED('version'))
    expect(await open(await seal('state', { ...BINDING, version: undefined }))).toMatchObject({ ok: true })
  })

  it('T2 takes an anonymous caller as another one than any named', async () => {
    expect(await open(await seal('state', { ...BINDING, principal: '' }))).toEqual(REFUSED('principal'))
  })

  it('T2 tells targets apart that UTF-8 would blur', async () => {
    const targets = ['file:///\ud800', 'file:///\ud801', 'file:///\ufffd']
    for (const target of targets) {
      const token = await seal('state', { ...BINDING, target })
      for (const other of targets) expect((await open(token, { ...BINDING, target: other })).ok).toBe(target === other)
    }
  })

  it('T2 tells targets of every length apart, and from their own digests', async () => {
    const sizes = [0, 1, 43, 95, 96, 97, 4096, 4097]
    const targets = sizes.flatMap((size) => ['a', '='].map((char) => char.repeat(size)))
    targets.push(createHash('sha256').update('a'.repeat(97)).digest('base64url'))
    for (const [index, target] of targets.entries()) {
      const token = await seal('state', { ...BINDING, target })
      for (const other of targets)
        expect((await open(token, { ...BINDING, target: other })).ok, `${index}`).toBe(target === other)
    }
  })

  it('T2 ends with the round, to the millisecond', async () => {
    const token = await seal()
    expect(await open(token, BINDING, TIMES.roundExpires - 1)).toMatchObject({ ok: true })
    expect(await open(token, BINDING, TIMES.roundExpires)).toEqual(REFUSED('round-expired'))
  })

  it('T2 ends with the call, whatever the round still had', async () => {
    const times = { roundExpires: NOW + 10, callExpires: NOW + 5 }
    const token = await codec.seal(BINDING, 'state', times)
    expect(await open(token, BINDING, NOW + 4)).toMatchObject({ ok: true })
    expect(await open(token, BINDING, NOW + 5)).toEqual(REFUSED('call-expired'))
  })

  it('T2 refuses when the clock or the times cannot be read', async () => {
    expect((await open(await seal(), BINDING, Number.NaN)).ok).toBe(false)
    const endless = await codec.seal(BINDING, 'state', { roundExpires: Number.NaN, callExpires: Number.NaN })
    expect((await open(endless)).ok).toBe(false)
  })

  it('T2 names the first difference in one fixed order', async () => {
    const order = ['method', 'target', 'audience', 'principal', 'version'] as const
    const token = await seal('state', { ...BINDING, version: '1' })
    const presented: Record<string, string> = { ...BINDING, version: '1' }
    const reasons: unknown[] = [(await open(token, { ...BINDING, version: '1' }, TIMES.callExpires)).ok]
    for (const claim of [...order].reverse()) {
      presented[claim] = 'other'
      const opened = await open(token, presented as unknown as Binding, TIMES.callExpires)
      reasons.unshift(opened.ok ? undefined : opened.reason)
    }
    expect(reasons).toEqual([...order, false])
  })

  it.each([
    undefined,
    null,
    0,
    42,
    true,
    {},
    [],
    ['r1.'],
    Symbol('r1'),
    () => 'r1',
    new String('r1.x.y'),
    '',
    'r1.',
    'r1..',
    'r2.aaaaaaaa.bbbb',
    'r1.aaaaaaaa.',
    `r1.aaaaaaaa.${'A'.repeat(53)}`,
    `r1.aaaaaaaé.${'A'.repeat(60)}`,
    `r1.aaaa.aaa.${'A'.repeat(60)}`,
    'r1x.',
    '\ud800',
  ])('T3 refuses %s without throwing', async (token) => {
    expect(await open(token)).toEqual(REFUSED('malformed'))
  })

  it('T3 gives a reason to every refusal', async () => {
    const other = tokenCodec({ keys: generateKey() }, crypto)
    const token = await seal()
    const flipped = token.slice(0, -20) + (token.at(-20) === 'A' ? 'B' : 'A') + token.slice(-19)
    expect(await other.open(BINDING, token, NOW)).toEqual(REFUSED('unknown-key'))
    expect(await open(flipped)).toEqual(REFUSED('forged'))
    expect(await open('x'.repeat(300_000))).toEqual(REFUSED('too-large'))
  })

  it('T4 seals an empty body like any other', async () => {
    const token = await seal('')
    expect(token.length).toBeGreaterThan(60)
    expect(await open(token)).toMatchObject({ ok: true, body: '' })
  })

  it('T5 refuses a long token before any cryptography', () => {
    const { port, calls } = counting(crypto)
    const small = tokenCodec({ keys: key, maxBytes: 1000 }, port)
    const before = calls()
    expect(small.open(BINDING, `r1.aaaaaaaa.${'A'.repeat(1000)}`, NOW)).toEqual(REFUSED('too-large'))
    expect(calls()).toBe(before)
  })

  it('T5 refuses to seal what would make a long token, with both sizes', async () => {
    const small = tokenCodec({ keys: key, maxBytes: 1000 }, crypto)
    const error = await failure(async () => small.seal(BINDING, 'é'.repeat(400), TIMES))
    expect(isRondoError(error, 'STATE_TOO_LARGE')).toBe(true)
    const { bytes, maxBytes } = (error as unknown as { data: { bytes: number; maxBytes: number } }).data
    expect([bytes > 1000, maxBytes]).toEqual([true, 1000])
    expect(bytes).toBe((await seal('é'.repeat(400))).length)
  })

  it('T5 allows a token of exactly the limit, both ways', async () => {
    for (const body of ['x'.repeat(300), 'é'.repeat(300), '\u2028'.repeat(300), '\u{1f600}'.repeat(300)]) {
      const token = await seal(body)
      const exact = tokenCodec({ keys: key, maxBytes: token.length }, crypto)
      expect(await exact.open(BINDING, await exact.seal(BINDING, body, TIMES), NOW)).toMatchObject({ ok: true })
      const less = tokenCodec({ keys: key, maxBytes: token.length - 1 }, crypto)
      expect(isRondoError(await failure(async () => less.seal(BINDING, body, TIMES)), 'STATE_TOO_LARGE')).toBe(true)
      expect(await less.open(BINDING, token, NOW)).toEqual(REFUSED('too-large'))
    }
  })

  it('T5 takes 256 KiB by default', async () => {
    expect((await seal('x'.repeat(196_000))).length).toBeLessThan(256 * 1024)
    expect(isRondoError(await failure(async () => seal('x'.repeat(197_000))), 'STATE_TOO_LARGE')).toBe(true)
  })

  it('T6 makes tokens whose length tells only the length of the body', async () => {
    const bodies = ['a'.repeat(600), 'abcdef'.repeat(100), Buffer.from(node.randomBytes(450)).toString('base64url')]
    const sizes = await Promise.all(bodies.map(async (body) => (await seal(body)).length))
    expect(new Set(sizes).size).toBe(1)
  })

  it('T7 makes up one key for the process when none is given', async () => {
    for (const keys of [undefined, 'ephemeral'] as const) {
      const [here, there] = [tokenCodec({ keys }, crypto), tokenCodec({ keys }, crypto)]
      const token = await here.seal(BINDING, 'state', TIMES)
      expect(await here.open(BINDING, token, NOW)).toMatchObject({ ok: true })
      expect(await there.open(BINDING, token, NOW)).toEqual(REFUSED('unknown-key'))
      expect(here.ephemeral).toBe(true)
    }
    expect(codec.ephemeral).toBe(false)
  })

  it('T7 draws no random bytes before the first use', async () => {
    const { port, calls } = counting(crypto)
    const fresh = tokenCodec({}, port)
    expect(calls()).toBe(0)
    await fresh.seal(BINDING, 'state', TIMES)
    expect(calls()).toBeGreaterThan(0)
  })

  it('T8 rotates without losing a call: [old, new], [new, old], [new]', async () => {
    const [older, newer] = [generateKey(), generateKey()]
    const rings = [[older], [older, newer], [newer, older], [newer]].map((keys) => tokenCodec({ keys }, crypto))
    const opens: boolean[][] = []
    for (const sealer of rings) {
      const token = await sealer.seal(BINDING, 'state', TIMES)
      opens.push(await Promise.all(rings.map(async (ring) => (await ring.open(BINDING, token, NOW)).ok)))
    }
    expect(opens).toEqual([
      [true, true, true, false],
      [true, true, true, false],
      [false, true, true, true],
      [false, true, true, true],
    ])
  })

  it('T8 gives idempotency keys of the key a token was sealed with, before and after a rotation', async () => {
    const [older, newer] = [generateKey(), generateKey()]
    const before = tokenCodec({ keys: [older, newer] }, crypto)
    const after = tokenCodec({ keys: [newer, older] }, crypto)
    const token = await before.seal(BINDING, 'state', TIMES)
    const opened = await after.open(BINDING, token, NOW)
    const kid = opened.ok ? opened.kid : undefined
    expect(kid).toBe(token.slice(3, 11))
    expect(await after.hmac('step', kid)).toBe(await before.hmac('step'))
    expect(await after.hmac('step')).not.toBe(await before.hmac('step'))
  })

  it('T8 checks a signature by the key it names, while the ring has it', async () => {
    const [older, newer] = [generateKey(), generateKey()]
    const [before, after, end] = [[older], [newer, older], [newer]].map((keys) => tokenCodec({ keys }, crypto))
    const signature = (await before?.sign('url')) ?? ''
    expect(signature).toMatch(/^[\w-]{8}\.[\w-]{43}$/)
    expect(await after?.verify('url', signature)).toBe(true)
    expect(await after?.sign('url', signature.slice(0, 8))).toBe(signature)
    expect(await after?.verify('urn', signature)).toBe(false)
    expect(await end?.verify('url', signature)).toBe(false)
    expect(await end?.verify('url', (await after?.sign('url')) ?? '')).toBe(true)
    for (const none of ['', '.', signature.slice(9), `${signature}A`])
      expect(await after?.verify('url', none)).toBe(false)
  })

  it('tells nothing of a sealing key by its HMAC or its id', async () => {
    const [hmac, other] = [await codec.hmac('text'), await codec.hmac('texu')]
    expect(hmac).toMatch(/^[\w-]{43}$/)
    expect(other).not.toBe(hmac)
    expect(await tokenCodec({ keys: generateKey() }, crypto).hmac('text')).not.toBe(hmac)
  })
})

describe('hosts together', () => {
  it('T1 seals on one host what another opens', async () => {
    const keys = [generateKey(), generateKey()]
    const codecs = [tokenCodec({ keys }, node), tokenCodec({ keys }, web)] as const
    for (const body of ['', 'state', 'é\u2028\u{1f600}\ud800']) {
      for (const from of codecs) {
        const token = await from.seal(BINDING, body, TIMES)
        for (const to of codecs) expect(await to.open(BINDING, token, NOW)).toMatchObject({ ok: true, body })
      }
    }
    expect(await codecs[0].hmac('text')).toBe(await codecs[1].hmac('text'))
  })

  it('T1 stays synchronous on Node', () => {
    const codec = tokenCodec({ keys: generateKey() }, node)
    const token = codec.seal(BINDING, 'state', TIMES)
    expect(typeof token).toBe('string')
    expect(codec.open(BINDING, token, NOW)).toMatchObject({ ok: true })
    expect(typeof codec.hmac('text')).toBe('string')
  })

  it('T1 keeps concurrent WebCrypto tokens apart', async () => {
    const codec = tokenCodec({ keys: generateKey() }, web)
    const bodies = Array.from({ length: 40 }, (_, index) => `state ${index}`)
    const tokens = await Promise.all(bodies.map(async (body) => codec.seal(BINDING, body, TIMES)))
    const opened = await Promise.all(tokens.map(async (token) => codec.open(BINDING, token, NOW)))
    expect(opened.map((token) => token.ok && token.body)).toEqual(bodies)
  })
})
