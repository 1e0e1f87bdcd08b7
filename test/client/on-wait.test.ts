import { connect, type Wait } from 'rondo/client'
import { describe, expect, test } from 'vitest'
import { asking, form, scripted, text } from './scripted-server.ts'
import { virtualHost } from './virtual-host.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const never = (): Promise<never> => new Promise(() => undefined)

describe('onWait', () => {
  test('C3 a host is told of each state-only round, with its call', async () => {
    const host = virtualHost()
    const rounds = [asking(undefined, '1'), asking({ a: form() }, '2'), asking(undefined, '3'), text('ok')]
    const waits: Wait[] = []
    const client = await connect(
      scripted(() => rounds.shift() ?? text('?')),
      { host, onWait: (wait) => waits.push(wait), onElicit: () => ({ action: 'cancel' }) },
    )
    const call = client.callTool('t', { x: 1 })
    let over = false
    void call.finally(() => (over = true))
    while (!over) {
      await turn()
      if (!over) host.next()
    }
    const server = { address: 'memory', name: 'scripted', title: 'Scripted', version: '1.2.3' }
    const of = { reason: 'state-only', call: { method: 'tools/call', name: 't', arguments: { x: 1 } }, server }
    expect(waits).toEqual([
      { ...of, round: 1 },
      { ...of, round: 3 },
    ])
  })

  test('C3 a host is told once of a round that has no reply for a second', async () => {
    const host = virtualHost()
    const waits: Wait[] = []
    let reply = (_: ReturnType<typeof text>): void => undefined
    const client = await connect(
      scripted(() => new Promise((resolve) => (reply = resolve))),
      { host, onWait: (wait) => waits.push(wait) },
    )
    const call = client.callTool('t')
    host.advance(999)
    expect(waits).toEqual([])
    host.advance(20_000)
    expect(waits).toMatchObject([{ reason: 'no-reply', round: 1, call: { name: 't' } }])
    reply(text('ok'))
    await call
    expect(host.pending).toBe(0)
  })

  test('C3 a quick reply is no wait, and leaves no timer', async () => {
    const host = virtualHost()
    const waits: Wait[] = []
    const client = await connect(
      scripted(() => text('ok')),
      { host, onWait: (wait) => waits.push(wait) },
    )
    await client.callTool('t')
    expect(host.pending).toBe(0)
    expect(waits).toEqual([])
  })

  test("a call's own listener stands in for the client's", async () => {
    const host = virtualHost()
    const told: string[] = []
    const client = await connect(scripted(never), { host, onWait: () => told.push('client') })
    const controller = new AbortController()
    const call = client.callTool('t', {}, { onWait: () => told.push('call'), signal: controller.signal })
    host.advance(1000)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(told).toEqual(['call'])
  })

  test('C6 while an ask is with a person nothing is told', async () => {
    const host = virtualHost()
    const waits: Wait[] = []
    let asked = false
    const client = await connect(
      scripted(() => asking({ a: form() }, 's')),
      {
        host,
        onWait: (wait) => waits.push(wait),
        onElicit: () => {
          asked = true
          return never()
        },
      },
    )
    client.callTool('t').catch(() => undefined)
    while (!asked) await turn()
    host.advance(60_000)
    expect(waits).toEqual([])
  })

  test.each(['no-reply', 'state-only'])('what it throws ends the call (%s)', async (reason) => {
    const host = virtualHost()
    const thrown = new Error('the window is gone')
    const client = await connect(
      scripted(() => (reason === 'no-reply' ? never() : asking(undefined, 's'))),
      {
        host,
        onWait: () => {
          throw thrown
        },
      },
    )
    const call = client.callTool('t')
    call.catch(() => undefined)
    if (reason === 'no-reply') host.advance(1000)
    await expect(call).rejects.toBe(thrown)
    expect(host.pending).toBe(0)
  })
})
