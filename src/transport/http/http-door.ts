import type { Caller, HttpReply, HttpRequest, ReplyTaker } from './http-message.ts'

/** What an adapter carries requests to, and replies from: {@link admit} before the body is read, {@link answer} after. */
export interface HttpDoor<Raw = unknown> {
  /** Longest body that is read, in bytes. */
  readonly maxBodyBytes: number
  /** Milliseconds that a client may read nothing of a reply. */
  readonly patience: number
  /** Whether nothing new is let in: replies should end their connection. */
  readonly closing: boolean
  /** Whether a request's path is one that is served here. */
  serves(url: string): boolean
  /** The caller of a request that may go on, or the reply that refuses it. */
  admit(request: HttpRequest<Raw>): Caller | HttpReply | Promise<Caller | HttpReply>
  /**
   * Takes the body of an admitted request: JSON text, or a value that a framework parsed.
   *
   * @returns the reply, or `undefined`: `taker` is given it later.
   */
  answer(request: HttpRequest<Raw>, caller: Caller, body: unknown, taker: ReplyTaker): HttpReply | undefined
  /** The reply to a body longer than {@link maxBodyBytes}. */
  tooLarge(request: HttpRequest): HttpReply
  /** The reply to a body that is no text. */
  notUtf8(request: HttpRequest): HttpReply
  /** Says that a reply could not be given, or not be sent. */
  failed(error: unknown): void
  /** Says that a client was given up, since it read nothing of its reply. */
  unread(): void
}
