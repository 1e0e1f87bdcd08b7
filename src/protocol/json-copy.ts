/** Trees this module froze: they are shared, not copied again. */
const frozen = new WeakSet<object>()

/** Deeper than any message may be; a value that refers to itself is deeper still. */
const MAX_DEPTH = 100

/**
 * A deeply frozen copy of `value` as JSON would send it: `toJSON` is asked, `undefined` and functions are left out, getters
 * are read once. What was copied once is not copied again.
 *
 * @param path Names the value in errors.
 * @throws TypeError naming the place of what JSON cannot say: a circular value, a bigint, NaN, an instance of some class.
 */
export function copyJson(value: unknown, path: string): unknown {
  return copy(value, path, 0)
}

/**
 * A deeply frozen copy of what an author wrote as JSON: unlike {@link copyJson} it takes nothing that would become something
 * else, or nothing, on the way.
 *
 * @param path Names the value in errors.
 * @throws TypeError naming the place: a function, an instance of some class (a `Date`, a schema of a library), `undefined`
 *   in a list, and whatever else {@link copyJson} refuses.
 */
export function copyWritten(value: unknown, path: string): unknown {
  checkWritten(value, path, 0)
  return copyJson(value, path)
}

function checkWritten(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep(path)
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`${path} is a ${typeof value}, which JSON cannot say`)
  }
  if (typeof value !== 'object' || value === null || frozen.has(value)) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (item === undefined) throw new TypeError(`${path}[${index}] is undefined, which JSON cannot say in a list`)
      checkWritten(item, `${path}[${index}]`, depth + 1)
    }
    return
  }
  if (!isPlainObject(value)) throw notPlain(value, path)
  for (const key of Object.keys(value)) checkWritten(value[key], `${path}.${key}`, depth + 1)
}

function notPlain(value: object, path: string): TypeError {
  const name = (value as { constructor?: { name?: unknown } }).constructor?.name
  const kind = typeof name === 'string' && name !== '' ? name : 'a class'
  return new TypeError(`${path} is not plain JSON: it is an instance of ${kind}`)
}

function tooDeep(path: string): TypeError {
  return new TypeError(`${path.slice(0, 80)}… is circular or nested too deep`)
}

function copy(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'object' && value !== null) {
    if (frozen.has(value)) return value
    if (depth > MAX_DEPTH) throw tooDeep(path)
    return copyObject(value, path, depth)
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${path} is ${value}, not a JSON number`)
  if (typeof value === 'bigint') throw new TypeError(`${path} is a bigint, which JSON cannot say`)
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
}

function copyObject(value: object, path: string, depth: number): unknown {
  const toJSON = (value as { toJSON?: unknown }).toJSON
  if (typeof toJSON === 'function') return copy(Reflect.apply(toJSON, value, ['']), path, depth + 1)
  if (Array.isArray(value)) {
    return seal(Array.from(value, (item, index) => copy(item, `${path}[${index}]`, depth + 1) ?? null))
  }
  if (!isPlainObject(value)) throw notPlain(value, path)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = copy(value[key], `${path}.${key}`, depth + 1)
    if (item !== undefined) setOwn(result, key, item)
  }
  return seal(result)
}

/** Whether `value` is an object literal, an object without prototype, or one of another realm; not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Sets an own property, `__proto__` included. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else target[key] = value
}

function seal<T extends object>(tree: T): T {
  frozen.add(tree)
  return Object.freeze(tree)
}
