import { afterEach, expect, test, vi } from 'vitest'
import { type Host } from './host.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The host as it is where these globals are what they are given as. */
async function hostWith(globals: Record<string, unknown>): Promise<{ readonly host: Host }> {
  vi.resetModules()
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  return import('./host.ts')
}

test.each<[string, Record<string, unknown>, boolean]>([
  ['setImmediate', {}, true],
  ['a message port', { setImmediate: undefined }, true],
  ['a timer', { setImmediate: undefined, MessageChannel: undefined }, true],
  ['a timer on Workers', { setImmediate: undefined, navigator: { userAgent: 'Cloudflare-Workers' } }, false],
])('E8 a turn by %s, in order, captured when the module loads', async (_, globals, shared) => {
  const { host } = await hostWith(globals)
  vi.useFakeTimers()
  const order: number[] = []
  await new Promise<void>((resolve) => {
    host.defer(() => order.push(2))
    host.defer(() => {
      order.push(3)
      host.defer(() => {
        order.push(5)
        resolve()
      })
      void Promise.resolve().then(() => order.push(4))
    })
    // What is under way has been done before a turn comes.
    void Promise.resolve().then(() => order.push(1))
  })
  expect(order).toEqual([1, 2, 3, 4, 5])
  expect(host.sharedTimers).toBe(shared)
})

test('E8 timers and clock are captured, too', async () => {
  const { host } = await hostWith({})
  vi.useFakeTimers({ now: 0 })
  expect(host.now()).toBeGreaterThan(1e12)
  await new Promise<void>((resolve) => host.setTimer(resolve, 1, true) && host.setTimer(resolve, 2))
  const never = vi.fn()
  host.clearTimer(host.setTimer(never, 1))
  await new Promise<void>((resolve) => host.setTimer(resolve, 5))
  expect(never).not.toHaveBeenCalled()
  expect(host.random()).not.toBe(host.random())
})

test('E8 a turn that throws costs nobody else theirs', async () => {
  const thrown: unknown[] = []
  const note = (error: unknown): void => void thrown.push(error)
  const before = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', note)
  const { host } = await hostWith({})
  const order: number[] = []
  await new Promise<void>((resolve) => {
    host.defer(() => order.push(1))
    host.defer(() => {
      throw new Error('mine')
    })
    host.defer(() => {
      order.push(2)
      resolve()
    })
  })
  process.off('uncaughtException', note)
  for (const listener of before) process.on('uncaughtException', listener)
  expect(order).toEqual([1, 2])
  expect(thrown).toMatchObject([{ message: 'mine' }])
})
