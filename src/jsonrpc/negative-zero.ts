/** What stands before a number in JSON: a colon, a comma, a bracket, white space. */
const BEFORE: ReadonlySet<number> = new Set([0x3a, 0x2c, 0x5b, 0x20, 0x0a, 0x0d, 0x09])

/**
 * Whether a value read from `text` may hold a `-0`: numbers below zero that begin so count too, dates such as `2026-07-28`,
 * which every request has, do not.
 */
export function mayHoldNegativeZero(text: string): boolean {
  for (let at = text.indexOf('-0'); at !== -1; at = text.indexOf('-0', at + 2)) {
    if (BEFORE.has(text.charCodeAt(at - 1))) return true
  }
  return false
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
