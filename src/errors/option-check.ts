import { RondoError } from './rondo-error.ts'
import { kindOf } from './value-text.ts'

/** What may be given as one option. */
export interface OptionKind {
  /** In words, to go on from "must be". */
  readonly is: string
  readonly fits: (value: unknown) => boolean
}

/** The options of `T`, and what each may be. */
export type OptionKinds<T> = Readonly<Record<keyof T, OptionKind>>

export const ANYTHING: OptionKind = { is: 'anything', fits: () => true }
export const BOOLEAN: OptionKind = { is: 'true or false', fits: (value) => typeof value === 'boolean' }
export const FUNCTION: OptionKind = { is: 'a function', fits: (value) => typeof value === 'function' }
export const TEXT: OptionKind = { is: 'a text', fits: (value) => typeof value === 'string' }
export const TEXTS: OptionKind = { is: 'a list of texts', fits: isTexts }
export const OBJECT: OptionKind = { is: 'an object', fits: isObject }
/** For limits that cannot be zero. */
export const ABOVE_ZERO: OptionKind = { is: 'a number above 0', fits: (value) => isAmount(value) && value > 0 }
export const FROM_ZERO: OptionKind = { is: 'a number from 0 up', fits: isAmount }
/** Values by name. */
export const TEXT_BY_NAME: OptionKind = {
  is: 'a plain object of texts by name',
  fits: (value) => isPlain(value) && isTexts(Object.values(value)),
}

/** One thing or the other. */
export function either(one: OptionKind, other: OptionKind): OptionKind {
  return { is: `${one.is}, or ${other.is}`, fits: (value) => one.fits(value) || other.fits(value) }
}

/** One of these values. */
export function oneOf(...values: readonly unknown[]): OptionKind {
  return { is: values.map((value) => JSON.stringify(value)).join(' or '), fits: (value) => values.includes(value) }
}

/** An object of options in an option. */
export function optionsOf<T>(kinds: OptionKinds<T>): OptionKind {
  const known = kinds as Readonly<Record<string, OptionKind>>
  const members = Object.entries(known).map(([name, { is }]) => `${name}: ${is}`)
  const fits = (value: unknown): boolean => isObject(value) && misfit(value, known) === undefined
  return { is: `an object of these alone: { ${members.join('; ')} }`, fits }
}

/**
 * Looks for options that there are not, and for values that an option cannot have: a misspelt one would otherwise do
 * nothing, and one of another kind would fail far from here, or let in what it was to keep out.
 *
 * @param of what they are options of, for people
 * @throws RondoError `CONFIG_INVALID` naming the option, and the known ones or what it may be; never its value
 */
export function checkOptions<T>(options: unknown, kinds: OptionKinds<T>, of: string): void {
  if (options === undefined) return
  if (!isObject(options)) {
    throw new RondoError('CONFIG_INVALID', `The options of ${of} must be an object, not ${nameOf(options)}.`)
  }
  const known = kinds as Readonly<Record<string, OptionKind>>
  const name = misfit(options, known)
  if (name === undefined) return
  const kind = Object.hasOwn(known, name) ? known[name] : undefined
  const names = Object.keys(known).sort().join(', ')
  const wrong =
    kind === undefined
      ? `${of} has no option "${name}". It has ${names}.`
      : `The option "${name}" of ${of} must be ${kind.is}, not ${nameOf(options[name])}.`
  throw new RondoError('CONFIG_INVALID', wrong, { data: { option: name } })
}

/** The first option that is not known, or has a value that it cannot have. */
function misfit(
  options: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, OptionKind>>,
): string | undefined {
  for (const name in options) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) return name
    const value = options[name]
    if (value !== undefined && !kind.fits(value)) return name
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Not a `Map`, nor the `Headers` of `fetch`, which have no members to read. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** What a value is, without telling it: it may be a secret that stands in the wrong place. */
function nameOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}
