import type { CacheHint } from './cache-hint.ts'
import { ResultType } from '../protocol/result-type.ts'
import type { Stamp } from './stamp.ts'

/** One page of a list, its items as JSON. */
export interface ListPage {
  readonly items: readonly string[]
  /** Cursor of the next page, if there may be one. */
  readonly next: string | undefined
}

/**
 * JSON text of the complete result that holds a page (server/utilities/pagination, "Response Format").
 *
 * @param member name of the result's member for the items.
 */
export function listText(member: string, page: ListPage, hint: CacheHint, stamp: Stamp): string {
  const cursor = page.next === undefined ? '' : `,"nextCursor":${JSON.stringify(page.next)}`
  return (
    `{"resultType":"${ResultType.complete}","${member}":[${page.items.join(',')}]${cursor}` +
    `,"ttlMs":${hint.ttlMs},"cacheScope":"${hint.scope}","_meta":${stamp.meta}}`
  )
}
