import { checkOptions, type OptionKinds, TEXT } from '../errors/option-check.ts'
import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import { kindOf } from '../errors/value-text.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type CompleteResult, type CompletionReference } from '../protocol/completion.ts'
import { type DiscoverResult, type ServerCapabilities } from '../protocol/discover.ts'
import { type Implementation, META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import { type GetPromptResult, type ListPromptsResult, type Prompt } from '../protocol/prompt.ts'
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
} from '../protocol/resource.ts'
import { isModernRevision } from '../protocol/revisions.ts'
import { type Schema } from '../protocol/standard-schema.ts'
import { type ListToolsResult, type Tool } from '../protocol/tool.ts'
import { type CallRequest, Calls } from './calls.ts'
import {
  type CallOptions,
  type ClientOptions,
  type RequestCallOptions,
  type ResumeOptions,
  type ToolCallOptions,
} from './client-options.ts'
import { ClientSetting } from './client-setting.ts'
import { type EraAdapter, type EraSign, foreignEra } from './era.ts'
import { REQUEST_OPTIONS } from './known-options.ts'
import { Pages } from './pages.ts'
import { membersOf, objectText } from './request-text.ts'
import { completeResult } from './result-reading.ts'
import { checkResult } from './result-shapes.ts'
import { type Answers, type Round, type RoundMethod, type RoundOutcome } from './round.ts'
import { checkedToolResult, type ToolResult } from './tool-result.ts'
import { type Transport } from './transport.ts'

/** Arguments of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** Arguments of a prompt. */
export type PromptArguments = Readonly<Record<string, string>>

/** Which page of a list: the `nextCursor` of the page before, passed on as it is; absent for the first. */
export interface PageParams {
  readonly cursor?: string | undefined
}

const PAGE_PARAMS: OptionKinds<PageParams> = { cursor: TEXT }

/**
 * A client of one server. Made by `connect()`.
 *
 * Every method that sends raises `ResponseError` when the server answers with an error, and `RondoError` with the codes
 * `REQUEST_TIMEOUT`, `REQUEST_CANCELLED`, `TRANSPORT_FAILED`, `TRANSPORT_CLOSED`, `HTTP_STATUS`, `RESPONSE_INVALID`,
 * `RESULT_TYPE_UNKNOWN` and `ERA_UNSUPPORTED`. Methods that answer asks also raise `InputRequiredError`,
 * `RoundRefusedError`, `CLIENT_ROUNDS_EXCEEDED`, `CLIENT_ASKS_EXCEEDED` and `CALL_EXPIRED`.
 */
export class Client {
  readonly #transport: Transport
  readonly #setting: ClientSetting
  readonly #calls: Calls
  readonly #adapter: EraAdapter | undefined

  /** @param adapter takes over servers that turn out to be of another era when {@link ready} asks them */
  constructor(transport: Transport, options: ClientOptions = {}, adapter?: EraAdapter) {
    this.#transport = transport
    this.#adapter = adapter
    this.#setting = new ClientSetting(transport, options)
    this.#calls = new Calls(this.#setting)
  }

  /** What the server is reached at: its URL, its command, or `memory`. */
  get address(): string {
    return this.#transport.address
  }

  /** Protocol revision in use. */
  get version(): string {
    return this.#setting.era().version
  }

  /** What the server says of itself; `undefined` when it did not or was not asked yet. Never verified. */
  get server(): Implementation | undefined {
    return this.#setting.discovered?._meta?.[META.serverInfo]
  }

  /** What the server offers, once it was asked. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#setting.discovered?.capabilities
  }

  /** Guidance for a model on how to use the server, if it gave any. */
  get instructions(): string | undefined {
    return this.#setting.discovered?.instructions
  }

