import { describe, expect, it } from 'vitest'
import { generateKey, isRondoError, Server, type Context, type ServerLog, type ServerOptions } from '../entry/index.ts'
import { callTool, textOf } from '../../test/support/rpc.ts'

const PAY = 'https://pay.example/cart?n=1'
const crypto = {
  seal: (plain: Uint8Array) => Buffer.from(plain).toString('hex'),
  open: (sealed: string) => new Uint8Array(Buffer.from(sealed, 'hex')),
}
const OPENED = { pay: { action: 'accept' } }
const YES = { sure: { action: 'accept', content: { value: true } } }

function serverOf(state: ServerOptions['state'], handler: (ctx: Context) => unknown, logs: ServerLog[] = []): Server {
  const options: ServerOptions = { log: (event) => logs.push(event), ...(state !== undefined && { state }) }
  const server = new Server({ name: 's', version: '1.0.0' }, options)
  server.tool('it', {}, async (_args, ctx) => (await handler(ctx)) as string)
  return server
}

const signs = (ctx: Context) => ctx.signUrl(PAY)
async function signed(server: Server): Promise<string> {
  const url = textOf(await callTool(server, 'it'))
  if (url === undefined) throw new Error('no URL')
  return url
}

describe('signed URLs', () => {
  it('T8 stay good while the ring has the key that signed them, through a whole rotation', async () => {
    const [old, next] = [generateKey(), generateKey()]
    const rings = [[old], [old, next], [next, old], [next]]
    const good: boolean[][] = []
    for (const keys of rings) {
      const url = await signed(serverOf({ keys }, signs))
      good.push(
        await Promise.all(
          rings.map(async (ring) => (await serverOf({ keys: ring }, signs).verifyUrl(url, '')) !== undefined),
        ),
      )
    }
    expect(good).toEqual([
      [true, true, true, false],
      [true, true, true, false],
      [false, true, true, true],
      [false, true, true, true],
    ])
  })

  it('E15 are the same in every round of a call, though the ring was turned between two rounds', async () => {
    const [old, next] = [generateKey(), generateKey()]
    const asks = async (ctx: Context) => {
      await ctx.ask.url('pay', { message: 'Pay', url: await ctx.signUrl(PAY), orEnd: 'no' })
      return (await ctx.ask.confirm('sure', 'Sure?')) ? 'done' : 'not done'
    }
    const first = await callTool(serverOf({ keys: [old, next] }, asks), 'it')
    const state = { requestState: first.result?.requestState, inputResponses: OPENED }
    const second = await callTool(serverOf({ keys: [next, old] }, asks), 'it', {}, state)
    expect(Object.keys(second.result?.inputRequests ?? {})).toEqual(['sure'])
    const more = { requestState: second.result?.requestState, inputResponses: YES }
    expect(textOf(await callTool(serverOf({ keys: [next, old] }, asks), 'it', {}, more))).toBe('done')
  })

  it('keep their fragment, which the page that is opened never sees', async () => {
    const server = serverOf({ keys: generateKey() }, (ctx) => ctx.signUrl(`${PAY}#part`))
    const url = await signed(server)
    expect(url).toMatch(/#part$/)
    expect(await server.verifyUrl(url, '')).toBeDefined()
    expect(await server.verifyUrl(url.slice(0, url.indexOf('#')), '')).toBeDefined()
  })

  it.each(['', 'x', '.', '..', 'a.b', 'a.b.c', 'a.b.c.d', `${'a'.repeat(36)}.AAAAAAAA.${'A'.repeat(43)}`])(
    'are refused when they are none: %j',
    async (text) => {
      const url = new URL(PAY)
      url.searchParams.set('rondo', text)
      expect(await serverOf({ keys: generateKey() }, signs).verifyUrl(url, '')).toBeUndefined()
    },
  )

  it('are refused under a key that is not in the ring, whatever id they name', async () => {
    const [mine, theirs] = [serverOf({ keys: generateKey() }, signs), serverOf({ keys: generateKey() }, signs)]
    const [a, b] = [new URL(await signed(mine)), new URL(await signed(theirs))]
    const [, kid] = (a.searchParams.get('rondo') ?? '').split('.')
    const [id, , mac] = (b.searchParams.get('rondo') ?? '').split('.')
    b.searchParams.set('rondo', `${id}.${kid}.${mac}`)
    expect(await mine.verifyUrl(b, '')).toBeUndefined()
  })

  it('are checked with the keys of the environment that comes with requests, where the process has none', async () => {
    const env = { RONDO_STATE_KEYS: generateKey() }
    const server = serverOf(undefined, signs)
    const url = textOf(await callTool(server, 'it', {}, {}, { exchange: { env } })) ?? ''
    const another = serverOf(undefined, signs)
    expect(await another.verifyUrl(url, '', env)).toMatch(/^[0-9a-f-]{36}$/)
    const third = serverOf(undefined, signs)
    expect([third.ephemeral, await third.verifyUrl(url, '')]).toEqual([true, undefined])
    expect(await third.verifyUrl(url, '', env)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(['nonsense', '/cart', ''])('E4 end the call when there is no URL to sign: %j', async (url) => {
    let went = false
    const logs: ServerLog[] = []
    const server = serverOf(
      { keys: generateKey() },
      async (ctx) => {
        try {
          await ctx.signUrl(url)
        } catch {
          // What an author's catch-all would do.
        }
        went = true
        return 'went on'
      },
      logs,
    )
    expect((await callTool(server, 'it')).error).toEqual({ code: -32603, message: 'Internal error (ASK_SCHEMA)' })
    expect(went).toBe(false)
    expect(isRondoError(logs.find(({ code }) => code === 'ASK_SCHEMA')?.error, 'ASK_SCHEMA')).toBe(true)
  })

  it('E4 end the call when the keys cannot be had', async () => {
    let went = false
    const keys = () => {
      throw new Error('no such secret')
    }
    const server = serverOf({ keys }, async (ctx) => {
      await ctx.signUrl(PAY).catch(() => undefined)
      went = true
    })
    expect((await callTool(server, 'it')).error?.code).toBe(-32603)
    expect(went).toBe(false)
  })
})

describe('own crypto', () => {
  it('T10 is refused without keys, since what signs would be known to everybody', () => {
    const make = () => new Server({ name: 's', version: '1.0.0' }, { state: { crypto } })
    expect(make).toThrow(/state\.keys/)
    try {
      make()
    } catch (error) {
      expect(isRondoError(error, 'STATE_KEYS_MISSING')).toBe(true)
    }
  })

  it('T10 takes the keys beside it for signatures and idempotency keys', async () => {
    const keys = generateKey()
    const key = async (state: ServerOptions['state']) => {
      const server = serverOf(state, async (ctx) => {
        await ctx.ask.confirm('sure', 'Sure?')
        return ctx.step('s', ({ idempotencyKey }) => idempotencyKey)
      })
      const { result } = await callTool(server, 'it')
      return (again: Server = server) =>
        callTool(again, 'it', {}, { requestState: result?.requestState, inputResponses: YES }).then(textOf)
    }
    const here = await key({ keys, crypto })
    expect(await here()).toBe(await here())
    const url = await signed(serverOf({ keys, crypto }, signs))
    expect(await serverOf({ keys, crypto }, signs).verifyUrl(url, '')).toBeDefined()
    for (const other of [{ keys: generateKey(), crypto }, { keys: 'ephemeral', crypto } as const]) {
      expect(await serverOf(other, signs).verifyUrl(url, '')).toBeUndefined()
    }
  })
})
