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
