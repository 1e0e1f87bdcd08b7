import { isJsonObject } from '../jsonrpc/json-object.ts'
import { errorText } from '../errors/error-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import type { CacheHint } from './cache-hint.ts'
import { decodeCursor, encodeCursor, invalidCursor, type Position } from './cursor.ts'
import { ListPages, type ListSettings } from './list-pages.ts'
import { listText } from './list-text.ts'
import type { Logger } from './log.ts'
import type { Maybe } from './maybe.ts'
import { listedResource, type ResourceLister } from './resource-source.ts'
import type { Caller } from './visible.ts'

interface Lister {
  readonly key: string
  readonly list: ResourceLister
}

/** Most pages asked of listers for one page of ours: empty pages must not hold a request for ever. */
const MAX_CALLS = 10

/** Longest cursor a lister may give. */
const MAX_CURSOR = 4096

const LIST = 'resources'

/**
 * The pages of `resources/list`: what is registered, then what each lister gives, in order of registration.
 */
export class ResourcePages {
  readonly #fixed: ListPages
  readonly #settings: ListSettings
  readonly #hint: CacheHint
  readonly #log: Logger | undefined
  #version = -1
  #hasListers = false

  constructor(hint: CacheHint, settings: ListSettings, log: Logger | undefined) {
    this.#fixed = new ListPages(LIST, hint, settings)
    this.#settings = settings
    this.#hint = hint
    this.#log = log
  }

  /**
   * JSON text of the result for one page.
   *
   * @throws WireError `INVALID_PARAMS` for a cursor that is none of this list's. What a lister throws goes through.
   */
  text(cursor: unknown, caller: Caller): Maybe<string> {
    if (!this.#mixed()) return this.#fixed.text(cursor, caller)
    return this.#combined(cursor == null ? undefined : decodeCursor(LIST, cursor), this.#listers(caller), caller)
  }

  /** Whether anything but what is registered can be in the list. */
  #mixed(): boolean {
    const { registry } = this.#settings
    if (registry.version !== this.#version) {
      this.#version = registry.version
      this.#hasListers = registry.sources.size > 0 || [...registry.templates.values()].some((entry) => entry.list)
    }
    return this.#hasListers
  }

  /** Listers this caller may be shown: a hidden template lists nothing. */
  #listers(caller: Caller): Lister[] {
    const { registry } = this.#settings
    const listers: Lister[] = []
    for (const [key, source] of registry.sources) listers.push({ key, list: source.list })
    for (const [key, entry] of registry.templates) {
      if (entry.list !== undefined && registry.shows(entry, caller)) listers.push({ key, list: entry.list })
    }
    return listers
  }

  /** One for all pages and all callers, whatever this caller sees. */
  #scope(): CacheHint['scope'] {
    const { registry } = this.#settings
    const open =
      [...registry.sources.values()].every((source) => source.scope === 'public') &&
      [...registry.templates.values()].every((entry) => entry.list === undefined)
    return open && !this.#fixed.guarded ? this.#hint.scope : 'private'
  }

  async #combined(position: Position | undefined, listers: readonly Lister[], caller: Caller): Promise<string> {
    const hint = { ttlMs: this.#hint.ttlMs, scope: this.#scope() }
    const { stamp, pageSize } = this.#settings
    const items: string[] = []
    if (position?.at !== 'source') {
      const page = this.#fixed.page(position, caller)
      if (page.more) return listText(LIST, page, hint, stamp)
      for (const item of page.items) items.push(item)
    }
    let at = position?.at === 'source' ? listers.findIndex(({ key }) => key === position.key) : 0
    if (at === -1) throw invalidCursor()
    let cursor = position?.at === 'source' ? position.cursor : undefined
    for (let calls = 0; at < listers.length && items.length < pageSize && calls < MAX_CALLS; calls += 1) {
      const lister = listers[at] as Lister
      const page = await this.#ask(lister, { cursor, limit: pageSize - items.length, ...caller })
      for (const item of page.items) items.push(item)
      cursor = page.nextCursor
      if (cursor === undefined) at += 1
    }
    const key = listers[at]?.key
    const next = key === undefined ? undefined : encodeCursor(LIST, { at: 'source', key, cursor })
    return listText(LIST, { items, next }, hint, stamp)
  }

  async #ask(
    lister: Lister,
    request: Parameters<ResourceLister>[0],
  ): Promise<{ items: string[]; nextCursor: string | undefined }> {
    const page: unknown = await lister.list(request)
    const resources: unknown = isJsonObject(page) ? page.resources : undefined
    if (!isJsonObject(page) || !Array.isArray(resources)) throw bad(lister, 'must give { resources: […], nextCursor? }')
    const nextCursor = page.nextCursor ?? undefined
    if (nextCursor !== undefined && (typeof nextCursor !== 'string' || nextCursor.length > MAX_CURSOR)) {
      throw bad(lister, `gave a nextCursor that is no text of at most ${MAX_CURSOR} characters`)
    }
    return { items: resources.flatMap((resource) => this.#item(resource, lister)), nextCursor }
  }

  /** One row that cannot be listed must not hide the others. */
  #item(resource: Parameters<typeof listedResource>[0], lister: Lister): string[] {
    try {
      return [listedResource(resource).json]
    } catch (error) {
      const message = `A resource of the lister ${lister.key} was left out. ${errorText(error)}`
      this.#log?.once(message, { level: 'error', code: 'resource-left-out', message, error })
      return []
    }
  }
}

function bad(lister: Lister, what: string): RondoError {
  return new RondoError('RESULT_INVALID', `The lister ${lister.key} ${what}.`)
}
