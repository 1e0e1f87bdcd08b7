import { type Exchange, inputRequired, Server } from 'rondo'
import { describe, expect, it } from 'vitest'
import { EVERYTHING, readReply, type RpcReply } from '../support/rpc.ts'

type Handle = (answer: unknown) => void

/** A client of the legacy era whose people answer when the test says so. */
class SlowPeople {
  readonly #server: Server
  readonly #waiting: Handle[] = []

  constructor(server: Server) {
    this.#server = server
  }

  get asked(): number {
    return this.#waiting.length
  }

  async call(name: string, exchange: Exchange = {}): Promise<RpcReply> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }
    const legacy: NonNullable<Exchange['legacy']> = {
      protocolVersion: '2025-11-25',
      capabilities: EVERYTHING,
      request: (_request, signal) =>
        new Promise((resolve, reject) => {
          this.#waiting.push(resolve)
          signal.addEventListener('abort', () => reject(new Error('withdrawn')))
        }),
    }
    return readReply(await this.#server.handle(message, { ...exchange, legacy }))
  }

  /** Waits until so many are asked. */
  async reach(count: number): Promise<void> {
    await expect.poll(() => this.asked).toBe(count)
  }

  answer(): void {
    this.#waiting.shift()?.({ action: 'accept', content: { value: true } })
  }
}

function serverOf(concurrent: number): Server {
  const server = new Server({ name: 'test', version: '1.0.0' }, { rateLimit: { concurrent }, log: () => undefined })
  server.tool('asks', {}, async (_, ctx) => String(await ctx.ask.confirm('go', 'Go?')))
  server.tool('asksTwo', {}, async (_, ctx) =>
    String(await Promise.all([ctx.ask.confirm('a', 'A?'), ctx.ask.confirm('b', 'B?')])),
  )
  server.tool('returns', {}, (_, ctx) =>
    ctx.inputResponses === undefined ? inputRequired({ inputRequests: { go: { method: 'roots/list' } } }) : 'done',
  )
  server.tool('runs', {}, () => new Promise<string>(() => undefined))
  server.tool('quick', {}, () => 'ok')
  return server
}

const ok = (reply: RpcReply) => expect(reply.error).toBeUndefined()
const limited = (reply: RpcReply) => expect(reply.error).toMatchObject({ message: expect.stringMatching(/at once/) })

describe('the limit of calls that run at the same time', () => {
  it.each(['asks', 'asksTwo', 'returns'])(
    'holds no place while a person of the legacy era answers: %s',
    async (name) => {
      const people = new SlowPeople(serverOf(1))
      const waiting = people.call(name)
      await people.reach(name === 'asksTwo' ? 2 : 1)
      ok(await people.call('quick'))
      while (people.asked > 0) people.answer()
      await waiting
      ok(await people.call('quick'))
    },
  )

  it('takes the place back when the person has answered', async () => {
    const server = serverOf(1)
    let run: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (run = resolve))
    server.tool('asksThenRuns', {}, async (_, ctx) => {
      await ctx.ask.confirm('go', 'Go?')
      await gate
      return 'done'
    })
    const people = new SlowPeople(server)
    const call = people.call('asksThenRuns')
    await people.reach(1)
    people.answer()
    await expect.poll(() => people.call('quick').then(({ error }) => error?.code)).toBe(-32603)
    run()
    ok(await call)
    ok(await people.call('quick'))
  })

  it('bounds those that wait too: as many as may run', async () => {
    const people = new SlowPeople(serverOf(2))
    const waiting = [people.call('asks'), people.call('asks')]
    await people.reach(2)
    waiting.push(people.call('asks'), people.call('asks'))
    await people.reach(4)
    limited(await people.call('asks'))
    while (people.asked > 0) people.answer()
    for (const reply of await Promise.all(waiting)) ok(reply)
    ok(await people.call('quick'))
  })

  it('gives the place of a call back that is cancelled while it waits, and once', async () => {
    const people = new SlowPeople(serverOf(1))
    let cancel: ((reason?: string) => void) | undefined
    void people.call('asks', { onCancel: (listener) => (cancel = listener) })
    await people.reach(1)
    cancel?.('gone')
    people.answer()
    await new Promise((resolve) => setImmediate(resolve))
    ok(await people.call('quick'))
    void people.call('runs')
    limited(await people.call('quick'))
  })
})
