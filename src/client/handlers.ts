import {
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type FormValue,
} from '../protocol/elicitation.ts'
import { type ListRootsResult, type Root } from '../protocol/roots.ts'
import { type CreateMessageRequestParams, type CreateMessageResult } from '../protocol/sampling.ts'

/** Kinds of ask, named as `ctx.can` names them on the server. */
export type AskKind = 'form' | 'url' | 'sample' | 'sampleWithTools' | 'roots'

/** The call that an ask belongs to. */
export interface CallInfo {
  /** `tools/call`, `prompts/get` or `resources/read`. */
  readonly method: string
  /** Tool or prompt name, or the resource's URI. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>> | undefined
}

/** Who asks, as far as it is known. Names are what the server says of itself; `address` is what was connected to. */
export interface AskingServer {
  readonly address: string
  readonly name: string | undefined
  readonly title: string | undefined
  readonly version: string | undefined
}

/** What every ask's handler is given. */
export interface Ask<P> {
  /** The ask itself: the params of the embedded request. */
  readonly request: P
  /** The server's key for it within the round. */
  readonly key: string
  readonly call: CallInfo
  /** Which of the call's rounds asks it; the first is 1. */
  readonly round: number
  /** Which of the round's asks it is, in the server's order, and how many there are: 1 of 1 where it is the only one. */
  readonly place: { readonly at: number; readonly of: number }
  readonly server: AskingServer
  /** Aborts when the call is cancelled, or when another ask of the same round failed. */
  readonly signal: AbortSignal
}

/** A form ask, with a way to look at content before it is given as the answer. */
export interface FormAsk extends Ask<ElicitRequestFormParams> {
  /** `content` with the schema's defaults filled in where a property is absent. */
  fill(content?: Readonly<Record<string, FormValue | undefined>>): Record<string, FormValue>
  /** Why `content` does not fit the asked schema, or `undefined` when it does. */
  check(content: Readonly<Record<string, unknown>>): string | undefined
}

/** A URL ask. Nothing has been fetched or opened. */
export interface UrlAsk extends Ask<ElicitRequestURLParams> {
  /** Host of the URL, to be shown apart from the rest (client/elicitation, "Safe URL Handling"). */
  readonly host: string
}

type Answered<T> = T | Promise<T>

/**
 * What answers a server's asks. What the client declares follows from which are given: `onElicit` declares
 * `elicitation.form`, `onUrl` `elicitation.url`, `onSample` `sampling`, `onSampleWithTools` `sampling.tools`, `onRoots` `roots`.
 */
export interface Handlers {
  /** Put a form to a person. */
  onElicit?: ((ask: FormAsk) => Answered<ElicitResult>) | undefined
  /** Show a URL to a person and open it if they agree; `accept` means they agreed, not that they are done. */
  onUrl?: ((ask: UrlAsk) => Answered<ElicitResult>) | undefined
  /** Run a model. */
  onSample?: ((ask: Ask<CreateMessageRequestParams>) => Answered<CreateMessageResult>) | undefined
  /** Run a model that may use tools; also takes asks without tools when `onSample` is not given. */
  onSampleWithTools?: ((ask: Ask<CreateMessageRequestParams>) => Answered<CreateMessageResult>) | undefined
  /** Say which directories matter. */
  onRoots?: ((ask: Ask<undefined>) => Answered<ListRootsResult | readonly Root[]>) | undefined
}
