import type { Revision } from '../protocol/revisions.ts'
import type { Schema } from '../protocol/standard-schema.ts'
import { aroundOperation } from './around.ts'
import { cacheHints } from './cache-hints.ts'
import type { CallPolicyOptions } from './call-policy.ts'
import { Changes, type Changed, type ChangeListener } from './changes.ts'
import { checkServerOptions, servedRevisions } from './check-options.ts'
import { safeClock } from './clock.ts'
import { Continuation } from './continuation.ts'
import { customMethod, type MethodHandler, type MethodOptions } from './custom-method.ts'
import { promptEntry, type PromptHandler, type PromptOptions } from './define-prompt.ts'
import { resourceEntry, type ResourceHandler, type ResourceOptions } from './define-resource.ts'
import {
  templateEntry,
  type ResourceTemplateHandler,
  type ResourceTemplateOptions,
} from './define-resource-template.ts'
import { toolEntry, type ToolHandler, type ToolOptions } from './define-tool.ts'
import { refuse } from './definition.ts'
import { Dispatcher } from './dispatcher.ts'
import type { Exchange, Reply } from './exchange.ts'
import { legacyOperations } from './legacy-operations.ts'
import { adviseOnServer } from './foreign-names.ts'
import { Limiter } from './limiter.ts'
import { Logger } from './log.ts'
import type { Maybe } from './maybe.ts'
import type { Middleware } from './middleware.ts'
import type { Operation } from './operation.ts'
import { coreOperations } from './operations.ts'
import type { ServerInfo, ServerOptions } from './options.ts'
import type { PromptArgumentsOption } from './prompt-arguments.ts'
import { Registry, type Entry } from './registry.ts'
import { listedResource, resourceSource, type ResourceList, type ResourceListOptions } from './resource-source.ts'
import { Roster } from './roster.ts'
import type { Running, Services } from './services.ts'
import { verifyUrl } from './signed-url.ts'
import { Stamp } from './stamp.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Caller } from './visible.ts'

/** Something registered, to be taken away again while the server runs. */
export interface Registration {
  /** @returns whether it was still there. */
  remove(): boolean
}

/**
 * An MCP server: what it offers, and `handle()`, which any transport feeds. Keeps nothing between requests.
 *
 * @example
 * const server = new Server({ name: 'deploys', version: '1.0.0' })
 * server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
 *   return (await ctx.ask.confirm('go', `Deploy to ${env}?`)) ? 'Deployed.' : 'Not deployed.'
 * })
 */
export class Server {
  readonly info: ServerInfo
  readonly #services: Services
  readonly #middleware: Middleware[] = []
  readonly #subscriptions: Subscriptions
  readonly #operations: Map<string, Operation>
  readonly #dispatcher: Dispatcher
  readonly #running = new Roster<Running>()
  #closed = false

  static {
    adviseOnServer(this.prototype)
  }

