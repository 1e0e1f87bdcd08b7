import { RondoError } from '../errors/rondo-error.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { METHODS } from '../protocol/methods.ts'
import { type Round } from './round.ts'

const METHODS_OF_ROUNDS: readonly unknown[] = [METHODS.toolsCall, METHODS.promptsGet, METHODS.resourcesRead]

/**
 * Looks at a round that comes from outside: it may have been kept anywhere, and by anybody.
 *
 * @throws RondoError `CONFIG_INVALID` when it is none that waits for answers
 */
export function checkRound(round: unknown): asserts round is Round {
  if (isJsonObject(round)) {
    const { kind, request, round: number, asks, token, capabilities } = round
    const whole =
      isJsonObject(request) &&
      METHODS_OF_ROUNDS.includes(request['method']) &&
      isJsonObject(request['params']) &&
      Number.isSafeInteger(number) &&
      (token === undefined || typeof token === 'string') &&
      isJsonObject(capabilities) &&
      isJsonObject(asks) &&
      Object.values(asks).every(isJsonObject)
    if (kind === 'input_required' && whole) return
  }
  throw new RondoError(
    'CONFIG_INVALID',
    'Only a round of the kind "input_required" can be resumed: what startTool() or resume() gave, as it was, or parsed from its JSON.',
  )
}
