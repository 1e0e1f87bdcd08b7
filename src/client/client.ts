import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type CompleteResult, type CompletionReference } from '../protocol/completion.ts'
import { type DiscoverResult, type ServerCapabilities } from '../protocol/discover.ts'
import { type Implementation } from '../protocol/meta.ts'
import { type GetPromptResult, type Prompt } from '../protocol/prompt.ts'
import { type ReadResourceResult, type Resource, type ResourceTemplate } from '../protocol/resource.ts'
import { type Schema } from '../protocol/standard-schema.ts'
import { type Tool } from '../protocol/tool.ts'
import {
  type CallOptions,
  type ClientOptions,
  type RequestCallOptions,
  type ResumeOptions,
  type ToolCallOptions,
} from './client-options.ts'
import {
  type PageParams,
  type PromptsPage,
  type ResourcesPage,
  type ResourceTemplatesPage,
  type ToolsPage,
} from './lists.ts'
import { Pages } from './pages.ts'
import { type Answers, type Round, type RoundMethod, type RoundOutcome } from './round.ts'
import { type ToolResult } from './tool-result.ts'
import { type Transport } from './transport.ts'

/** Arguments of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A client of one server. Made by `connect()`. */
export class Client {
  readonly #transport: Transport
  readonly #options: ClientOptions

  constructor(transport: Transport, options: ClientOptions = {}) {
    this.#transport = transport
    this.#options = options
  }

  /** What the server is reached at: its URL, its command, or `memory`. */
  get address(): string {
    return this.#transport.address
  }

  /** Protocol revision in use. */
  get version(): string {
    return notYet(this.#options)
  }

  /** What the server says of itself; `undefined` when it did not or was not asked yet. Never verified. */
  get server(): Implementation | undefined {
    return undefined
  }

  /** What the server offers, once it was asked. */
  get capabilities(): ServerCapabilities | undefined {
    return undefined
  }

  /** Guidance for a model on how to use the server, if it gave any. */
  get instructions(): string | undefined {
    return undefined
  }

  /** `server/discover`: versions, capabilities and identity. */
  async discover(_options?: RequestCallOptions): Promise<DiscoverResult> {
    return notYet(this.#options)
  }

  /** Calls a tool and answers what it asks through the handlers. */
  async callTool<const S extends Schema | undefined = undefined>(
    _name: string,
    _args?: ToolArguments,
    _options?: ToolCallOptions<S>,
  ): Promise<ToolResult<S>> {
    return notYet(this.#options)
  }

  /** Gets a prompt and answers what it asks through the handlers. */
  async getPrompt(
    _name: string,
    _args?: Readonly<Record<string, string>>,
    _options?: CallOptions,
  ): Promise<GetPromptResult> {
    return notYet(this.#options)
  }

  /** Reads a resource and answers what it asks through the handlers. */
  async readResource(_uri: string, _options?: CallOptions): Promise<ReadResourceResult> {
    return notYet(this.#options)
  }

  /** Starts a tool call whose rounds are driven by hand. */
  async startTool(
    _name: string,
    _args?: ToolArguments,
    _options?: RequestCallOptions,
  ): Promise<RoundOutcome<'tools/call'>> {
    return notYet(this.#options)
  }

  /** Starts a `prompts/get` whose rounds are driven by hand. */
  async startPrompt(
    _name: string,
    _args?: Readonly<Record<string, string>>,
    _options?: RequestCallOptions,
  ): Promise<RoundOutcome<'prompts/get'>> {
    return notYet(this.#options)
  }

  /** Starts a `resources/read` whose rounds are driven by hand. */
  async startResource(_uri: string, _options?: RequestCallOptions): Promise<RoundOutcome<'resources/read'>> {
    return notYet(this.#options)
  }

  /** Goes on with a round: sends its answers, and gives the next round or the result. */
  async resume<M extends RoundMethod>(
    _round: Round<M>,
    _answers?: Answers,
    _options?: ResumeOptions,
  ): Promise<RoundOutcome<M>> {
    return notYet(this.#options)
  }

  /** One page of the tools. */
  async listTools(_params?: PageParams, _options?: RequestCallOptions): Promise<ToolsPage> {
    return notYet(this.#options)
  }

  /** One page of the prompts. */
  async listPrompts(_params?: PageParams, _options?: RequestCallOptions): Promise<PromptsPage> {
    return notYet(this.#options)
  }

  /** One page of the resources. */
  async listResources(_params?: PageParams, _options?: RequestCallOptions): Promise<ResourcesPage> {
    return notYet(this.#options)
  }

  /** One page of the resource templates. */
  async listResourceTemplates(_params?: PageParams, _options?: RequestCallOptions): Promise<ResourceTemplatesPage> {
    return notYet(this.#options)
  }

  /** Every tool. */
  tools(options?: RequestCallOptions): Pages<Tool, ToolsPage> {
    return new Pages(
      (cursor) => this.listTools({ cursor }, options),
      (page) => page.tools,
    )
  }

  /** Every prompt. */
  prompts(options?: RequestCallOptions): Pages<Prompt, PromptsPage> {
    return new Pages(
      (cursor) => this.listPrompts({ cursor }, options),
      (page) => page.prompts,
    )
  }

  /** Every resource. */
  resources(options?: RequestCallOptions): Pages<Resource, ResourcesPage> {
    return new Pages(
      (cursor) => this.listResources({ cursor }, options),
      (page) => page.resources,
    )
  }

  /** Every resource template. */
  resourceTemplates(options?: RequestCallOptions): Pages<ResourceTemplate, ResourceTemplatesPage> {
    return new Pages(
      (cursor) => this.listResourceTemplates({ cursor }, options),
      (page) => page.resourceTemplates,
    )
  }

  /** Proposals for one argument of a prompt or a resource template. */
  async complete(
    _ref: CompletionReference,
    _argument: { readonly name: string; readonly value: string },
    _context?: { readonly arguments?: Readonly<Record<string, string>> },
    _options?: RequestCallOptions,
  ): Promise<CompleteResult['completion']> {
    return notYet(this.#options)
  }

  /** Any other request; gives the result as received. */
  async request(_method: string, _params?: JsonObject, _options?: RequestCallOptions): Promise<JsonObject> {
    return notYet(this.#options)
  }

  /** Lets go of the server. Requests under way fail with `TRANSPORT_CLOSED`. */
  async close(): Promise<void> {
    await this.#transport.close()
  }

  /** `await using client = await connect(…)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

function notYet(_options: ClientOptions): never {
  throw new RondoError('CONFIG_INVALID', 'Not built yet')
}
