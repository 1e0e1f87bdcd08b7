import { type RoundMethod, type RoundResults } from '../client/round.ts'
import { type JsonRpcNotification } from '../jsonrpc/messages.ts'
import { type ContentBlock } from '../protocol/content.ts'
import { type CallToolResult } from '../protocol/tool.ts'
import { type ServerLog } from '../server/log.ts'
import { type TestRound } from './test-round.ts'

/** A call that came to its end. */
export class TestRun<M extends RoundMethod = RoundMethod> {
  readonly kind = 'complete'
  /** The rounds that asked or put off, in order; the one that ended the call is not among them. */
  readonly rounds: readonly TestRound[]
  /** The result, as on the wire. */
  readonly result: RoundResults[M]
  /** Keys of the script that answered nothing. */
  readonly unused: readonly string[]
  /** What the server logged of the last round. */
  readonly log: readonly ServerLog[]
  /** Progress and log messages of the last round. */
  readonly notifications: readonly JsonRpcNotification[]

  constructor(
    rounds: readonly TestRound[],
    result: RoundResults[M],
    unused: readonly string[],
    last: { readonly log: readonly ServerLog[]; readonly notifications: readonly JsonRpcNotification[] },
  ) {
    this.rounds = rounds
    this.result = result
    this.unused = unused
    this.log = last.log
    this.notifications = last.notifications
  }

  /** All its text: content blocks of a tool, messages of a prompt, contents of a resource; a line each. */
  get text(): string {
    const { content, messages, contents } = this.result as {
      content?: readonly ContentBlock[]
      messages?: readonly { readonly content: ContentBlock }[]
      contents?: readonly object[]
    }
    const parts: readonly object[] = content ?? messages?.map((message) => message.content) ?? contents ?? []
    return parts.flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : [])).join('\n')
  }

  /** Whether a tool said that it failed. */
  get isError(): boolean {
    return (this.result as Partial<CallToolResult>).isError === true
  }

  /** The structured result of a tool. */
  get structured(): unknown {
    return (this.result as Partial<CallToolResult>).structuredContent
  }
}
