import { WireError } from '../errors/wire-error.ts'
import { METHODS } from '../protocol/methods.ts'
import { aroundOperation } from './around.ts'
import { serverCapabilities } from './discover.ts'
import type { Operation } from './operation.ts'
import type { ServerRequest } from './request.ts'
import { resourceNotFound } from './resource-target.ts'
import type { Services } from './services.ts'
import { callerOf } from './visible.ts'

const MODERN_ONLY: ReadonlySet<string> = new Set([METHODS.serverDiscover, METHODS.subscriptionsListen])

/** Whether revisions with `initialize` have no method of this name. */
export function isModernOnly(method: string): boolean {
  return MODERN_ONLY.has(method)
}

/**
 * The methods that only revisions with `initialize` have, as far as they look at what the server offers. The rest is the
 * session's own.
 */
export function legacyOperations(services: Services, instructions: string | undefined): Map<string, Operation> {
  const { registry, stamp, options } = services
  const initialize = ({ exchange }: ServerRequest): string =>
    JSON.stringify({
      protocolVersion: exchange.legacy?.protocolVersion,
      // Where a process ends with its request, nobody could be told later.
      capabilities: serverCapabilities(registry, {
        extensions: options.extensions,
        changes: exchange.perRequestHost !== true,
      }),
      serverInfo: stamp.info,
      instructions,
    })
  const subscribe = (request: ServerRequest): string => {
    const uri = uriOf(request)
    if (!registry.knows(uri, callerOf(request))) throw resourceNotFound(uri)
    request.exchange.legacy?.subscribe?.(uri)
    return '{}'
  }
  const unsubscribe = (request: ServerRequest): string => {
    request.exchange.legacy?.unsubscribe?.(uriOf(request))
    return '{}'
  }
  const plain = (run: (request: ServerRequest) => string): Operation => aroundOperation(services, { run })
  return new Map([
    [METHODS.initialize, plain(initialize)],
    [METHODS.resourcesSubscribe, plain(subscribe)],
    [METHODS.resourcesUnsubscribe, plain(unsubscribe)],
  ])
}

/** @throws WireError `INVALID_PARAMS` */
function uriOf({ params }: ServerRequest): string {
  const { uri } = params
  if (typeof uri === 'string') return uri
  throw new WireError('INVALID_PARAMS', 'Invalid params: uri must be a string')
}
