import { number } from './programs.ts'

/** What the caller makes of one ask in one round. */
export type Reply =
  { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unfit' } | { readonly kind: 'missing' }

/** Who answers what and when; depends on nothing but the round and the key. */
export interface Schedule {
  reply(round: number, key: string): Reply
  /** Milliseconds that pass between the asks of a round going out and the next request. */
  pause(round: number): number
}

/** A schedule drawn by `seed`: partial and unfitting answers at first, everything answered from round 12 on. */
export function schedule(seed: number): Schedule {
  const draw = (text: string): number => number(`${seed}:${text}`)
  return {
    reply(round, key) {
      const chance = round >= 12 ? 0 : draw(`${round}/${key}`) % 10
      if (chance === 9) return { kind: 'unfit' }
      if (chance >= 6) return { kind: 'missing' }
      return { kind: 'answer', value: draw(`value/${key}`) }
    },
    pause: (round) => draw(`pause/${round}`) % 60,
  }
}
