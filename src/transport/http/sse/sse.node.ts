import type { IncomingMessage } from 'node:http'
import { ABOVE_ZERO, checkOptions, FROM_ZERO, type OptionKinds } from '../../../errors/option-check.ts'
import { host, type Timer } from '../../../replay/host.ts'
import { checkReceiver, type Receiver } from '../../receiver.ts'
import { HTTP_OPTIONS } from '../http-options.ts'
import { handlerOf, type NodeHandler } from '../node.node.ts'
import { SseHandler, type SseOptions } from './sse-handler.ts'

/** The old pair, to be mounted beside the endpoint. */
export interface SseNodeHandler extends NodeHandler {
  /** Lets running calls finish within `deadline` milliseconds (10 s by default), and ends every stream. */
  close(options?: { readonly deadline?: number }): Promise<void>
}

const {
  path,
  principal,
  challenge,
  cors,
  origins,
  hosts,
  maxBodyBytes,
  log,
  keepAlive,
  heldLimit,
  unreadAfter,
  clock,
} = HTTP_OPTIONS
const OPTIONS: OptionKinds<SseOptions<IncomingMessage>> = {
  path,
  principal,
  challenge,
  cors,
  origins,
  hosts,
  maxBodyBytes,
  log,
  max: ABOVE_ZERO,
  keepAlive,
  heldLimit,
  unreadAfter,
  clock,
}
const CLOSING: OptionKinds<{ readonly deadline?: number }> = { deadline: FROM_ZERO }
const DEADLINE = 10_000

/**
 * Serves the HTTP+SSE transport of 2024-11-05, for clients that know no other: GET and POST at one path of its own.
 *
 * @throws RondoError `CONFIG_INVALID` for an option there is none of, or that cannot be used
 * @see basic/transports of 2024-11-05, "HTTP with SSE"
 */
export function sseHandler(receiver: Receiver, options: SseOptions<IncomingMessage> = {}): SseNodeHandler {
  checkReceiver(receiver, 'sseHandler()')
  checkOptions(options, OPTIONS, 'sseHandler()')
  const door = new SseHandler(receiver, options)
  const close = async (closing: { readonly deadline?: number } = {}): Promise<void> => {
    checkOptions(closing, CLOSING, 'close()')
    await door.close((calls) => within(closing.deadline ?? DEADLINE, calls))
  }
  return Object.assign(handlerOf(door), { close })
}

async function within(deadline: number, done: Promise<unknown>): Promise<void> {
  let timer: Timer
  const late = new Promise<void>((resolve) => (timer = host.setTimer(resolve, deadline)))
  await Promise.race([done, late])
  host.clearTimer(timer)
}
