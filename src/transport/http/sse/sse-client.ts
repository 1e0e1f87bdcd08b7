import type { Logger } from '../../../server/log.ts'
import { Connection } from '../../connection.ts'
import { oneLine } from '../../one-line.ts'
import type { Receiver } from '../../receiver.ts'
import { EventStream } from '../event-stream.ts'
import type { Caller } from '../http-message.ts'

/** A client of the old pair: all that it is sent goes out on the one stream that it opened. */
export class SseClient {
  readonly id = globalThis.crypto.randomUUID()
  readonly principal: string
  readonly stream: EventStream
  readonly connection: Connection

  constructor(receiver: Receiver, { principal, auth }: Caller, log: Logger, heldLimit: number | undefined) {
    this.principal = principal
    this.stream = new EventStream(this, heldLimit, toEvent)
    // A reference to the stream's own address, wherever a framework has mounted it.
    this.stream.notify(`${ENDPOINT}?sessionId=${this.id}\n\n`)
    this.connection = new Connection(receiver, this.stream.outbox, { principal, auth, log })
  }

  /** Its stream is gone, and its calls with it. */
  end(reason: string): void {
    this.connection.cancelAll(reason)
    this.stream.close()
  }
}

/** The first event of a stream; no message begins so. */
const ENDPOINT = 'event: endpoint\ndata: '

function toEvent(message: string): string {
  return message.startsWith(ENDPOINT) ? message : `event: message\ndata: ${oneLine(message)}\n\n`
}
