import { WireError } from '../errors/wire-error.ts'
import {
  mergeCapabilities,
  missingCapabilities,
  requiredForInputRequest,
  type CapabilityBearer,
  type ClientCapabilities,
} from '../protocol/capabilities.ts'

/**
 * The error for asks that exceed what this request declares: everything missing over all of them, merged (E11; basic/index,
 * "Per-request protocol fields").
 *
 * @returns `undefined` when every ask is covered.
 */
export function uncovered(
  asks: Iterable<readonly [key: string, ask: unknown]>,
  declared: ClientCapabilities,
): WireError | undefined {
  let requiredCapabilities: ClientCapabilities = {}
  const keys: string[] = []
  for (const [key, ask] of asks) {
    const missing = missingCapabilities(requiredForInputRequest(ask as CapabilityBearer), declared)
    if (Object.keys(missing).length === 0) continue
    keys.push(key)
    requiredCapabilities = mergeCapabilities(requiredCapabilities, missing)
  }
  if (keys.length === 0) return undefined
  return new WireError('CAPABILITY_MISSING', `The client did not declare what it takes to answer: ${keys.join(', ')}`, {
    data: { requiredCapabilities },
  })
}
