import { type JsonObject } from '../jsonrpc/messages.ts'
import { type Duration, milliseconds } from '../server/duration.ts'
import { type InProcessServer } from '../transport/memory/client.ts'
import { type Script } from './script.ts'
import { type TestRound } from './test-round.ts'
import { send, type WireReply, type WireSetting } from './test-wire.ts'

/** A way to turn a token against the server that gave it. Ways can be put together. */
export interface Turn {
  /** Change the token: one character of it, or as the function says. */
  readonly tamper?: true | ((token: string) => string)
  /** Send it with other arguments of the tool or prompt. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Send it to another tool or prompt, or (as `uri`) another resource. */
  readonly name?: string
  readonly uri?: string
  /** Send it as somebody else. */
  readonly principal?: string
  /** Send it so much later. The kit's clock stays where it is. */
  readonly after?: Duration
  /** Send it to another server object, such as one that shares the keys. */
  readonly instance?: InProcessServer
  /** Send it with these answers; by default none. */
  readonly answers?: Script
}

/** What came of it. */
export interface Turned {
  /** Whether the server refused the token, in the one way that tells nothing. */
  readonly refused: boolean
  /** Why, as the server's log says and no client learns. */
  readonly reason: string | undefined
  /** The JSON-RPC error, if it was answered with one. */
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
  /** The result, if it was answered with one. */
  readonly result: JsonObject | undefined
}

/** Sends a round's token in the way given. */
export async function turn(
  setting: WireSetting,
  round: TestRound,
  way: Turn,
  answers: Readonly<Record<string, unknown>>,
): Promise<Turned> {
  const { tamper, principal, after, instance } = way
  const later = after === undefined ? 0 : milliseconds(after, 'after')
  const token = round.token === undefined || tamper === undefined ? round.token : tampered(round.token, tamper)
  const params: JsonObject = { ...round.request.params }
  for (const member of ['arguments', 'name', 'uri'] as const)
    if (way[member] !== undefined) params[member] = way[member]
  if (token !== undefined) params['requestState'] = token
  if (Object.keys(answers).length > 0) params['inputResponses'] = answers
  const reply = await send(
    {
      ...setting,
      ...(instance && { server: instance }),
      ...(principal !== undefined && { principal }),
      now: () => setting.now() + later,
    },
    round.request.method,
    params,
  )
  return turned(reply)
}

/** The ways that every token should withstand, by name. */
export function everyTurn(round: TestRound, principal: string): Readonly<Record<string, Turn>> {
  const args = round.request.params['arguments']
  return {
    tampered: { tamper: true },
    truncated: { tamper: (token) => token.slice(0, -4) },
    'of another principal': { principal: `${principal}-not` },
    expired: { after: '366 d' },
    ...('name' in round.request.params && {
      'with other arguments': { arguments: { ...(args as object | undefined), 'rondo-turned': 'x' } },
    }),
  }
}

function tampered(token: string, how: true | ((token: string) => string)): string {
  if (how !== true) return how(token)
  const at = Math.floor((token.length * 2) / 3)
  const other = token[at] === 'A' ? 'B' : 'A'
  return token.slice(0, at) + other + token.slice(at + 1)
}

function turned({ result, error, log }: WireReply): Turned {
  const refusal = log.find(({ code }) => code === 'state-refused')
  const reason = (refusal?.data as { reason?: string } | undefined)?.reason
  return { refused: refusal !== undefined && error !== undefined, reason, error, result }
}
