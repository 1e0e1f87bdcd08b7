const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

/** A way to set text apart. */
export type Style = keyof typeof CODES

/** Colours text, or leaves it as it is where colour is not wanted. */
export type Paint = (style: Style, text: string) => string

/** @param colour whether escape sequences may be written */
export function paintFor(colour: boolean): Paint {
  return colour ? (style, text) => `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m` : (_style, text) => text
}

/**
 * Whether colour may be written: to a terminal that is not dumb, unless `NO_COLOR` is set to anything.
 *
 * @see https://no-color.org
 */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
}
