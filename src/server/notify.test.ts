import { describe, expect, it } from 'vitest'
import { Server, type Context, type ServerLog, type ServerOptions } from '../entry/index.ts'
import { callTool, rpc, textOf } from '../../test/support/rpc.ts'

interface Notification {
  readonly method: string
  readonly params: Record<string, unknown>
}

function play(body: (ctx: Context) => Promise<string>, options: ServerOptions = {}) {
  const server = new Server({ name: 'notify', version: '1.0.0' }, options)
  server.tool('t', {}, async (_args, ctx) => body(ctx))
  const sent: Notification[] = []
  const exchange = { notify: (message: string) => void sent.push(JSON.parse(message) as Notification) }
  const call = (meta: object = {}, more: object = {}) => callTool(server, 't', {}, more, { meta, exchange })
  return { server, sent, call }
}

const progressOf = (sent: Notification[]) => sent.map(({ params }) => params['progress'])
const textsOf = (sent: Notification[]) => sent.map(({ params }) => params['data'])
const LEVEL = 'io.modelcontextprotocol/logLevel'

describe('progress', () => {
  const body = async ({ progress }: Context) => {
    for (const step of [0, 50, 40, 50, Number.NaN, 100]) progress(step, 100, `at ${step}`)
    return 'done'
  }

  it('spec basic/patterns/progress: goes out with the request’s token, and only upwards', async () => {
    const { sent, call } = play(body)
    await call({ progressToken: 'tok' })
    expect(progressOf(sent)).toEqual([0, 50, 100])
    expect(sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'tok', progress: 50, total: 100, message: 'at 50' },
    })
  })

  it('spec basic/patterns/progress: is silent without a token', async () => {
    const { sent, call } = play(body)
    await call()
    expect(sent).toEqual([])
  })

  it('spec basic/patterns/progress: stops with the reply', async () => {
    let late: Context | undefined
    const { sent, call } = play(async (ctx) => {
      late = ctx
      return 'done'
    })
    await call({ progressToken: 1 })
    late?.progress(1)
    late?.log.error('late')
    expect(sent).toEqual([])
  })

  it('E13 is silent while a round is replayed, and goes on where it is new', async () => {
    const { sent, call } = play(async (ctx) => {
      ctx.progress(1)
      await ctx.ask.confirm('a', '?')
      ctx.progress(2)
      return 'done'
    })
    const first = await call({ progressToken: 1 })
    expect(progressOf(sent)).toEqual([1])
    const inputResponses = { a: { action: 'accept', content: { value: true } } }
    await call({ progressToken: 2 }, { requestState: first.result?.requestState, inputResponses })
    expect(progressOf(sent)).toEqual([1, 2])
  })
})

