import { host, type Host, type Timer } from '../replay/host.ts'
import { checkUri } from './define-resource.ts'
import type { Logger } from './log.ts'
import type { ListKind, Registry } from './registry.ts'

/** Something a client may have asked to be told of. */
export type Change =
  { readonly kind: 'tools' | 'prompts' | 'resources' } | { readonly kind: 'resource'; readonly uri: string }

/** Is given what changed, each thing once, in the order in which it first changed. Must not throw. */
export type ChangeListener = (changes: readonly Change[]) => void

/**
 * Says that something changed which the server cannot see for itself: what a `visible` rule goes by, what a lister reads,
 * what is in a resource. What is registered or removed is noticed without it. Costs nothing while no client listens.
 */
export interface Changed {
  /** The list of tools is another one now, for some callers at least. */
  tools(): void
  /** The list of prompts is another one now. */
  prompts(): void
  /** The list of resources, or of resource templates, is another one now. */
  resources(): void
  /**
   * What is read at this URI is something else now, or is gone.
   *
   * @throws RondoError `DEFINITION_INVALID` for what is no absolute URI
   */
  resource(uri: string): void
}

/** Milliseconds for which changes are gathered: many come together, as when a module is loaded. */
const GATHER = 25

const CHANGE_OF = {
  tools: { kind: 'tools' },
  prompts: { kind: 'prompts' },
  resources: { kind: 'resources' },
  resourceTemplates: { kind: 'resources' },
} as const satisfies Record<ListKind, Change>

/**
 * Gathers what changes in one server and hands it to who listens (basic/patterns/subscriptions). There is a timer only
 * between a change and its delivery, and none while nobody listens.
 */
export class Changes implements Changed {
  readonly #registry: Registry
  readonly #log: Logger
  readonly #host: Host
  readonly #listeners = new Set<ChangeListener>()
  /** By kind, or by URI: an absolute URI has a colon and is never the name of a kind. */
  readonly #pending = new Map<string, Change>()
  #timer: Timer
  #unhook: (() => void) | undefined

  constructor(registry: Registry, log: Logger, timers: Host = host) {
    this.#registry = registry
    this.#log = log
    this.#host = timers
  }

  tools(): void {
    this.#raise('tools', CHANGE_OF.tools)
  }

  prompts(): void {
    this.#raise('prompts', CHANGE_OF.prompts)
  }

  resources(): void {
    this.#raise('resources', CHANGE_OF.resources)
  }

  resource(uri: string): void {
    checkUri(uri, 'changed.resource()')
    this.#raise(uri, { kind: 'resource', uri })
  }

  /**
   * Calls `listener` with what changes from now on. What was raised less than 25 ms before may be among it: a change too
   * many costs a client one request, one too few leaves it with an old list.
   *
   * @returns what ends it: the listener is not called again, and nothing is kept for it.
   */
  listen(listener: ChangeListener): () => void {
    // A function of its own for each: the same listener may be given twice.
    const own: ChangeListener = (changes) => listener(changes)
    this.#listeners.add(own)
    this.#unhook ??= this.#registry.onChange((list) => {
      const change = CHANGE_OF[list]
      this.#raise(change.kind, change)
    })
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#rest()
    }
  }

  #raise(key: string, change: Change): void {
    if (this.#listeners.size === 0) return
    this.#pending.set(key, change)
    this.#timer ??= this.#host.setTimer(() => this.#deliver(), GATHER, true)
  }

  #deliver(): void {
    this.#timer = undefined
    const changes = [...this.#pending.values()]
    this.#pending.clear()
    for (const listener of [...this.#listeners]) {
      // One that was ended by another, just now, has nobody to tell any more.
      if (this.#listeners.has(listener)) this.#tell(listener, changes)
    }
  }

  #tell(listener: ChangeListener, changes: readonly Change[]): void {
    try {
      listener(changes)
    } catch (error) {
      // Nobody stands above a timer: it would end the process, and the others would hear nothing.
      const message = 'A change could not be passed on to a client.'
      this.#log.write({ level: 'error', code: 'change-failed', message, error })
    }
  }

  #rest(): void {
    this.#unhook?.()
    this.#unhook = undefined
    this.#pending.clear()
    if (this.#timer === undefined) return
    this.#host.clearTimer(this.#timer)
    this.#timer = undefined
  }
}
