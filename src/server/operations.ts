import { WireError } from '../errors/wire-error.ts'
import { METHODS } from '../protocol/methods.ts'
import { aroundOperation } from './around.ts'
import { limited, promptsGet, resourcesRead, toolsCall } from './call-operations.ts'
import { completion } from './complete.ts'
import { discovery } from './discover.ts'
import { lists } from './lists.ts'
import type { Maybe } from './maybe.ts'
import type { Operation } from './operation.ts'
import type { ListKind } from './registry.ts'
import type { ServerRequest } from './request.ts'
import type { Services } from './services.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The methods of 2026-07-28 that a server answers, by name. */
export function coreOperations(
  services: Services,
  subscriptions: Subscriptions,
  instructions: string | undefined,
): Map<string, Operation> {
  const { registry, stamp, log, options, cacheHints } = services
  const discoveryOf = (changes: boolean): (() => string) =>
    discovery({
      registry,
      stamp,
      hint: cacheHints.discover,
      instructions,
      extensions: options.extensions,
      versions: services.revisions,
      changes,
    })
  const discover = discoveryOf(true)
  // Where a process ends with its request, nobody could be told of changes.
  const discoverThere = discoveryOf(false)
  const complete = completion(registry, stamp)
  const list = lists({ registry, stamp, hints: cacheHints, pageSize: options.pageSize, log })

  const plain = (run: (request: ServerRequest) => Maybe<string>): Operation => aroundOperation(services, { run })
  const offered = (kind: ListKind, run: (request: ServerRequest) => Maybe<string>): Operation =>
    plain((request) => {
      if (!registry.offers(kind)) throw new WireError('METHOD_NOT_FOUND', `This server has no ${kind}`)
      return run(request)
    })
  return new Map([
    [METHODS.serverDiscover, plain(({ exchange }) => (exchange.perRequestHost ? discoverThere() : discover()))],
    [METHODS.subscriptionsListen, aroundOperation(services, subscriptions.operation)],
    [METHODS.toolsList, offered('tools', list.tools)],
    [METHODS.promptsList, offered('prompts', list.prompts)],
    [METHODS.resourcesList, offered('resources', list.resources)],
    [METHODS.resourceTemplatesList, offered('resources', list.resourceTemplates)],
    [METHODS.toolsCall, toolsCall(services)],
    [METHODS.promptsGet, promptsGet(services)],
    [METHODS.resourcesRead, resourcesRead(services)],
    [
      METHODS.complete,
      aroundOperation(services, { run: (request) => limited(services, request, () => complete(request)) }),
    ],
  ])
}
