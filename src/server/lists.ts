import type { CacheHints } from './cache-hints.ts'
import { refuse } from './definition.ts'
import { ListPages, type ListSettings } from './list-pages.ts'
import type { Logger } from './log.ts'
import type { Maybe } from './maybe.ts'
import type { Registry } from './registry.ts'
import type { ServerRequest } from './request.ts'
import { ResourcePages } from './resource-pages.ts'
import type { Stamp } from './stamp.ts'
import { callerOf } from './visible.ts'

/** What {@link lists} is made of. */
export interface ListsOptions {
  readonly registry: Registry
  readonly stamp: Stamp
  readonly hints: CacheHints
  /** Items on a page; {@link DEFAULT_PAGE_SIZE} when absent. */
  readonly pageSize?: number | undefined
  readonly log?: Logger | undefined
}

/**
 * The four list methods: each gives the JSON text of a whole complete result.
 *
 * They throw, or reject with, WireError `INVALID_PARAMS` for a cursor they did not give.
 */
export interface Lists {
  tools(request: ServerRequest): string
  prompts(request: ServerRequest): string
  resources(request: ServerRequest): Maybe<string>
  resourceTemplates(request: ServerRequest): string
}

/** Items on a page when nothing is said. */
export const DEFAULT_PAGE_SIZE = 100

/** @throws RondoError `DEFINITION_INVALID` for a page size that is no whole number from 1 up. */
export function lists(options: ListsOptions): Lists {
  const { registry, stamp, hints, pageSize = DEFAULT_PAGE_SIZE, log } = options
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    refuse('Option pageSize', `must be a whole number from 1 up, not ${String(pageSize)}.`)
  }
  const settings: ListSettings = { registry, stamp, pageSize }
  const tools = new ListPages('tools', hints.tools, settings)
  const prompts = new ListPages('prompts', hints.prompts, settings)
  const templates = new ListPages('resourceTemplates', hints.resourceTemplates, settings)
  const resources = new ResourcePages(hints.resources, settings, log)
  return {
    tools: (request) => tools.text(request.params.cursor, callerOf(request)),
    prompts: (request) => prompts.text(request.params.cursor, callerOf(request)),
    resources: (request) => resources.text(request.params.cursor, callerOf(request)),
    resourceTemplates: (request) => templates.text(request.params.cursor, callerOf(request)),
  }
}
