/** Finds what may be a `-0` in JSON text: numbers below zero that begin so are found too, texts hardly ever. */
const MAY_HOLD = /[[:,\s]-0/

/** Whether a value read from `text` may hold a `-0`. */
export function mayHoldNegativeZero(text: string): boolean {
  return MAY_HOLD.test(text)
}

/**
 * Makes every `-0` in `root` a `0`, in place. JSON text may say `-0`, and whoever writes the value as JSON again says `0`: what a
 * round is given would not be what a later round is. Never throws; what is frozen stays as it is.
 */
export function dropNegativeZeros(root: object): void {
  const seen = new Set<object>()
  const left: object[] = [root]
  try {
    for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
      if (seen.has(holder)) continue
      seen.add(holder)
      for (const key of Object.keys(holder)) {
        const value: unknown = (holder as Record<string, unknown>)[key]
        if (value === 0) {
          if (Object.is(value, -0)) Reflect.set(holder, key, 0)
        } else if (typeof value === 'object' && value !== null) left.push(value)
      }
    }
  } catch {
    // A value of somebody's own making may throw when it is looked at; that is for who reads it.
  }
}
