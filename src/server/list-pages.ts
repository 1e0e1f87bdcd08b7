import type { CacheHint } from './cache-hint.ts'
import { decodeCursor, encodeCursor, invalidCursor, type Position } from './cursor.ts'
import { listText, type ListPage } from './list-text.ts'
import { isGuarded, keyOf, type Entry, type ListKind, type Registry } from './registry.ts'
import type { Stamp } from './stamp.ts'
import type { Caller } from './visible.ts'

/** What all lists of a server have in common. */
export interface ListSettings {
  readonly registry: Registry
  readonly stamp: Stamp
  /** Items on a page. */
  readonly pageSize: number
}

/** Texts kept for callers who see different parts of a list. Most servers have a few groups of callers. */
const MAX_TEXTS = 32

/**
 * The pages of one list. Without a `visible` rule a page's text is made once and given to everybody. With one, the rules
 * are asked for each request, and callers who see the same things get the same text, which is private on every page
 * (server/utilities/caching, "Interaction with Pagination": one scope for all pages).
 */
export class ListPages {
  readonly #kind: ListKind
  readonly #settings: ListSettings
  readonly #hint: CacheHint
  readonly #private: CacheHint
  readonly #texts = new Map<string, string>()
  #version = -1
  #entries: readonly Entry[] = []
  #guarded = false
  /** First page for everybody, when there is no rule. */
  #first: string | undefined

  constructor(kind: ListKind, hint: CacheHint, settings: ListSettings) {
    this.#kind = kind
    this.#hint = hint
    this.#private = { ttlMs: hint.ttlMs, scope: 'private' }
    this.#settings = settings
  }

  /** Whether callers see different things. */
  get guarded(): boolean {
    this.#refresh()
    return this.#guarded
  }

  /**
   * JSON text of the result for one page.
   *
   * @param cursor `params.cursor` as received.
   * @throws WireError `INVALID_PARAMS` for a cursor that is none of this list's.
   */
  text(cursor: unknown, caller: Caller): string {
    this.#refresh()
    if (this.#guarded) return this.#guardedText(cursor, caller)
    if (cursor != null) return this.#render(this.#entries, itemPosition(this.#kind, cursor), this.#hint)
    this.#first ??= this.#render(this.#entries, undefined, this.#hint)
    return this.#first
  }

  /** The items of one page for a caller, and whether more come after them. */
  page(position: Extract<Position, { at: 'item' }> | undefined, caller: Caller): ListPage & { readonly more: boolean } {
    this.#refresh()
    const { registry } = this.#settings
    return this.#slice(
      this.#guarded ? this.#entries.filter((one) => registry.shows(one, caller)) : this.#entries,
      position,
    )
  }

  #refresh(): void {
    const { registry } = this.#settings
    if (registry.version === this.#version) return
    this.#version = registry.version
    this.#entries = entriesOf(registry, this.#kind)
    this.#guarded = this.#entries.some(isGuarded)
    this.#first = undefined
    this.#texts.clear()
  }

  #guardedText(cursor: unknown, caller: Caller): string {
    const position = cursor == null ? undefined : itemPosition(this.#kind, cursor)
    const mask = maskOf(this.#entries, caller, this.#settings.registry)
    const render = (): string =>
      this.#render(
        this.#entries.filter((_, i) => isSet(mask, i)),
        position,
        this.#private,
      )
    if (position !== undefined) return render()
    const known = this.#texts.get(mask)
    if (known !== undefined) return known
    const text = render()
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear()
    this.#texts.set(mask, text)
    return text
  }

  #render(entries: readonly Entry[], position: Extract<Position, { at: 'item' }> | undefined, hint: CacheHint): string {
    return listText(this.#kind, this.#slice(entries, position), hint, this.#settings.stamp)
  }

  #slice(
    entries: readonly Entry[],
    position: Extract<Position, { at: 'item' }> | undefined,
  ): ListPage & { readonly more: boolean } {
    const start = position === undefined ? 0 : startOf(entries, position)
    const end = start + this.#settings.pageSize
    const shown = entries.slice(start, end)
    const last = shown.at(-1)
    const more = end < entries.length && last !== undefined
    const next = more ? encodeCursor(this.#kind, { at: 'item', after: keyOf(last), count: end }) : undefined
    return { items: shown.map((entry) => entry.json), next, more }
  }
}

function entriesOf(registry: Registry, kind: ListKind): readonly Entry[] {
  switch (kind) {
    case 'tools':
      return [...registry.tools.values()]
    case 'prompts':
      return [...registry.prompts.values()]
    case 'resources':
      return [...registry.resources.values()]
    case 'resourceTemplates':
      return [...registry.templates.values()]
  }
}

function itemPosition(kind: ListKind, cursor: unknown): Extract<Position, { at: 'item' }> {
  const position = decodeCursor(kind, cursor)
  if (position.at !== 'item') throw invalidCursor()
  return position
}

/**
 * Behind the item the page before ended with. When that one is gone, those after it have moved up by one. Counted among
 * what this caller sees, so that a cursor does not tell how much is hidden.
 */
function startOf(entries: readonly Entry[], position: Extract<Position, { at: 'item' }>): number {
  const index = entries.findIndex((entry) => keyOf(entry) === position.after)
  return index === -1 ? Math.max(0, position.count - 1) : index + 1
}

/** Which entries a caller sees, as text: sixteen to a character. */
function maskOf(entries: readonly Entry[], caller: Caller, registry: Registry): string {
  let mask = ''
  let bits = 0
  for (let i = 0; i < entries.length; i += 1) {
    if (registry.shows(entries[i] as Entry, caller)) bits |= 1 << (i & 15)
    if ((i & 15) === 15) {
      mask += String.fromCharCode(bits)
      bits = 0
    }
  }
  return mask + String.fromCharCode(bits)
}

function isSet(mask: string, i: number): boolean {
  return ((mask.charCodeAt(i >> 4) >> (i & 15)) & 1) === 1
}
