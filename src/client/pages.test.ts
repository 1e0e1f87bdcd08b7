import { expect, it } from 'vitest'
import { Pages } from './pages.ts'

it('all items of a page are taken, however many a server puts on it', async () => {
  const many = new Array<number>(200_000).fill(1)
  const pages = new Pages(
    async (cursor) => (cursor === undefined ? { nextCursor: '', items: many } : { items: [2] }),
    ({ items }) => items,
  )
  expect(await pages.all()).toHaveLength(200_001)
})

it.each([
  ['the same', ['a', 'a']],
  ['an empty one', ['', '']],
  ['two by turns', ['a', 'b', 'a']],
  ['one of long ago', ['a', 'b', 'c', 'd', 'b']],
])('a server whose cursors come again (%s) ends the list with an error', async (_what, cursors) => {
  let loaded = 0
  const pages = new Pages(
    async () => ({ nextCursor: cursors[loaded++ % cursors.length] ?? '', items: [loaded] }),
    ({ items }) => items,
  )
  await expect(pages.all()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  expect(loaded).toBe(cursors.length)
  const seen: number[] = []
  loaded = 0
  await expect(
    (async () => {
      for await (const item of pages) seen.push(item)
    })(),
  ).rejects.toThrow('its pages go round without end')
  expect(seen).toHaveLength(cursors.length)
})

it.each([7, false, {}, []])('a cursor that is no text (%j) ends the list with an error', async (nextCursor) => {
  const pages = new Pages(
    async () => ({ nextCursor: nextCursor as never, items: [1] }),
    ({ items }) => items,
  )
  await expect(pages.all()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
})

it('a list can be read again from its start', async () => {
  const pages = new Pages(
    async (cursor) => (cursor === undefined ? { nextCursor: 'a', items: [1] } : { items: [2] }),
    ({ items }) => items,
  )
  expect([await pages.all(), await pages.all()]).toEqual([
    [1, 2],
    [1, 2],
  ])
})
