import { RondoError } from '../errors/rondo-error.ts'
import type { PromptEntry } from './define-prompt.ts'
import type { ResourceEntry } from './define-resource.ts'
import type { TemplateEntry } from './define-resource-template.ts'
import type { ToolEntry } from './define-tool.ts'
import type { Logger } from './log.ts'
import type { ListedResource, ResourceSource } from './resource-source.ts'
import { isVisible, type Caller, type Visible } from './visible.ts'

/** Anything that can be registered. */
export type Entry = ToolEntry | PromptEntry | ResourceEntry | TemplateEntry | ListedResource

/** The lists a client can ask for. */
export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

/** A resource that was found by its URI: under a fixed one, or by a template with the values of its variables. */
export type FoundResource =
  | { readonly entry: ResourceEntry; readonly variables: undefined }
  | { readonly entry: TemplateEntry; readonly variables: Readonly<Record<string, string>> }

const LIST_OF = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  listed: 'resources',
  template: 'resourceTemplates',
} as const satisfies Record<Entry['kind'], ListKind>

const NOUN = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  listed: 'resource',
  template: 'resource template',
} as const satisfies Record<Entry['kind'], string>

/**
 * Everything a server offers. Built once and shared by all requests; may change while they run. Order is that of
 * registration, so that lists are the same each time (server/tools, "Capabilities").
 */
export class Registry {
  readonly #tools = new Map<string, ToolEntry>()
  readonly #prompts = new Map<string, PromptEntry>()
  readonly #resources = new Map<string, ResourceEntry | ListedResource>()
  readonly #templates = new Map<string, TemplateEntry>()
  readonly #sources = new Map<string, ResourceSource>()
  readonly #offered = new Set<ListKind | 'completions'>()
  readonly #listeners = new Set<(list: ListKind) => void>()
  readonly #log: Logger | undefined
  #version = 0
  #sourceCount = 0

  constructor(log?: Logger) {
    this.#log = log
  }

  /** Grows with every change: what was made out of an older one is stale. */
  get version(): number {
    return this.#version
  }

  get tools(): ReadonlyMap<string, ToolEntry> {
    return this.#tools
  }

  get prompts(): ReadonlyMap<string, PromptEntry> {
    return this.#prompts
  }

  /** By URI; those that are only listed stand among them. */
  get resources(): ReadonlyMap<string, ResourceEntry | ListedResource> {
    return this.#resources
  }

  /** By the text of their URI template. */
  get templates(): ReadonlyMap<string, TemplateEntry> {
    return this.#templates
  }

  /** Functions that list resources, by a key that a cursor can name. */
  get sources(): ReadonlyMap<string, ResourceSource> {
    return this.#sources
  }

  /** Whether there is, or was, anything of this: what was once declared goes on being answered, if with an empty list. */
  offers(what: ListKind | 'completions'): boolean {
    return this.#offered.has(what)
  }

  /**
   * @throws RondoError `DEFINITION_INVALID` when its name or URI is taken.
   */
  add(entry: Entry): void {
    const map = this.#mapOf(entry.kind)
    const key = keyOf(entry)
    if (map.has(key)) {
      throw new RondoError(
        'DEFINITION_INVALID',
        `There is already a ${NOUN[entry.kind]} ${JSON.stringify(key)}. ` +
          'Pick another name, or replace or remove the one that is there.',
      )
    }
    this.#set(map, key, entry)
  }

  /** Puts an entry in the place of the one with its name or URI, or at the end when there is none. */
  replace(entry: Entry): void {
    this.#set(this.#mapOf(entry.kind), keyOf(entry), entry)
  }

  /** @returns whether it was there. */
  remove(kind: 'tool' | 'prompt' | 'resource' | 'template', key: string): boolean {
    const removed = this.#mapOf(kind).delete(key)
    if (removed) this.#changed(LIST_OF[kind])
    return removed
  }

