import { median, spread } from './statistics.mjs'

const SLICES = 5

/** One pair: short slices of each side in turn, summed, so that what else the machine does meanwhile falls on both. */
async function pair(run, swapped) {
  const total = { floor: { count: 0, seconds: 0, cpu: 0 }, ours: { count: 0, seconds: 0, cpu: 0 } }
  let load = 0
  for (let n = 0; n < SLICES; n++) {
    const order = (n % 2 === 0) === swapped ? ['ours', 'floor'] : ['floor', 'ours']
    for (const side of order) {
      const got = await run(side)
      for (const key of ['count', 'seconds', 'cpu']) total[side][key] += got[key]
      load = Math.max(load, got.load ?? 0)
    }
  }
  return { ...total, load }
}

/** Units of work after which a side is taken to be warm, and seconds after which it is taken to be so all the same. */
const WARM = 20_000
const PATIENCE = 10

/** Compilers take their time, the more of it the less of the machine a side gets. */
async function warmUp(run, side, milliseconds) {
  let count = 0
  let seconds = 0
  while (count < WARM && seconds < PATIENCE) {
    const got = await run(side, milliseconds)
    count += got.count
    seconds += got.seconds
  }
}

/**
 * Compares two things pair by pair. `run(side, milliseconds)` gives `{ count, seconds, cpu }`, cpu in microseconds;
 * `milliseconds` is what each side gets in a pair.
 */
export async function paired({ pairs, milliseconds, run }) {
  for (const side of ['floor', 'ours']) await warmUp(run, side, milliseconds)
  const rates = []
  const byCpu = []
  const cost = { floor: [], ours: [] }
  let busiest = 0
  for (let n = 0; n < pairs; n++) {
    const got = await pair((side) => run(side, milliseconds / SLICES), n % 2 === 1)
    for (const side of ['floor', 'ours']) cost[side].push(got[side].cpu / got[side].count)
    busiest = Math.max(busiest, got.load)
    rates.push(got.ours.count / got.ours.seconds / (got.floor.count / got.floor.seconds))
    byCpu.push(got.floor.cpu / got.floor.count / (got.ours.cpu / got.ours.count))
  }
  return {
    value: median(rates),
    byCpu: median(byCpu),
    spread: spread(rates),
    cpu: { floor: median(cost.floor), ours: median(cost.ours) },
    // How busy the load generator was at most: near 1 the rate is its own, and the figure by CPU is the one to read.
    load: busiest,
  }
}
