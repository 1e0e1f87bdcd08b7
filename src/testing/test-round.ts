import { askKind } from '../client/answer-check.ts'
import { type AskKind } from '../client/handlers.ts'
import { readRound } from '../client/result-reading.ts'
import { type InputRequest, type OriginalRequest } from '../client/round.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonRpcNotification } from '../jsonrpc/messages.ts'
import { type ElicitRequestFormParams, type ElicitRequestURLParams } from '../protocol/elicitation.ts'
import { type CreateMessageRequestParams } from '../protocol/sampling.ts'
import { type ServerLog } from '../server/log.ts'
import { type JournalView, journalView } from './journal-view.ts'
import { type WireReply } from './test-wire.ts'

/** A round of a call that ended with asks, or that put the caller off. */
export class TestRound {
  readonly kind = 'input_required'
  /** Which of the call's rounds it is; the first is 1. */
  readonly number: number
  readonly request: OriginalRequest
  /** The asks by their keys on the wire; none for a state-only round. */
  readonly asks: Readonly<Record<string, InputRequest>>
  /** The `requestState`, if there is one. */
  readonly token: string | undefined
  /** When the token expires, by the kit's clock. */
  readonly expires: Date | undefined
  /** What the token carries; `undefined` where the handler wrote the state itself. */
  readonly journal: JournalView | undefined
  /** What the server logged of this round. */
  readonly log: readonly ServerLog[]
  /** Progress and log messages of this round. */
  readonly notifications: readonly JsonRpcNotification[]

  constructor(number: number, request: OriginalRequest, reply: WireReply) {
    const round = readRound(reply.result ?? {}, request, number, {})
    this.number = number
    this.request = request
    this.asks = round.asks
    this.token = round.token
    this.expires = round.expires === undefined ? undefined : new Date(round.expires)
    this.journal = reply.journal === undefined ? undefined : journalView(reply.journal)
    this.log = reply.log
    this.notifications = reply.notifications
  }

  /** Keys of the asks. */
  get keys(): string[] {
    return Object.keys(this.asks)
  }

  /** Bytes of the token. */
  get tokenBytes(): number {
    return new TextEncoder().encode(this.token ?? '').length
  }

  /** The text of an ask that a person reads. */
  message(key: string): string | undefined {
    const message = Object.hasOwn(this.asks, key) ? this.asks[key]?.params?.['message'] : undefined
    return typeof message === 'string' ? message : undefined
  }

  /**
   * What is asked with a form: its message and its schema.
   *
   * @throws RondoError `CONFIG_INVALID` when no form is asked under this key
   */
  form(key: string): ElicitRequestFormParams {
    return this.#params(key, ['form']) as unknown as ElicitRequestFormParams
  }

  /** What is asked with a page: its message and its URL. Throws as {@link form} does. */
  url(key: string): ElicitRequestURLParams {
    return this.#params(key, ['url']) as unknown as ElicitRequestURLParams
  }

  /** What a model is asked. Throws as {@link form} does. */
  sample(key: string): CreateMessageRequestParams {
    return this.#params(key, ['sample', 'sampleWithTools']) as unknown as CreateMessageRequestParams
  }

  #params(key: string, kinds: readonly AskKind[]): object {
    const ask = Object.hasOwn(this.asks, key) ? this.asks[key] : undefined
    const kind = ask && askKind(ask)
    if (kind !== undefined && kinds.includes(kind)) return ask?.params ?? {}
    const asked = this.keys.map((one) => `"${one}" (${askKind(this.asks[one] as InputRequest)})`).join(', ')
    throw new RondoError(
      'CONFIG_INVALID',
      `Round ${this.number} asks no ${kinds[0]} "${key}". It asks ${asked || 'nothing'}.`,
    )
  }
}
