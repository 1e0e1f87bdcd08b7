import { describe, expect, it } from 'vitest'
import { isRondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import { Limiter, type LimiterOptions } from './limiter.ts'

function refusalOf(limiter: Limiter, principal = ''): WireError {
  try {
    limiter.enter(principal)
  } catch (error) {
    if (error instanceof WireError) return error
    throw error
  }
  throw new Error('let through')
}

/** Lets `count` calls in and ends each at once. */
function pass(limiter: Limiter, count: number, principal = ''): void {
  for (let i = 0; i < count; i += 1) limiter.leave(limiter.enter(principal))
}

describe('Limiter', () => {
  it('spec server/tools: tool invocations are rate limited: a burst, then a refusal that says when to come back', () => {
    let now = 0
    const limiter = new Limiter({ perSecond: 10, burst: 3 }, () => now)
    pass(limiter, 3)
    const refusal = refusalOf(limiter)
    expect(isRondoError(refusal, 'RATE_LIMITED')).toBe(true)
    expect(refusal.status).toBe(200)
    expect(refusal.retryable).toBe(true)
    expect(refusal.toJSON()).toEqual({
      code: -32603,
      message: 'Too many calls: try again in 100 ms.',
      data: { retryAfterMs: 100 },
    })
    now += 99
    expect(refusalOf(limiter).data).toEqual({ retryAfterMs: 1 })
    now += 1
    pass(limiter, 1)
    refusalOf(limiter)
  })

  it('refills no further than the burst', () => {
    let now = 0
    const limiter = new Limiter({ perSecond: 10, burst: 2 }, () => now)
    now = 1_000_000
    pass(limiter, 2)
    refusalOf(limiter)
  })

  it('holds each principal to its own allowance', () => {
    const limiter = new Limiter({ perSecond: 1, burst: 1 }, () => 0)
    pass(limiter, 1, 'ann')
    pass(limiter, 1, 'bob')
    pass(limiter, 1, '')
    refusalOf(limiter, 'ann')
    refusalOf(limiter, '')
  })

  it('bounds the calls that run at once, and a refused call takes nothing', () => {
    const limiter = new Limiter({ perSecond: 1000, burst: 3, concurrent: 2 }, () => 0)
    const first = limiter.enter('')
    limiter.enter('')
    expect(refusalOf(limiter).data).toEqual({ retryAfterMs: 1000 })
    limiter.leave(first)
    limiter.leave(limiter.enter(''))
  })

  it('lets in who waited as long as they were told, at rates that divide badly', () => {
    let now = 0.1
    const limiter = new Limiter({ perSecond: 7, burst: 3 }, () => now)
    pass(limiter, 3)
    for (let i = 0; i < 1000; i += 1) {
      now += (refusalOf(limiter).data as { retryAfterMs: number }).retryAfterMs
      pass(limiter, 1)
    }
    // 1,000 calls at 7 a second, each wait rounded up to whole milliseconds once.
    expect(now / 1000).toBeGreaterThan(1000 / 7 - 1)
  })

  it('survives a clock that goes back', () => {
    let now = 1000
    const limiter = new Limiter({ perSecond: 10, burst: 1 }, () => now)
    pass(limiter, 1)
    now = 0
    refusalOf(limiter)
    now = 1100
    pass(limiter, 1)
  })

  it('forgets principals beyond its bound, quiet ones first', () => {
    let now = 0
    const limiter = new Limiter({ perSecond: 1, burst: 1, principals: 8 }, () => now)
    pass(limiter, 1, 'quiet')
    now = 5000
    const busy = limiter.enter('busy')
    for (let i = 0; i < 6; i += 1) pass(limiter, 1, `p${i}`)
    expect(limiter.size).toBe(8)
    pass(limiter, 1, 'one more')
    expect(limiter.size).toBeLessThanOrEqual(8)
    refusalOf(limiter, 'p5')
    expect(busy.running).toBe(1)
    refusalOf(limiter, 'busy')
  })

  it('stays bounded however many come, and keeps who has calls running', () => {
    const limiter = new Limiter({ perSecond: 1, burst: 1, principals: 100 }, () => 0)
    limiter.enter('busy')
    for (let i = 0; i < 10_000; i += 1) pass(limiter, 1, `p${i}`)
    expect(limiter.size).toBeLessThanOrEqual(100)
    refusalOf(limiter, 'busy')
  })

  it('has a default that no person reaches and a loop does', () => {
    const limiter = new Limiter({}, () => 0)
    pass(limiter, 20_000)
    refusalOf(limiter)
  })

  it.each<[LimiterOptions, RegExp]>([
    [{ perSecond: 0 }, /perSecond must be a number above zero/],
    [{ burst: 0.5 }, /burst must be a number from 1 up/],
    [{ concurrent: NaN }, /concurrent must be/],
    [{ perMinute: 3 } as LimiterOptions, /there is no option `perMinute`/],
  ])('refuses %j', (options, message) => {
    expect(() => new Limiter(options)).toThrow(message)
  })
})
