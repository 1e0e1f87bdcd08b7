import { shown } from '../errors/value-text.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { isInputRequired, isInputRequiredLiteral } from '../protocol/input-required-result.ts'
import { META, type Implementation } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import type { CompiledSchema } from '../protocol/schema.ts'
import type { InferOutput, Schema } from '../protocol/standard-schema.ts'
import { issuesText } from '../protocol/issue.ts'
import type { Context } from './context.ts'
import { definedSchema } from './defined-schema.ts'
import { checkHandler, checkOptions, refuse } from './definition.ts'
import { after, type Maybe } from './maybe.ts'
import { contextLog, Notifier } from './notify.ts'
import { CANCELLED, type Operation } from './operation.ts'
import type { ServerRequest } from './request.ts'
import { resultBody } from './result-body.ts'
import { serverClosed } from './server-closed.ts'
import type { Running, Services } from './services.ts'

/** What {@link customMethod} takes beside name and handler. */
export interface MethodOptions<S extends Schema | undefined = Schema | undefined> {
  /** Schema of the params, an object; `_meta` is taken off before. Without one they are passed as they are. */
  readonly params?: S
}

/** What a custom method's handler is given: no asks, since only calls may ask (basic/patterns/mrtr). */
export type MethodContext = Pick<
  Context,
  | 'principal'
  | 'auth'
  | 'http'
  | 'signal'
  | 'client'
  | 'clientCapabilities'
  | 'protocolVersion'
  | 'meta'
  | 'progress'
  | 'log'
>

/** Params of a custom method's handler. */
export type MethodParams<S> = [S] extends [Schema] ? InferOutput<S> : Record<string, unknown>

/** Does a custom method's work and gives the members of its result. */
export type MethodHandler<S> = (
  params: MethodParams<S>,
  ctx: MethodContext,
) => object | undefined | PromiseLike<object | undefined>

const RESERVED: ReadonlySet<string> = new Set(Object.values(METHODS))

/**
 * A method of the author's own.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function customMethod(
  services: Services,
  method: string,
  options: MethodOptions,
  handler: (params: never, ctx: MethodContext) => unknown,
): Operation {
  const where = `Method ${shown(method)}`
  if (typeof method !== 'string' || method === '') refuse(where, 'a method needs a name that is not empty.')
  if (RESERVED.has(method) || method.startsWith('rpc.')) {
    refuse(where, "that name belongs to MCP or JSON-RPC. Use one of your own, such as 'acme/reindex'.")
  }
  checkOptions(options, ['params'], where)
  checkHandler(handler, where)
  const schema = options.params === undefined ? undefined : definedSchema(options.params, 'input', 'params', where)
  return {
    run: async (request) => {
      const params = await checkedParams(schema, request.params)
      const call = new MethodCall(services, request)
      // Both may have come while the params were awaited.
      if (call.cancelled) return CANCELLED
      if (services.closed()) throw serverClosed()
      services.running.add(call)
      try {
        const result = await call.run(handler, params)
        return call.cancelled ? CANCELLED : services.stamp.complete(bodyOf(result, method))
      } catch (error) {
        if (call.cancelled) return CANCELLED
        throw error
      } finally {
        services.running.delete(call)
      }
    },
  }
}

function checkedParams(schema: CompiledSchema | undefined, { _meta, ...params }: JsonObject): Maybe<unknown> {
  if (schema === undefined) return params
  return after(schema.validate(params), (validated) => {
    if (validated.ok) return validated.value
    throw new WireError('INVALID_PARAMS', `Invalid params: ${issuesText(validated.issues)}`)
  })
}

function bodyOf(result: unknown, method: string): JsonObject {
  if (result === undefined) return {}
  if (isInputRequired(result) || isInputRequiredLiteral(result)) {
    throw new RondoError(
      'RESULT_INVALID',
      `Method ${method} returned an input-required result. Only tools, prompts and resources may (basic/patterns/mrtr, "Supported Requests").`,
    )
  }
  return resultBody(result, `Method ${method}`)
}

/** One request of a custom method, as its handler sees it. */
class MethodCall implements MethodContext, Running {
  place = -1
  readonly #request: ServerRequest
  readonly #notifier: Notifier
  #controller: AbortController | undefined
  #open = true
  #cancelled: { readonly reason: string | undefined } | undefined

  constructor(services: Services, request: ServerRequest) {
    this.#request = request
    this.#notifier = new Notifier(request, {
      open: () => this.#open,
      redact: services.options.redact,
      log: services.log,
    })
    request.exchange.onCancel?.((reason) => this.stop(reason))
  }

  stop(reason?: string): void {
    this.#cancelled = { reason }
    this.#controller?.abort(reason)
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined
  }

  async run(handler: (params: never, ctx: MethodContext) => unknown, params: unknown): Promise<unknown> {
    try {
      return await handler(params as never, this)
    } finally {
      this.#open = false
    }
  }

  get principal(): string {
    return this.#request.principal
  }

  get auth(): MethodContext['auth'] {
    return this.#request.exchange.auth
  }

  get http(): MethodContext['http'] {
    return this.#request.exchange.http
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled.reason)
    return this.#controller.signal
  }

  get client(): Implementation | undefined {
    return this.#request.meta[META.clientInfo] as Implementation | undefined
  }

  get clientCapabilities(): MethodContext['clientCapabilities'] {
    return this.#request.capabilities
  }

  get protocolVersion(): string {
    return String(this.#request.meta[META.protocolVersion])
  }

  get meta(): MethodContext['meta'] {
    return this.#request.meta
  }

  get progress(): MethodContext['progress'] {
    return (progress, total, message) => this.#notifier.progress(progress, total, message)
  }

  get log(): MethodContext['log'] {
    return contextLog(this.#notifier)
  }
}
