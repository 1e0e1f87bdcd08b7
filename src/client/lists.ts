import { type Prompt } from '../protocol/prompt.ts'
import { type Resource, type ResourceTemplate } from '../protocol/resource.ts'
import { type Tool } from '../protocol/tool.ts'
import { type Page } from './pages.ts'

/** Which page of a list: the `nextCursor` of the page before, passed on as it is; absent for the first. */
export interface PageParams {
  readonly cursor?: string | undefined
}

/** One page of a list, with its cache hints (server/utilities/caching). */
export interface ListPage extends Page {
  readonly ttlMs?: number
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** One page of `tools/list`. */
export interface ToolsPage extends ListPage {
  readonly tools: readonly Tool[]
}

/** One page of `prompts/list`. */
export interface PromptsPage extends ListPage {
  readonly prompts: readonly Prompt[]
}

/** One page of `resources/list`. */
export interface ResourcesPage extends ListPage {
  readonly resources: readonly Resource[]
}

/** One page of `resources/templates/list`. */
export interface ResourceTemplatesPage extends ListPage {
  readonly resourceTemplates: readonly ResourceTemplate[]
}
