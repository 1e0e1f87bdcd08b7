import type { JsonObject } from '../jsonrpc/messages.ts'
import { after, type Maybe } from './maybe.ts'
import { runMiddleware } from './middleware.ts'
import { CANCELLED, type Answer, type Operation } from './operation.ts'
import type { Outcome } from './outcome.ts'
import { RondoError } from '../errors/rondo-error.ts'
import type { ServerRequest } from './request.ts'
import { checkShape } from './result-shape.ts'
import type { Services } from './services.ts'

/**
 * Puts the server's middleware around an operation that cannot ask. The result's text is only parsed when
 * middleware looks at it, and only then written anew.
 */
export function aroundOperation(services: Services, operation: Operation): Operation {
  return {
    ...operation,
    run: (request) => {
      if (services.middleware.length === 0) return operation.run(request)
      return runAround(services, request, operation)
    },
  }
}

async function runAround(services: Services, request: ServerRequest, operation: Operation): Promise<Answer> {
  let text = ''
  let given: Outcome | undefined
  let read: JsonObject | undefined
  const inner = (): Maybe<Outcome> =>
    after(operation.run(request), (answer): Outcome => {
      if (answer === CANCELLED) return { kind: 'cancelled' }
      text = answer
      given = {
        kind: 'completed',
        get result() {
          return (read ??= JSON.parse(answer) as JsonObject)
        },
      }
      return given
    })
  const outcome = await runMiddleware(services.middleware, request, inner)
  switch (outcome.kind) {
    case 'completed':
      if (outcome === given && read === undefined) return text
      // What was looked at may have been changed.
      checkShape(request.method, outcome.result)
      return services.stamp.complete(outcome.result)
    case 'failed':
      throw outcome.error
    case 'cancelled':
      return CANCELLED
    case 'suspended':
      throw new RondoError(
        'RESULT_INVALID',
        `Middleware answered ${request.method} with an input-required result. Only tools/call, prompts/get and resources/read may have one.`,
      )
  }
}
