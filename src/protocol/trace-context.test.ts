import { describe, expect, test } from 'vitest'
import { badTraceKey } from './trace-context.ts'

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'

describe('spec basic/index: trace keys follow W3C Trace Context and Baggage', () => {
  test('those that do', () => {
    expect(badTraceKey({})).toBeUndefined()
    expect(
      badTraceKey({
        traceparent: PARENT,
        tracestate: 'rojo=00f067aa0ba902b7,congo@tenant= t61rcWkgMzE ,,x/y=1',
        baggage: 'userId=alice,serverNode=DF%2028;p1;p2=v, empty=',
      }),
    ).toBeUndefined()
    expect(badTraceKey({ traceparent: `01${PARENT.slice(2)}-more` })).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['traceparent', 7],
    ['traceparent', ''],
    ['traceparent', PARENT.toUpperCase()],
    ['traceparent', `ff${PARENT.slice(2)}`],
    ['traceparent', `${PARENT}-more`],
    ['traceparent', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
    ['tracestate', 'Rojo=1'],
    ['tracestate', 'rojo'],
    ['tracestate', 'rojo=a=b'],
    ['tracestate', Array.from({ length: 33 }, (_, n) => `k${n}=v`).join(',')],
    ['baggage', 'user id=alice'],
    ['baggage', 'userId'],
    ['baggage', 'userId=a"b'],
    ['baggage', 'userId=é'],
    ['baggage', null],
  ])('%s: %j does not', (key, value) => {
    expect(badTraceKey({ [key]: value })).toBe(key)
  })
})
