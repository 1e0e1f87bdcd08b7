import { errorText } from '../errors/error-text.ts'

/** A value in the form the journal keeps, or where in it the thing is that cannot be kept. */
export type Recorded =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly path: string; readonly why: string }

/** Deepest value that is recorded. */
const DEEPEST = 200

class Unrecordable extends Error {}

/**
 * What reading back the JSON text of `value` would give (E10), but refusing what JSON would lose without a word:
 * functions, symbols, `NaN`, promises, maps, responses and other objects that have nothing to show.
 */
export function toRecord(value: unknown): Recorded {
  const path: (string | number)[] = []
  try {
    return { ok: true, value: value === undefined ? undefined : copy(value, path, []) }
  } catch (error) {
    return { ok: false, path: path.reduce<string>(join, 'result'), why: errorText(error) }
  }
}

/** A copy of a value that is plain JSON, so that nobody can change what the journal keeps. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson)
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value)) put(out, key, copyJson((value as Record<string, unknown>)[key]))
  return out
}

function copy(value: unknown, path: (string | number)[], above: object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new Unrecordable(`it is ${value}, which JSON does not have`)
      return value === 0 ? 0 : value
    case 'object':
      return value === null ? null : copyObject(value, path, above)
    default:
      throw new Unrecordable(`it is a ${typeof value}`)
  }
}

function copyObject(value: object, path: (string | number)[], above: object[]): unknown {
  if (above.includes(value)) throw new Unrecordable('it contains itself')
  if (above.length >= DEEPEST) throw new Unrecordable(`it is more than ${DEEPEST} levels deep`)
  above.push(value)
  const out = copyParts(value, path, above)
  above.pop()
  return out
}

function copyParts(given: object, path: (string | number)[], above: object[]): unknown {
  const value = shown(given, path)
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : copy(value, path, above)
  // Not `value.map`, which leaves holes as they are.
  if (Array.isArray(value)) return Array.from(value, (item: unknown, i) => part(item ?? null, i, path, above) ?? null)
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return copy(value.valueOf(), path, above)
  }
  const keys = Object.keys(value)
  refuseEmpty(value, keys)
  const out: Record<string, unknown> = {}
  for (const key of keys) {
    const item = (value as Record<string, unknown>)[key]
    const shownItem = item === undefined ? undefined : part(item, key, path, above)
    if (shownItem !== undefined) put(out, key, shownItem)
  }
  return out
}

/** What an object shows of itself in JSON. */
function shown(value: object, path: readonly (string | number)[]): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, String(path.at(-1) ?? '')) as unknown) : value
}

function part(value: unknown, key: string | number, path: (string | number)[], above: object[]): unknown {
  path.push(key)
  const out = copy(value, path, above)
  path.pop()
  return out
}

/** Refuses instances whose content JSON does not see. */
function refuseEmpty(value: object, keys: readonly string[]): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return
  const hidden = keys.length === 0 || value instanceof Error || ArrayBuffer.isView(value)
  // A plain object of another realm has a prototype that looks like ours.
  if (!hidden || (prototype as { constructor?: { name?: unknown } }).constructor?.name === 'Object') return
  const name = (value as { constructor?: { name?: unknown } }).constructor?.name
  throw new Unrecordable(`it is an instance of ${String(name)}, of which JSON would keep nothing useful`)
}

function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function join(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}
