import { Child } from './child.mjs'
import { paired } from './paired.mjs'
import { path } from './under-load.mjs'

/** Two functions, each alone in a process on the same core, in turn: `[file, name]` of a module that exports `prepare`. */
export async function sideBySide({ floor, ours, pairs, milliseconds }) {
  const start = (args) => new Child(path('measure/in-process.mjs'), { core: 0, args })
  const sides = { floor: start(floor), ours: start(ours) }
  try {
    await Promise.all([sides.floor.next(), sides.ours.next()])
    return await paired({ pairs, milliseconds, run: (side, time) => sides[side].ask({ milliseconds: time }) })
  } finally {
    sides.floor.stop()
    sides.ours.stop()
  }
}
