import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InstantText } from './instant-text.ts'

it('writes instants as Date does, whatever came before', () => {
  const instants = new InstantText()
  const near = fc.integer({ min: 0, max: 5000 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8.64e15 - 5000 }), fc.array(near), (base, offsets) => {
      for (const offset of offsets) {
        expect(instants.of(base + offset)).toBe(new Date(base + offset).toISOString())
      }
    }),
  )
})