  /**
   * Takes away this entry, and no other that has come to its name since.
   *
   * @returns whether it was there.
   */
  removeEntry(entry: Entry): boolean {
    const map = this.#mapOf(entry.kind)
    const key = keyOf(entry)
    if (map.get(key) !== entry) return false
    map.delete(key)
    this.#changed(LIST_OF[entry.kind])
    return true
  }

  /** Adds a function that lists resources. @returns what takes it away again. */
  addSource(source: ResourceSource): () => void {
    const key = `source ${this.#sourceCount++}`
    this.#sources.set(key, source)
    this.#offered.add('resources')
    this.#changed('resources')
    return () => {
      if (this.#sources.delete(key)) this.#changed('resources')
    }
  }

  /** Calls `listener` at once whenever a list has changed. @returns what ends it. */
  onChange(listener: (list: ListKind) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The tool of this name, if it exists for this caller. */
  findTool(name: string, caller: Caller): ToolEntry | undefined {
    return this.#shown(this.#tools.get(name), caller)
  }

  /** The prompt of this name, if it exists for this caller. */
  findPrompt(name: string, caller: Caller): PromptEntry | undefined {
    return this.#shown(this.#prompts.get(name), caller)
  }

  /** The template of this text, if it exists for this caller. */
  findTemplate(uriTemplate: string, caller: Caller): TemplateEntry | undefined {
    return this.#shown(this.#templates.get(uriTemplate), caller)
  }

  /** What this URI leads to for this caller: a fixed resource, else the first template that matches. */
  findResource(uri: string, caller: Caller): FoundResource | undefined {
    const fixed = this.#resources.get(uri)
    if (fixed?.kind === 'resource' && this.shows(fixed, caller)) return { entry: fixed, variables: undefined }
    for (const entry of this.#templates.values()) {
      const variables = entry.template.match(uri)
      if (variables !== undefined && this.shows(entry, caller)) return { entry, variables }
    }
    return undefined
  }

  /** Whether this URI is that of a resource, listed or read by a template, for this caller. */
  knows(uri: string, caller: Caller): boolean {
    return this.#resources.get(uri)?.kind === 'listed' || this.findResource(uri, caller) !== undefined
  }

  /** Whether an entry exists for this caller. */
  shows(entry: Entry, caller: Caller): boolean {
    if (!isGuarded(entry)) return true
    return isVisible(entry.visible, caller, NOUN[entry.kind], keyOf(entry), this.#log)
  }

  #shown<E extends Entry>(entry: E | undefined, caller: Caller): E | undefined {
    return entry !== undefined && this.shows(entry, caller) ? entry : undefined
  }

  #mapOf(kind: Entry['kind']): Map<string, Entry> {
    const maps = {
      tool: this.#tools,
      prompt: this.#prompts,
      resource: this.#resources,
      listed: this.#resources,
      template: this.#templates,
    }
    return maps[kind]
  }

  #set(map: Map<string, Entry>, key: string, entry: Entry): void {
    map.set(key, entry)
    const list = LIST_OF[entry.kind]
    this.#offered.add(list)
    // Templates belong to the resources capability, and a template that lists fills the list of resources.
    if (entry.kind === 'template') this.#offered.add('resources')
    if ('complete' in entry && entry.complete.size > 0) this.#offered.add('completions')
    this.#changed(list)
  }

  #changed(list: ListKind): void {
    this.#version += 1
    for (const listener of this.#listeners) listener(list)
  }
}

/** Whether an entry exists for some callers and not for others. */
export function isGuarded<E extends Entry>(entry: E): entry is E & { readonly visible: Visible } {
  return entry.kind !== 'listed' && entry.visible !== undefined
}

/** Name, URI or URI template: what an entry is known by. */
export function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'tool':
    case 'prompt':
      return entry.name
    case 'resource':
    case 'listed':
      return entry.uri
    case 'template':
      return entry.uriTemplate
  }
}
