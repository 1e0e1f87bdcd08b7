import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of replies that one connection may leave unread before it gets another. */
export const MOST_UNREAD = 16 * 1024 * 1024

const unread = new WeakMap<Socket, number>()

/**
 * Watches over a reply that is written to its end, so that nobody who does not read keeps it in memory: `gone` is called,
 * once, when the reader takes nothing of it for `patience` milliseconds, or leaves too much of those before it. A reply
 * that the operating system took at once, as nearly all are, costs nothing.
 *
 * @param bytes of the reply
 */
export function watchReader(response: ServerResponse, bytes: number, patience: number, gone: () => void): void {
  const { socket } = response.req
  // Without a socket of its own it waits for those before it on its connection.
  if (response.destroyed || (response.socket !== null && socket.writableLength === 0)) return
  const before = unread.get(socket) ?? 0
  if (before > MOST_UNREAD) return gone()
  unread.set(socket, before + bytes)
  response.once('close', () => unread.set(socket, (unread.get(socket) ?? bytes) - bytes))
  const usual = socket.timeout ?? 0
  // Before Node's own listener, which sets the time that the connection may then stay idle, or lets the next reply begin.
  response.prependOnceListener('finish', () => socket.setTimeout(usual))
  // Node starts the time when the reply's turn comes, and again whenever some of it was taken.
  response.setTimeout(patience, gone)
}
