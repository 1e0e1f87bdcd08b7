type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isKey: Check = (value) => typeof value === 'string' && value !== ''
const isTime: Check = (value) => typeof value === 'number' && value >= 0
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isPuts: Check = (value) => isCount(value) && (value as number) > 0
const isAny: Check = () => true
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** Checks of what follows the tag, by tag; the elements after `least` may be left out. */
const ENTRIES = new Map<unknown, { readonly least: number; readonly parts: readonly Check[] }>([
  ['a', { least: 5, parts: [isKey, isText, isText, isPuts, isAny] }],
  ['l', { least: 4, parts: [isKey, isText, isText, isPuts] }],
  ['o', { least: 1, parts: [isKey] }],
  ['s', { least: 1, parts: [isKey, isAny] }],
  ['f', { least: 2, parts: [isKey, isFailure] }],
  ['w', { least: 2, parts: [isKey, isAny] }],
  ['x', { least: 2, parts: [isKey, isFailure] }],
])

/** Name space of an entry's key, by tag. */
const SPACES = new Map<unknown, string>([
  ['a', 'ask'],
  ['l', 'ask'],
  ['o', 'ask'],
  ['s', 'step'],
  ['f', 'step'],
  ['w', 'wait'],
  ['x', 'wait'],
])

/** Whether `value`, parsed from JSON, has the shape of a journal of this version. */
export function isJournal(value: unknown, version: number): boolean {
  return (
    isObject(value) &&
    value.v === version &&
    isKey(value.id) &&
    isTime(value.t) &&
    isCount(value.n) &&
    maybe(isTime)(value.w) &&
    maybe(listOf(isFact))(value.f) &&
    listOf(isEntry)(value.e) &&
    listOf(isOpen)(value.o) &&
    isConsistent(value.e as Tagged[], value.o as { k: string }[])
  )
}

type Tagged = readonly [tag: string, key: string]

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEntry(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  const shape = ENTRIES.get(value[0])
  if (!shape || value.length <= shape.least || value.length > shape.parts.length + 1) return false
  return shape.parts.every((check, i) => i + 1 >= value.length || check(value[i + 1]))
}

function isFailure(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.name) &&
    isText(value.message) &&
    (value.code === undefined || isText(value.code) || typeof value.code === 'number') &&
    (value.as === undefined || value.as === 'tool' || (isObject(value.as) && typeof value.as.wire === 'number'))
  )
}

function isFact(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isKey(value[0])
}

function isOpen(value: unknown): boolean {
  return (
    isObject(value) &&
    isKey(value.k) &&
    isText(value.y) &&
    isText(value.p) &&
    isPuts(value.n) &&
    maybe(isCount)(value.u) &&
    maybe(isText)(value.x) &&
    maybe(isCount)(value.r) &&
    maybe(isText)(value.m) &&
    maybe(isTime)(value.d)
  )
}

/** No key is settled twice; an open ask is settled nowhere; every place held open belongs to an open ask. */
function isConsistent(entries: readonly Tagged[], open: readonly { readonly k: string }[]): boolean {
  const asked = new Set(open.map(({ k }) => k))
  const seen = new Set<string>()
  for (const [tag, key] of entries) {
    const id = `${SPACES.get(tag)}:${key}`
    if (seen.has(id)) return false
    seen.add(id)
    if (SPACES.get(tag) === 'ask' && asked.has(key) !== (tag === 'o')) return false
  }
  return asked.size === open.length
}
