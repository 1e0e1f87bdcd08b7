import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { runCall } from './call.ts'
import { callerOf } from './visible.ts'
import type { CallTarget } from './call-target.ts'
import type { Maybe } from './maybe.ts'
import { checkParamHeaders } from './mirrored-headers.ts'
import type { Answer, Operation } from './operation.ts'
import { Place } from './place.ts'
import { PromptTarget } from './prompt-target.ts'
import type { ServerRequest } from './request.ts'
import { readHint } from './cache-hints.ts'
import { resourceNotFound, ResourceTarget } from './resource-target.ts'
import type { Services } from './services.ts'
import { ToolTarget } from './tool-target.ts'
import { quoted } from './quoted.ts'

/** `tools/call` */
export function toolsCall(services: Services): Operation {
  return {
    checkParams: checkNamed,
    nameOf,
    run: (request) => {
      const { params, exchange } = request
      const entry = services.registry.findTool(nameOf(params), callerOf(request))
      if (entry === undefined) throw unknown('tool', nameOf(params))
      const args = params['arguments'] as JsonObject | undefined
      if (exchange.http !== undefined && entry.paramHeaders.length > 0 && exchange.legacy === undefined) {
        checkParamHeaders(exchange.http, entry.paramHeaders, args)
      }
      return limited(services, request, () => runCall(services, request, new ToolTarget(entry, args)))
    },
  }
}

/** `prompts/get` */
export function promptsGet(services: Services): Operation {
  return {
    checkParams: checkNamed,
    nameOf,
    run: (request) => {
      const { params } = request
      const entry = services.registry.findPrompt(nameOf(params), callerOf(request))
      if (entry === undefined) throw unknown('prompt', nameOf(params))
      const target = new PromptTarget(entry, params['arguments'] as JsonObject | undefined)
      return limited(services, request, () => runCall(services, request, target))
    },
  }
}

/** `resources/read` */
export function resourcesRead(services: Services): Operation {
  return {
    checkParams(params) {
      if (typeof params['uri'] !== 'string') throw invalid('uri must be a string')
    },
    nameOf: (params) => params['uri'] as string,
    run: (request) => {
      const target = resourceTarget(services, request)
      return limited(services, request, () => runCall(services, request, target))
    },
  }
}

/** A scheme and something after it, without white space or control characters: a template must not see anything else. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{Cc}\p{Cs}]+$/u

function resourceTarget(services: Services, request: ServerRequest): CallTarget {
  const uri = request.params['uri'] as string
  const found = URI.test(uri) ? services.registry.findResource(uri, callerOf(request)) : undefined
  if (found === undefined) throw resourceNotFound(uri)
  const { entry } = found
  const given = entry.kind === 'template' ? found.variables : uri
  return new ResourceTarget(entry, uri, given, readHint(services.cacheHints, entry))
}

/** Runs `call` within the limiter's bounds, for as long as it takes. */
export function limited(services: Services, request: ServerRequest, call: () => Maybe<Answer>): Maybe<Answer> {
  const { limiter } = services
  if (limiter === undefined) return call()
  const slot = limiter.enter(request.principal)
  if (request.exchange.legacy?.request !== undefined) return within(new Place(limiter, slot, request), call)
  let running = false
  try {
    const answer = call()
    running = answer instanceof Promise
    return answer instanceof Promise ? leaving(answer, () => limiter.leave(slot)) : answer
  } finally {
    if (!running) limiter.leave(slot)
  }
}

async function within(place: Place, call: () => Maybe<Answer>): Promise<Answer> {
  try {
    return await call()
  } finally {
    place.leave()
  }
}

/** `finally`, with one promise in place of its four. */
function leaving<T>(answer: Promise<T>, leave: () => void): Promise<T> {
  return answer.then(
    (given) => {
      leave()
      return given
    },
    (error: unknown) => {
      leave()
      return Promise.reject(error)
    },
  )
}

function checkNamed(params: JsonObject): void {
  if (typeof params['name'] !== 'string') throw invalid('name must be a string')
  const args = params['arguments']
  if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args))) {
    throw invalid('arguments must be an object')
  }
}

function nameOf(params: JsonObject): string {
  return params['name'] as string
}

function unknown(kind: string, name: string): WireError {
  return new WireError('INVALID_PARAMS', `Unknown ${kind}: ${quoted(name)}`)
}

function invalid(reason: string): WireError {
  return new WireError('INVALID_PARAMS', `Invalid params: ${reason}`)
}
