import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const DAY = 86_400_000

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['the engine', async () => (await import('./host.ts')).host],
  ['the client', async () => (await import('../client/client-host.ts')).clientHost],
])('timers of %s', (_who, load) => {
  test.each([1, 24, 25, 30, 100])('E8 fire after %d days, not before', async (days) => {
    const host = await load()
    const fired = vi.fn()
    host.setTimer(fired, days * DAY)
    vi.advanceTimersByTime(days * DAY - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('E8 never fire when their time is infinite, and are cleared at any time', async () => {
    const host = await load()
    const fired = vi.fn()
    const timers = [Infinity, 30 * DAY, 5].map((ms) => host.setTimer(fired, ms))
    host.clearTimer(timers[2])
    vi.advanceTimersByTime(29 * DAY)
    host.clearTimer(timers[1])
    vi.advanceTimersByTime(300 * DAY)
    host.clearTimer(timers[0])
    expect(fired).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})
