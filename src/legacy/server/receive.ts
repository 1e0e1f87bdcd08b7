import { WireError } from '../../errors/wire-error.ts'
import { parseMessage, type Parsed, parseValue } from '../../jsonrpc/parse.ts'
import { METHODS } from '../../protocol/methods.ts'
import type { Reply } from '../../server/exchange.ts'
import type { Maybe } from '../../server/maybe.ts'
import type { SessionRoute } from './session-call.ts'
import { type LegacySession, refusal } from './session.ts'

/** Messages that one batch may have. */
export const MAX_BATCH = 100

/** Takes what came to a session: one message or, in 2025-03-26, a batch of them. */
export function receive(session: LegacySession, message: unknown, route: SessionRoute): Maybe<Reply> {
  const parsed = read(message)
  if (parsed.kind !== 'invalid' || parsed.array !== true || session.revision !== '2025-03-26') {
    return session.take(parsed, route)
  }
  return receiveBatch(session, typeof message === 'string' ? JSON.parse(message) : message, route)
}

/** One message, of its text or of what was parsed of it. */
export function read(message: unknown): Parsed {
  return typeof message === 'string' ? parseMessage(message) : parseValue(message)
}

/** The replies to a batch go out as one, in the order of their requests (basic/index, "Batching", of 2025-03-26). */
function receiveBatch(session: LegacySession, batch: unknown, route: SessionRoute): Maybe<Reply> {
  const messages = batch as readonly unknown[]
  if (messages.length === 0) return refused('a batch has at least one message')
  if (messages.length > MAX_BATCH) return refused(`a batch has at most ${MAX_BATCH} messages`)
  const replies = messages.map((message) => {
    const parsed = parseValue(message)
    // basic/lifecycle, "Initialization": never part of a batch. A second one is refused in any case.
    return parsed.kind === 'request' && parsed.method === METHODS.initialize
      ? refused('initialize may not be part of a batch')
      : session.take(parsed, route)
  })
  return Promise.all(replies.map(async (reply) => reply)).then(joined)
}

function joined(replies: readonly Reply[]): Reply {
  const bodies = replies.flatMap(({ body }) => (body === undefined ? [] : [body]))
  if (bodies.length > 0) return { status: 200, body: `[${bodies.join(',')}]` }
  // Of a batch in which every request was cancelled there is nothing to say.
  return replies.some(({ status }) => status === 0) ? { status: 0, body: undefined } : { status: 202, body: undefined }
}

function refused(why: string): Reply {
  return refusal(undefined, new WireError('INVALID_REQUEST', `Invalid request: ${why}`))
}
