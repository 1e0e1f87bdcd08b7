import { expect, it } from 'vitest'
import { encodeNotification } from '../jsonrpc/encode.ts'
import { Outbox } from './outbox.ts'

const progress = (progress: number) => encodeNotification('notifications/progress', { progressToken: 1, progress })
const log = (data: string) => encodeNotification('notifications/message', { level: 'info', data })
const event = (uri: string) => encodeNotification('notifications/resources/updated', { uri })

/** An outbox whose reader takes `takes` more texts without falling behind. */
function outbox(limit?: number, open?: boolean) {
  const written: string[] = []
  const reader = { takes: 0 }
  const box = new Outbox(
    (message) => `${message};`,
    (text) => {
      written.push(text)
      return --reader.takes > 0
    },
    { limit, ...(open !== undefined && { open }) },
  )
  return { box, written, reader }
}

const one = {}
const two = {}

it('H6 writes at once to a reader who keeps up', () => {
  const { box, written, reader } = outbox()
  reader.takes = 10
  expect([box.notify(progress(1), one), box.notify(log('a'), one), box.reply('r', one)]).toEqual([
    'written',
    'written',
    'written',
  ])
  expect(written).toEqual([`${progress(1)};`, `${log('a')};`, 'r;'])
  expect(box.behind).toBe(false)
})

it('H6 holds, in order, for one who fell behind, and goes on when drained', () => {
  const { box, written, reader } = outbox()
  box.notify(log('a'), one)
  expect(box.behind).toBe(true)
  expect([box.notify(log('b'), one), box.reply('r', two)]).toEqual(['held', 'held'])
  expect(written).toEqual([`${log('a')};`])
  reader.takes = 1
  box.drained()
  expect(written.slice(1)).toEqual([`${log('b')};`])
  reader.takes = 5
  box.drained()
  expect(written.slice(2)).toEqual(['r;'])
  expect(box.behind).toBe(false)
})

it('H6 keeps the newest progress of each request', () => {
  const { box, written, reader } = outbox()
  box.notify(log('a'), one)
  for (let step = 1; step <= 100; step++) {
    box.notify(progress(step), one)
    box.notify(progress(-step), two)
  }
  reader.takes = 10
  box.drained()
  expect(written.slice(1)).toEqual([`${progress(100)};`, `${progress(-100)};`])
})

it('H6 drops log messages over the limit, and counts them', () => {
  const { box } = outbox(200)
  box.notify(log('a'), one)
  const sent = Array.from({ length: 10 }, () => box.notify(log('x'.repeat(30)), one))
  expect(sent.filter((what) => what === 'dropped').length).toBeGreaterThan(7)
  expect(box.takeDropped()).toBe(sent.filter((what) => what === 'dropped').length)
  expect(box.takeDropped()).toBe(0)
})

it('H6 never drops a reply', () => {
  const { box, written, reader } = outbox(10)
  box.notify(log('a'), one)
  expect(box.reply('x'.repeat(100), one)).toBe('held')
  expect(box.full).toBe(true)
  reader.takes = 10
  box.drained()
  expect(written).toHaveLength(2)
  expect(box.full).toBe(false)
})

it('H6 reports an event that finds no room', () => {
  const { box } = outbox(100)
  box.notify(log('a'), one)
  expect(box.notify(event('x'.repeat(100)), one)).toBe('overflow')
})

it('H6 takes back what is held for a request that was cancelled', () => {
  const { box, written, reader } = outbox()
  box.notify(log('a'), one)
  box.notify(log('b'), one)
  box.reply('r', two)
  box.drop(one)
  reader.takes = 10
  box.drained()
  expect(written.slice(1)).toEqual(['r;'])
})

it('H6 holds everything before it is opened, progress unmerged', () => {
  const { box, written, reader } = outbox(undefined, false)
  box.notify(progress(1), one)
  box.notify(progress(2), one)
  expect(written).toEqual([])
  expect(box.last('r')).toBe(`${progress(1)};${progress(2)};r;`)
  reader.takes = 10
  box.drained()
  expect(written).toEqual([])
})