describe('log messages', () => {
  const body = async ({ log }: Context) => {
    log.debug('d')
    log.info('i', 'worker')
    log.error({ why: 'e' })
    return 'done'
  }

  it('spec server/utilities/logging: go out from the level this request asks for', async () => {
    const { sent, call } = play(body)
    await call({ [LEVEL]: 'info' })
    expect(sent.map(({ params }) => params)).toEqual([
      { level: 'info', logger: 'worker', data: 'i' },
      { level: 'error', data: { why: 'e' } },
    ])
  })

  it('spec server/utilities/logging: none without a level', async () => {
    const { sent, call } = play(body)
    await call()
    expect(sent).toEqual([])
  })

  it('spec server/utilities/logging: pass the redaction hook, which may drop them', async () => {
    const redact = (data: unknown) => (data === 'i' ? undefined : data === 'd' ? '***' : data)
    const { sent, call } = play(body, { redact })
    await call({ [LEVEL]: 'debug' })
    expect(textsOf(sent)).toEqual(['***', { why: 'e' }])
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const thrower = (thrown: unknown) => ({
    toJSON() {
      throw thrown
    },
  })
  const deep = JSON.parse('['.repeat(9000) + ']'.repeat(9000)) as unknown
  it.each<[string, unknown]>([
    ['a BigInt', 1n],
    ['a BigInt inside', { n: [1n] }],
    ['what holds itself', cyclic],
    ['what throws', thrower(new Error('closed'))],
    ['what throws the unreadable', thrower(Object.create(null))],
    ['what lies too deep', deep],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['what shows nothing', { toJSON: () => undefined }],
    ['a promise', Promise.resolve(1)],
  ])('E4 %s is dropped with a word in the server’s log, and the handler goes on', async (_what, data) => {
    const logs: ServerLog[] = []
    const said = async (ctx: Context) => {
      ctx.log.info(data)
      await ctx.step('s', ({ log }) => log('info', data))
      ctx.log.info('after')
      return 'done'
    }
    for (const options of [{}, { redact: (given: unknown) => given }]) {
      const { sent, call } = play(said, { ...options, log: (event) => logs.push(event) })
      expect(textOf(await call({ [LEVEL]: 'info' }))).toBe('done')
      expect(textsOf(sent)).toEqual(['after'])
    }
    expect(logs.filter(({ code }) => code === 'notification-dropped')).toHaveLength(4)
  })

  it.each<[string, () => unknown]>([
    ['throws', () => thrower(new Error('no')).toJSON()],
    ['throws the unreadable', () => thrower(Object.create(null)).toJSON()],
    ['is asynchronous', async () => Promise.reject(new Error('no'))],
  ])('E4 a redact option that %s drops the message: better none than a secret', async (_what, redact) => {
    const logs: ServerLog[] = []
    const { sent, call } = play(body, { redact, log: (event) => logs.push(event) })
    expect(textOf(await call({ [LEVEL]: 'debug' }))).toBe('done')
    expect(sent).toEqual([])
    expect(logs.filter(({ code }) => code === 'notification-dropped')).toHaveLength(3)
  })

  it('E4 a transport that throws drops what it was given', async () => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 'notify', version: '1.0.0' }, { log: (event) => logs.push(event) })
    server.tool('t', {}, (_args, ctx) => {
      ctx.progress(1)
      ctx.log.info('x')
      return 'done'
    })
    const exchange = {
      notify: () => {
        throw new Error('gone')
      },
    }
    const meta = { progressToken: 1, [LEVEL]: 'info' }
    expect(textOf(await callTool(server, 't', {}, {}, { meta, exchange }))).toBe('done')
    expect(logs.filter(({ code }) => code === 'notification-dropped')).toHaveLength(2)
  })

  it('spec server/utilities/logging: nothing goes out in a form that the schema refuses', async () => {
    const odd = { a: 1 } as never
    const { sent, call } = play(
      async (ctx) => {
        ctx.log.info('named', odd)
        await ctx.step('s', ({ log }) => {
          log('loud' as never, 'no such level')
          log('info', 'known', 7 as never)
        })
        for (const [at, total] of [Number.NaN, Infinity, '9', null].entries()) ctx.progress(at, total as never, odd)
        for (const at of [Infinity, 9n, '9', undefined]) ctx.progress(at as never)
        return 'done'
      },
      { log: () => {} },
    )
    expect(textOf(await call({ [LEVEL]: 'debug', progressToken: 1 }))).toBe('done')
    expect(sent.map(({ params }) => params)).toEqual([
      { level: 'info', data: 'named' },
      { level: 'info', data: 'known' },
      ...[0, 1, 2, 3].map((progress) => ({ progressToken: 1, progress })),
    ])
  })

  it('E4 a step’s log is inert after the reply, which the server’s log says', async () => {
    const logs: ServerLog[] = []
    let late: (() => void) | undefined
    const { sent, call } = play(
      async (ctx) => {
        await ctx.step('s', ({ log }) => {
          late = () => log('error', 'late')
        })
        return 'done'
      },
      { log: (event) => logs.push(event) },
    )
    await call({ [LEVEL]: 'debug' })
    late?.()
    late?.()
    expect(sent).toEqual([])
    expect(logs.filter(({ code }) => code === 'CONTEXT_ENDED')).toHaveLength(1)
  })

  it('a running step may always say something', async () => {
    const { sent, call } = play(async (ctx) => {
      await ctx.step('s', ({ log }) => log('notice', 'building'))
      return 'done'
    })
    await call({ [LEVEL]: 'info' })
    expect(textsOf(sent)).toEqual(['building'])
  })
})

describe('custom methods', () => {
  it('report progress and log like calls, and stop with the reply', async () => {
    const server = new Server({ name: 'notify', version: '1.0.0' })
    let late: (() => void) | undefined
    server.method('acme/work', {}, (_params, ctx) => {
      ctx.progress(1)
      ctx.log.info('working')
      late = () => ctx.progress(2)
      return { done: true }
    })
    const sent: string[] = []
    const exchange = { notify: (message: string) => void sent.push(message) }
    const reply = await rpc(server, 'acme/work', {}, { exchange, meta: { progressToken: 1, [LEVEL]: 'info' } })
    late?.()
    expect(reply.result).toMatchObject({ resultType: 'complete', done: true })
    expect(sent).toHaveLength(2)
  })
})
