import { RondoError } from '../errors/rondo-error.ts'
import { shown } from '../errors/value-text.ts'

/** Milliseconds in each unit a duration may be written in. */
const UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

type Unit = keyof typeof UNITS

/** A length of time: milliseconds, or a number with its unit, such as `'20 s'`, `'10 min'`, `'1.5 h'`. */
export type Duration = number | `${number} ${Unit}` | `${number}${Unit}`

const TEXT = /^(\d+(?:\.\d+)?) ?(ms|s|min|h|d)$/

/**
 * Milliseconds of a duration, or `undefined` when it is not one: zero, negative, infinite, or a text that cannot be read.
 */
export function parseDuration(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? parseText(value) : value
  return typeof ms === 'number' && ms > 0 && Number.isFinite(ms) ? ms : undefined
}

function parseText(text: string): number | undefined {
  const match = TEXT.exec(text)
  return match === null ? undefined : Number(match[1]) * UNITS[match[2] as Unit]
}

/**
 * Milliseconds of a duration.
 *
 * @param what names the option in the error's text.
 * @throws RondoError `DEFINITION_INVALID`
 */
export function milliseconds(value: Duration, what = 'A duration'): number {
  const ms = parseDuration(value)
  if (ms !== undefined) return ms
  throw new RondoError(
    'DEFINITION_INVALID',
    `${what} must be a length of time above zero, not ${shown(value)}. ` +
      `Give milliseconds or a number with its unit (${Object.keys(UNITS).join(', ')}), such as '10 min'.`,
  )
}

/**
 * {@link milliseconds}, for what may be no time at all.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function millisecondsFromZero(value: Duration, what: string): number {
  return isZero(value) ? 0 : milliseconds(value, what)
}

function isZero(value: unknown): boolean {
  return value === 0 || (typeof value === 'string' && parseText(value) === 0)
}
