import { describe, expect, test } from 'vitest'
import { PendingRequests } from './pending.ts'

const result = (id: string | number) => ({ jsonrpc: '2.0', id, result: {} }) as const

describe('PendingRequests', () => {
  test('settles the one whose id it is, and tells 1 from "1"', async () => {
    const pending = new PendingRequests()
    const number = pending.add(1)
    const string = pending.add('1')
    expect(pending.settle(result('1'))).toBe(true)
    expect(pending.settle(result('1'))).toBe(false)
    await expect(string).resolves.toEqual(result('1'))
    expect(pending.size).toBe(1)
    expect(pending.settle(result(1))).toBe(true)
    await expect(number).resolves.toEqual(result(1))
  })

  test('settles nothing with a response that nobody waits for, or without id', () => {
    const pending = new PendingRequests()
    expect(pending.settle(result(9))).toBe(false)
    expect(pending.settle({ jsonrpc: '2.0', error: { code: 1, message: '' } })).toBe(false)
  })

  test('spec basic/index: an id is not used again while its request is out', async () => {
    const pending = new PendingRequests()
    const first = pending.add(1)
    expect(() => pending.add(1)).toThrow(RangeError)
    pending.settle(result(1))
    await first
    const again = pending.add(1)
    pending.settle(result(1))
    await again
  })

  test('fail ends one wait, failAll every one', async () => {
    const pending = new PendingRequests()
    const [a, b, c] = [pending.add('a'), pending.add('b'), pending.add('c')]
    expect(pending.fail('a', new Error('cancelled'))).toBe(true)
    expect(pending.fail('a', new Error('cancelled'))).toBe(false)
    pending.failAll(new Error('gone'))
    await expect(a).rejects.toThrow('cancelled')
    await expect(b).rejects.toThrow('gone')
    await expect(c).rejects.toThrow('gone')
    expect(pending.size).toBe(0)
  })
})
