import { type Replay } from './replay.ts'

/**
 * Tells of the asks and waits that a handler made, never awaited and ended without (E1): one tested in place of its answer
 * holds always, and what it was to guard has run.
 */
export function warnOfIdle(replay: Replay): void {
  if (replay.idle.size === 0) return
  const told = new Set<string>()
  for (const { space, name } of replay.idle) {
    const what = `${space} ${JSON.stringify(name)}`
    if (told.has(what)) continue
    told.add(what)
    const happened = space === 'ask' ? 'nobody was asked' : 'nothing was polled'
    replay.owner.log({
      level: 'warn',
      code: 'NOT_AWAITED',
      message:
        `The handler made the ${what}, never awaited it and ended: ${happened}. Was the promise tested in place of what it ` +
        `gives (\`if (!ctx.ask.confirm(…))\`)? Write await before it, or make it only where it is awaited.`,
      once: what,
    })
  }
}