  /**
   * @throws RondoError `DEFINITION_INVALID`, `STATE_KEYS_INVALID`, `STATE_KEYS_MISSING` (own crypto without keys)
   */
  constructor(info: ServerInfo, options: ServerOptions = {}) {
    checkServerOptions(info, options)
    const { instructions, ...implementation } = info
    this.info = info
    const log = new Logger(options.log)
    const { now } = options
    const settled = now === undefined ? options : { ...options, now: safeClock(now, log) }
    const registry = new Registry(log)
    this.#services = {
      options: settled,
      revisions: servedRevisions(options.revisions),
      log,
      registry,
      changes: new Changes(registry, log),
      continuation: new Continuation(info.name, settled, log),
      limiter: options.rateLimit === false ? undefined : new Limiter(options.rateLimit),
      middleware: this.#middleware,
      stamp: new Stamp(implementation),
      cacheHints: cacheHints(options.cache),
      running: this.#running,
      closed: () => this.#closed,
    }
    this.#subscriptions = new Subscriptions(this.#services)
    this.#operations = coreOperations(this.#services, this.#subscriptions, instructions)
    this.#dispatcher = new Dispatcher(this.#services, this.#operations, legacyOperations(this.#services, instructions))
  }

  /**
   * Registers a tool.
   *
   * @throws RondoError `DEFINITION_INVALID`
   * @see server/tools of the specification
   */
  tool<const I extends Schema | undefined = undefined, const O extends Schema | undefined = undefined>(
    name: string,
    options: ToolOptions<I, O>,
    handler: ToolHandler<I, O>,
  ): Registration {
    return this.#add([toolEntry(name, options, handler)])
  }

  /**
   * Registers a prompt.
   *
   * @throws RondoError `DEFINITION_INVALID`
   * @see server/prompts of the specification
   */
  prompt<const A extends PromptArgumentsOption | undefined = undefined>(
    name: string,
    options: PromptOptions<A>,
    handler: PromptHandler<A>,
  ): Registration {
    return this.#add([promptEntry(name, options, handler)])
  }

  /**
   * Registers a resource with a fixed URI.
   *
   * @throws RondoError `DEFINITION_INVALID`
   * @see server/resources of the specification
   */
  resource(name: string, options: ResourceOptions, handler: ResourceHandler): Registration {
    return this.#add([resourceEntry(name, options, handler)])
  }

  /**
   * Registers resources that a URI template describes.
   *
   * @throws RondoError `DEFINITION_INVALID`
   * @see server/resources, "Resource Templates", of the specification
   */
  resourceTemplate<const T extends string>(
    name: string,
    options: ResourceTemplateOptions<T> & CallPolicyOptions,
    handler: ResourceTemplateHandler<T>,
  ): Registration {
    return this.#add([templateEntry(name, options, handler)])
  }

  /**
   * Adds resources to `resources/list` that are read by a template or elsewhere: an array, or a function that pages.
   *
   * @throws RondoError `DEFINITION_INVALID`
   */
  resources(list: ResourceList, options: ResourceListOptions = {}): Registration {
    if (typeof list === 'function') {
      return { remove: once(this.#services.registry.addSource(resourceSource(list, options))) }
    }
    if (!Array.isArray(list))
      refuse('resources()', 'give an array of resources, or a function that gives pages of them.')
    return this.#add(list.map(listedResource))
  }

  /**
   * Registers a method of the author's own.
   *
   * @throws RondoError `DEFINITION_INVALID` for a name that belongs to MCP or is taken
   */
  method<const S extends Schema | undefined = undefined>(
    method: string,
    options: MethodOptions<S>,
    handler: MethodHandler<S>,
  ): Registration {
    const operation = customMethod(this.#services, method, options, handler)
    if (this.#operations.has(method)) refuse(`Method ${JSON.stringify(method)}`, 'there is already one of that name.')
    this.#operations.set(method, aroundOperation(this.#services, operation))
    return { remove: once(() => void this.#operations.delete(method)) }
  }

  /**
   * Puts middleware around every operation, inside what was put before.
   *
   * @throws RondoError `DEFINITION_INVALID`
   */
  use(middleware: Middleware): this {
    if (typeof middleware !== 'function') refuse('use()', 'middleware must be a function of the call and next.')
    this.#middleware.push(middleware)
    return this
  }

  /** Tells clients that listen of changes the server cannot see for itself. */
  get changed(): Changed {
    return this.#services.changes
  }

  /**
   * Takes one message and gives its reply: what every transport calls, and every test may. Never throws and never
   * rejects.
   *
   * @param message JSON text of one JSON-RPC message, or the value a framework parsed it to
   */
  handle(message: unknown, exchange: Exchange = {}): Maybe<Reply> {
    return this.#dispatcher.dispatch(message, exchange)
  }

  /**
   * The call id of a URL from `ctx.signUrl()`, when who opens it (`principal`, as the callback's own authentication
   * established it) is who was asked; else `undefined`. Good while the ring has the key it was signed with.
   *
   * @param env where state keys are looked for on hosts that give the environment with each request, such as Workers
   * @throws RondoError `STATE_KEYS_INVALID`, `STATE_KEYS_MISSING`, by rejection
   */
  async verifyUrl(
    url: string | URL,
    principal: string,
    env?: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    const { continuation } = this.#services
    return verifyUrl(String(url), principal, async (text, signature) =>
      continuation.signer({ env }).verify(text, signature),
    )
  }

  /** Revisions of the protocol that it serves, newest first. */
  get revisions(): readonly Revision[] {
    return this.#services.revisions
  }

  /**
   * Calls `tell` with the changes that a caller may hear of: for transports.
   *
   * @returns what ends it
   */
  watch(caller: Caller, tell: ChangeListener): () => void {
    const { changes, registry } = this.#services
    return changes.listen((all) => {
      // What a rule shows may be another today than when the caller subscribed.
      const heard = all.filter((change) => change.kind !== 'resource' || registry.knows(change.uri, caller))
      if (heard.length > 0) tell(heard)
    })
  }

  /** Whether it still takes requests. */
  get healthy(): boolean {
    return !this.#closed
  }

  /** Whether calls that wait for an answer die with this process, for want of state keys (T7). */
  get ephemeral(): boolean {
    return this.#services.continuation.ephemeral
  }

  /** Says something once in the server's log: for transports. */
  get log(): Logger {
    return this.#services.log
  }

  /** Stops: signals every running handler and refuses what comes later (`SERVER_CLOSED`). Transports stop accepting by themselves before that. */
  close(): void {
    this.#closed = true
    this.#subscriptions.end('The server stops')
    for (const handler of this.#running.take()) handler.stop('The server stops')
  }

  #add(entries: readonly Entry[]): Registration {
    const { registry } = this.#services
    const added: Entry[] = []
    const removeAll = () => added.map((entry) => registry.removeEntry(entry)).includes(true)
    try {
      for (const entry of entries) {
        registry.add(entry)
        added.push(entry)
      }
    } catch (error) {
      removeAll()
      throw error
    }
    return { remove: removeAll }
  }
}

function once(remove: () => void): () => boolean {
  let there = true
  return () => {
    const was = there
    there = false
    if (was) remove()
    return was
  }
}
