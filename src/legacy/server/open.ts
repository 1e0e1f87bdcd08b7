import { WireError } from '../../errors/wire-error.ts'
import { isJsonObject } from '../../jsonrpc/json-object.ts'
import type { Parsed } from '../../jsonrpc/parse.ts'
import { META } from '../../protocol/meta.ts'
import { METHODS } from '../../protocol/methods.ts'
import { isLegacyRevision, type LegacyRevision, type Revision } from '../../protocol/revisions.ts'
import type { Reply } from '../../server/exchange.ts'
import type { Maybe } from '../../server/maybe.ts'
import type { SessionRoute } from './session-call.ts'
import { type LegacyServer, LegacySession, refusal } from './session.ts'

/** Revisions that begin with `initialize`, newest first. */
export type LegacyRevisions = readonly [LegacyRevision, ...LegacyRevision[]]

/** Those of the served revisions that begin with `initialize`; `undefined` when there are none. */
export function legacyRevisions(served: readonly Revision[] | undefined): LegacyRevisions | undefined {
  const [newest, ...older] = (served ?? []).filter(isLegacyRevision)
  return newest === undefined ? undefined : [newest, ...older]
}

/** Whether a message says of itself that it is of 2026-07-28 or later. */
export function isOfModernEra(message: unknown): boolean {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return false
  const meta = message['params']['_meta']
  return isJsonObject(meta) && meta[META.protocolVersion] !== undefined
}

/** Whether a message begins a session. */
export function isInitialize(message: unknown): boolean {
  return isJsonObject(message) && message['method'] === METHODS.initialize && !isOfModernEra(message)
}

/** What came of an `initialize` request. */
export interface Opening {
  /** `undefined` when it was refused at once. */
  readonly session: LegacySession | undefined
  readonly reply: Maybe<Reply>
}

/**
 * Begins a session in the revision that an `initialize` request asks for where that is served, else in the newest that is
 * (basic/lifecycle, "Version Negotiation").
 */
export function openSession(
  server: LegacyServer,
  served: LegacyRevisions,
  request: Extract<Parsed, { kind: 'request' }>,
  route: SessionRoute,
): Opening {
  const requested = request.params?.['protocolVersion']
  if (typeof requested !== 'string') {
    const error = new WireError('INVALID_PARAMS', 'Invalid params: protocolVersion must be a string')
    return { session: undefined, reply: refusal(request.id, error) }
  }
  const revision = served.find((one) => one === requested) ?? served[0]
  const session = new LegacySession(server, revision, request.params)
  return { session, reply: session.open(request, route) }
}