  /**
   * First contact, as `connect()` makes it: finds out whether the server can be reached and speaks a revision we know. A
   * modern server that does not answer `server/discover` is taken as it is.
   */
  async ready(options?: RequestCallOptions): Promise<void> {
    const { connectTimeout } = this.#setting
    try {
      const { supportedVersions } = await this.discover({
        timeout: connectTimeout,
        maxTimeout: connectTimeout,
        ...options,
      })
      checkVersions(this.address, supportedVersions)
    } catch (error) {
      if (isRondoError(error, 'RESPONSE_ERROR')) return
      const foreign = foreignEra(error, this.#transport, connectTimeout)
      if (foreign === undefined) throw error
      if (this.#adapter === undefined) throw foreign
      await this.#setting.adopt(this.#adapter, foreign.data as EraSign)
    }
  }

  /** `server/discover`: versions, capabilities and identity. */
  async discover(options?: RequestCallOptions): Promise<DiscoverResult> {
    const result = checkResult(METHODS.serverDiscover, await this.#plain(METHODS.serverDiscover, '', options))
    return (this.#setting.discovered = result as unknown as DiscoverResult)
  }

  /**
   * Calls a tool and answers what it asks through the handlers. A tool that failed is a result with `isError`, not an
   * exception.
   */
  async callTool<const S extends Schema | undefined = undefined>(
    name: string,
    args?: ToolArguments,
    options?: ToolCallOptions<S>,
  ): Promise<ToolResult<S>> {
    const result = await this.#calls.run(toolCall(name, args), options)
    if (options?.output === undefined) return result as ToolResult<S>
    return checkedToolResult<S>(name, result, options.output)
  }

  /** Gets a prompt and answers what it asks through the handlers. */
  async getPrompt(name: string, args?: PromptArguments, options?: CallOptions): Promise<GetPromptResult> {
    return this.#calls.run(promptCall(name, args), options)
  }

  /** Reads a resource and answers what it asks through the handlers. */
  async readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult> {
    return this.#calls.run(resourceCall(uri), options)
  }

  /** Starts a tool call whose rounds are driven by hand. */
  async startTool(
    name: string,
    args?: ToolArguments,
    options?: RequestCallOptions,
  ): Promise<RoundOutcome<typeof METHODS.toolsCall>> {
    return this.#calls.start(toolCall(name, args), options)
  }

  /** Starts a `prompts/get` whose rounds are driven by hand. */
  async startPrompt(
    name: string,
    args?: PromptArguments,
    options?: RequestCallOptions,
  ): Promise<RoundOutcome<typeof METHODS.promptsGet>> {
    return this.#calls.start(promptCall(name, args), options)
  }

  /** Starts a `resources/read` whose rounds are driven by hand. */
  async startResource(uri: string, options?: RequestCallOptions): Promise<RoundOutcome<typeof METHODS.resourcesRead>> {
    return this.#calls.start(resourceCall(uri), options)
  }

  /**
   * Goes on with a round: sends its answers, and gives the next round or the result. For a state-only round, wait a
   * little and give no answers.
   *
   * @throws RondoError `CONFIG_INVALID` for a round that is none and `ANSWER_INVALID`, before anything is sent, `ROUND_REFUSED` when the server does not take the token
   */
  async resume<M extends RoundMethod>(
    round: Round<M>,
    answers: Answers = {},
    options?: ResumeOptions,
  ): Promise<RoundOutcome<M>> {
    return this.#calls.resume(round, answers, options)
  }

  /** One page of the tools. Over HTTP, tools whose definition is invalid are left out (see the `log` option). */
  async listTools(params?: PageParams, options?: RequestCallOptions): Promise<ListToolsResult> {
    const page = (await this.#page(METHODS.toolsList, params, options)) as unknown as ListToolsResult
    const tools = this.#setting.usableTools(page.tools)
    return tools === page.tools ? page : { ...page, tools }
  }

  /** One page of the prompts. */
  async listPrompts(params?: PageParams, options?: RequestCallOptions): Promise<ListPromptsResult> {
    return (await this.#page(METHODS.promptsList, params, options)) as unknown as ListPromptsResult
  }

  /** One page of the resources. */
  async listResources(params?: PageParams, options?: RequestCallOptions): Promise<ListResourcesResult> {
    return (await this.#page(METHODS.resourcesList, params, options)) as unknown as ListResourcesResult
  }

  /** One page of the resource templates. */
  async listResourceTemplates(params?: PageParams, options?: RequestCallOptions): Promise<ListResourceTemplatesResult> {
    const page = await this.#page(METHODS.resourceTemplatesList, params, options)
    return page as unknown as ListResourceTemplatesResult
  }

  /** Every tool. */
  tools(options?: RequestCallOptions): Pages<Tool, ListToolsResult> {
    checkOptions(options, REQUEST_OPTIONS, 'tools()')
    return new Pages(
      (cursor) => this.listTools({ cursor }, options),
      (page) => page.tools,
    )
  }

  /** Every prompt. */
  prompts(options?: RequestCallOptions): Pages<Prompt, ListPromptsResult> {
    checkOptions(options, REQUEST_OPTIONS, 'prompts()')
    return new Pages(
      (cursor) => this.listPrompts({ cursor }, options),
      (page) => page.prompts,
    )
  }

  /** Every resource. */
  resources(options?: RequestCallOptions): Pages<Resource, ListResourcesResult> {
    checkOptions(options, REQUEST_OPTIONS, 'resources()')
    return new Pages(
      (cursor) => this.listResources({ cursor }, options),
      (page) => page.resources,
    )
  }

  /** Every resource template. */
  resourceTemplates(options?: RequestCallOptions): Pages<ResourceTemplate, ListResourceTemplatesResult> {
    checkOptions(options, REQUEST_OPTIONS, 'resourceTemplates()')
    return new Pages(
      (cursor) => this.listResourceTemplates({ cursor }, options),
      (page) => page.resourceTemplates,
    )
  }

  /** Proposals for one argument of a prompt or a resource template, given the arguments chosen before it. */
  async complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context?: { readonly arguments?: Readonly<Record<string, string>> },
    options?: RequestCallOptions,
  ): Promise<CompleteResult['completion']> {
    const params = context === undefined ? { ref, argument } : { ref, argument, context }
    const members = membersOf(params, 'The params of completion/complete')
    const result = checkResult(METHODS.complete, await this.#plain(METHODS.complete, members, options))
    return (result as unknown as CompleteResult).completion
  }

  /** Any other request: gives the result as received. It must be complete. */
  async request(method: string, params: JsonObject = {}, options?: RequestCallOptions): Promise<JsonObject> {
    checkText(method, 'A method')
    const members = membersOf({ ...params, _meta: undefined }, `The params of ${method}`)
    const { _meta } = params
    const meta = _meta === undefined ? options : { ...options, meta: { ...(_meta as JsonObject), ...options?.meta } }
    return this.#plain(method, members, meta)
  }

  /** Lets go of the server. Requests under way fail with `TRANSPORT_CLOSED`. */
  async close(): Promise<void> {
    await this.#transport.close()
  }

  /** `await using client = await connect(…)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #plain(method: string, members: string, options: RequestCallOptions | undefined): Promise<JsonObject> {
    checkOptions(options, REQUEST_OPTIONS, method)
    const setting = this.#setting
    const result = await setting.era().request({
      method,
      members,
      roundMembers: '',
      declaration: setting.declare(options),
      times: setting.times(options),
      options,
    })
    return completeResult(result, method)
  }

  async #page(
    method: string,
    params: PageParams | undefined,
    options: RequestCallOptions | undefined,
  ): Promise<JsonObject> {
    checkOptions(params, PAGE_PARAMS, `the page of ${method}`)
    const members = params?.cursor === undefined ? '' : `"cursor":${JSON.stringify(params.cursor)}`
    return checkResult(method, await this.#plain(method, members, options))
  }
}

/** @throws RondoError `ERA_UNSUPPORTED` when a server answers, and says that it supports none of our revisions */
function checkVersions(address: string, supported: readonly string[]): void {
  if (supported.length === 0 || supported.some(isModernRevision)) return
  throw new RondoError('ERA_UNSUPPORTED', `${address} says that it supports ${supported.join(', ')} only`, {
    data: { tried: METHODS.serverDiscover, status: undefined, said: supported.join(', ') },
  })
}

function toolCall(name: string, args: ToolArguments | undefined): CallRequest<typeof METHODS.toolsCall> {
  return { method: METHODS.toolsCall, members: namedMembers(name, args), name }
}

function promptCall(name: string, args: PromptArguments | undefined): CallRequest<typeof METHODS.promptsGet> {
  return { method: METHODS.promptsGet, members: namedMembers(name, args), name }
}

function resourceCall(uri: string): CallRequest<typeof METHODS.resourcesRead> {
  checkText(uri, 'A URI')
  return { method: METHODS.resourcesRead, members: `"uri":${JSON.stringify(uri)}`, name: uri }
}

function namedMembers(name: string, args: object | undefined): string {
  checkText(name, 'A name')
  const named = `"name":${JSON.stringify(name)}`
  return args === undefined ? named : `${named},"arguments":${objectText(args, `The arguments of "${name}"`)}`
}

function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') throw new RondoError('CONFIG_INVALID', `${what} is a text, not ${kindOf(value)}.`)
}
