import { describe, expect, test } from 'vitest'
import { connect } from 'rondo/client'
import { asking, form, scripted, text } from './scripted-server.ts'
import { virtualHost, type VirtualHost } from './virtual-host.ts'

/** Runs timers of a host, one per turn, until the work is done. */
async function driven<T>(host: VirtualHost, work: Promise<T>): Promise<T> {
  let over = false
  const settled = work.finally(() => (over = true))
  settled.catch(() => undefined)
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve))
    if (!over) host.next()
  }
  return settled
}

/** Puts the caller off this often, then is done. */
function puttingOff(times: number): ReturnType<typeof scripted> {
  let left = times
  return scripted(() => (left-- > 0 ? asking(undefined, `left ${left}`) : text('ok')))
}

describe('state-only rounds', () => {
  test('C3 they are retried with the state, without answers, until the call is done', async () => {
    const host = virtualHost()
    const server = puttingOff(3)
    const client = await connect(server, { host })
    await driven(host, client.callTool('t', { x: 1 }))
    expect(server.calls.map(({ params }) => params['requestState'])).toEqual([undefined, 'left 2', 'left 1', 'left 0'])
    for (const { params } of server.calls) {
      expect(params).not.toHaveProperty('inputResponses')
      expect(params['arguments']).toEqual({ x: 1 })
    }
  })

  test('C3 the pauses double up to a limit, with jitter', async () => {
    const pausesAt = async (chance: number): Promise<number[]> => {
      const host = virtualHost(chance)
      const client = await connect(puttingOff(9), { host, timeout: 0, maxTimeout: 0 })
      host.set.length = 0
      await driven(host, client.callTool('t'))
      return host.set
    }
    expect(await pausesAt(0)).toEqual([50, 100, 200, 400, 800, 1600, 2500, 2500, 2500])
    expect((await pausesAt(0.999999)).map(Math.round)).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  })

  test('C3 a server that did the waiting itself is asked again soon', async () => {
    const host = virtualHost(0)
    let left = 4
    const server = scripted(() => {
      if (left < 4) host.advance(20_000)
      return left-- > 0 ? asking(undefined, 's') : text('ok')
    })
    const client = await connect(server, { host, timeout: 0, maxTimeout: 0 })
    host.set.length = 0
    await driven(host, client.callTool('t'))
    expect(host.set).toEqual([50, 50, 50, 50])
  })

  test('C3 an empty map of asks beside a state is a state-only round', async () => {
    const host = virtualHost()
    let round = 0
    const server = scripted(() => (round++ === 0 ? asking({}, 's') : text('ok')))
    const client = await connect(server, { host })
    await driven(host, client.callTool('t'))
    expect(server.calls).toHaveLength(2)
  })

  test('C3 a pause ends when the caller gives up', async () => {
    const host = virtualHost()
    const controller = new AbortController()
    const server = puttingOff(100)
    const client = await connect(server, { host, timeout: 0, maxTimeout: 0 })
    const call = client.callTool('t', {}, { signal: controller.signal })
    while (host.pending === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(host.pending).toBe(0)
    expect(server.calls).toHaveLength(1)
  })

  test('C3 the waiting is bounded', async () => {
    const host = virtualHost()
    const server = puttingOff(10_000)
    const client = await connect(server, { host, maxWait: 20_000 })
    const start = host.now()
    await expect(driven(host, client.callTool('t'))).rejects.toMatchObject({ code: 'CALL_EXPIRED' })
    expect(host.now() - start).toBeLessThanOrEqual(20_000)
    expect(server.calls.length).toBeLessThan(20)
  })

  test('C3 an asking round in between starts the count again', async () => {
    const host = virtualHost(0)
    const rounds = [
      asking(undefined, '1'),
      asking(undefined, '2'),
      asking({ a: form() }, '3'),
      asking(undefined, '4'),
      text('ok'),
    ]
    const client = await connect(
      scripted(() => rounds.shift() ?? text('?')),
      { host, timeout: 0, maxTimeout: 0, onElicit: () => ({ action: 'cancel' }) },
    )
    host.set.length = 0
    await driven(host, client.callTool('t'))
    expect(host.set).toEqual([50, 100, 50])
  })

  test('C3 by hand, a state-only round has no asks and is resumed without answers', async () => {
    const client = await connect(puttingOff(1))
    const round = await client.startTool('t')
    expect(round).toMatchObject({ kind: 'input_required', asks: {}, token: 'left 0' })
    if (round.kind === 'input_required') expect(await client.resume(round)).toMatchObject({ kind: 'complete' })
  })
})

describe('time-outs', () => {
  test('spec basic/patterns/cancellation: a request that is not answered is given up and cancelled', async () => {
    const host = virtualHost()
    let cancelled: string | undefined
    const client = await connect(
      scripted((_, exchange) => {
        exchange.onCancel?.((reason) => (cancelled = reason))
        return new Promise(() => undefined)
      }),
      { host, timeout: 5000 },
    )
    const call = client.callTool('t')
    call.catch(() => undefined)
    host.advance(4999)
    expect(cancelled).toBeUndefined()
    host.advance(1)
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: true })
    expect(cancelled).toContain('5000 ms')
  })

  test('spec basic/patterns/cancellation: time-outs are set per request', async () => {
    const host = virtualHost()
    const client = await connect(
      scripted(() => text('ok')),
      { host, timeout: 5000 },
    )
    host.set.length = 0
    await client.callTool('t', {}, { timeout: 70 })
    await client.listTools({}, { timeout: 0, maxTimeout: 0 }).catch(() => undefined)
    await client.callTool('t', {}, { timeout: 0, maxTimeout: 90 })
    expect(host.set).toEqual([70, 90])
    expect(host.pending).toBe(0)
  })

  test('spec basic/patterns/cancellation: progress extends the time, up to the most', async () => {
    const host = virtualHost()
    let report = (_progress: number): void => undefined
    const client = await connect(
      scripted(({ id }, exchange) => {
        report = (progress) =>
          exchange.notify?.(
            JSON.stringify({
              jsonrpc: '2.0',
              method: 'notifications/progress',
              params: { progressToken: id, progress },
            }),
          )
        return new Promise(() => undefined)
      }),
      { host, timeout: 1000, maxTimeout: 2500 },
    )
    const seen: number[] = []
    const call = client.callTool('t', {}, { onProgress: ({ progress }) => seen.push(progress) })
    call.catch(() => undefined)
    host.advance(900)
    report(1)
    host.advance(900)
    report(2)
    expect(host.pending).toBe(1)
    host.advance(600)
    expect(host.pending).toBe(1)
    host.advance(100)
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await expect(call).rejects.toThrow(/2500 ms in all/)
    expect(seen).toEqual([1, 2])
  })

  test.each([
    [{ timeout: 1000, maxTimeout: 0 }, 1000, /within 1000 ms\. .*"timeout" sets/],
    [{ timeout: 1000, maxTimeout: 5000 }, 1000, /within 1000 ms\. .*"timeout" sets/],
    [{ timeout: 0, maxTimeout: 2000 }, 2000, /within 2000 ms in all\. .*"maxTimeout" sets/],
    [{ timeout: 5000, maxTimeout: 2000 }, 2000, /within 2000 ms in all\. .*"maxTimeout" sets/],
    [{ timeout: 2000, maxTimeout: 2000 }, 2000, /within 2000 ms in all\. .*"maxTimeout" sets/],
  ])('spec basic/patterns/cancellation: the error names the limit that was reached: %j', async (limits, ms, told) => {
    const host = virtualHost()
    const client = await connect(
      scripted(() => new Promise(() => undefined)),
      { host, ...limits },
    )
    const call = client.callTool('t')
    let over = false
    call.catch(() => (over = true))
    host.advance(ms - 1)
    await Promise.resolve()
    expect(over).toBe(false)
    host.advance(1)
    await expect(call).rejects.toThrow(told)
  })

  test('spec basic/patterns/cancellation: an answer that arrives after the cancellation is ignored', async () => {
    let answer = (_: ReturnType<typeof text>): void => undefined
    const controller = new AbortController()
    const client = await connect(scripted(() => new Promise((resolve) => (answer = resolve))))
    const call = client.callTool('t', {}, { signal: controller.signal })
    controller.abort('later')
    answer(text('late'))
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED', cause: 'later' })
  })

  test('spec basic/patterns/cancellation: a signal that has fired already sends nothing', async () => {
    const server = scripted(() => text('ok'))
    const client = await connect(server)
    await expect(client.callTool('t', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'REQUEST_CANCELLED',
    })
    expect(server.calls).toHaveLength(0)
  })
})
