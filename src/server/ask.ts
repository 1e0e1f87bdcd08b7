import type { CreateMessageRequestParams, CreateMessageResult } from '../protocol/sampling.ts'
import type { ListRootsResult } from '../protocol/roots.ts'
import type { InferOutput, Schema } from '../protocol/standard-schema.ts'
import type { Duration } from './duration.ts'

/** What a person did with a form: the type checker makes the author look. */
export type FormAnswer<T> =
  { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' } | { readonly action: 'cancel' }

/** What a person did with a URL ask. */
export type UrlAnswer = { readonly action: 'accept' } | { readonly action: 'decline' } | { readonly action: 'cancel' }

/** Options every ask takes. */
export interface AskOptions {
  /** How long the ask stays open; after that it comes back as cancelled. */
  readonly within?: Duration
  /**
   * What an answer is pinned to (E16): the question word for word (`strict`, the default), its schema alone, or the key
   * alone.
   */
  readonly pin?: 'strict' | 'schema' | 'key'
}

/** Ends the call with this text unless the person accepts; the ask then gives the content alone. */
export interface OrEnd {
  readonly orEnd: string
}

export interface FormQuestion<S extends Schema> extends AskOptions {
  readonly message: string
  /** A flat object schema of texts, numbers, yes/no and choices (client/elicitation, "Requested Schema"). */
  readonly schema: S
}

export interface UrlQuestion extends AskOptions {
  readonly message: string
  /** Absolute `https:` or `http:` URL. */
  readonly url: string
}

export interface ConfirmOptions extends AskOptions {
  readonly title?: string
  readonly default?: boolean
}

export interface ChoiceOptions<V extends string> extends AskOptions {
  readonly title?: string
  readonly default?: V
}

export interface ChoicesOptions<V extends string> extends AskOptions {
  readonly multiple: true
  readonly title?: string
  readonly default?: readonly V[]
  readonly min?: number
  readonly max?: number
}

export interface TextOptions extends AskOptions {
  readonly title?: string
  readonly default?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: 'email' | 'uri' | 'date' | 'date-time'
}

export interface NumberOptions extends AskOptions {
  readonly title?: string
  readonly default?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly integer?: boolean
}

/** Options of a choice: values, or titles by value. */
export type ChoiceList<V extends string> = readonly V[] | Readonly<Record<V, string>>

/**
 * Asks, by kind. Each gives a `PromiseLike`: nothing is sent until it is awaited, and asks awaited together go out in one
 * round (E1, E2). The first argument is the ask's key, unique within the call.
 */
export interface Ask {
  form<S extends Schema>(key: string, question: FormQuestion<S> & OrEnd): PromiseLike<InferOutput<S>>
  form<S extends Schema>(key: string, question: FormQuestion<S>): PromiseLike<FormAnswer<InferOutput<S>>>

  /** Sends the person to a URL; the answer says only that they agreed to open it. */
  url(key: string, question: UrlQuestion & OrEnd): PromiseLike<void>
  url(key: string, question: UrlQuestion): PromiseLike<UrlAnswer>

  /** True only when the person accepted and said yes. */
  confirm(key: string, message: string, options?: ConfirmOptions & Partial<OrEnd>): PromiseLike<boolean>

  choice<const V extends string>(
    key: string,
    message: string,
    options: ChoiceList<V>,
    more: ChoicesOptions<V> & OrEnd,
  ): PromiseLike<V[]>
  choice<const V extends string>(
    key: string,
    message: string,
    options: ChoiceList<V>,
    more: ChoicesOptions<V>,
  ): PromiseLike<FormAnswer<V[]>>
  choice<const V extends string>(
    key: string,
    message: string,
    options: ChoiceList<V>,
    more: ChoiceOptions<V> & OrEnd,
  ): PromiseLike<V>
  choice<const V extends string>(
    key: string,
    message: string,
    options: ChoiceList<V>,
    more?: ChoiceOptions<V>,
  ): PromiseLike<FormAnswer<V>>

  text(key: string, message: string, options: TextOptions & OrEnd): PromiseLike<string>
  text(key: string, message: string, options?: TextOptions): PromiseLike<FormAnswer<string>>

  number(key: string, message: string, options: NumberOptions & OrEnd): PromiseLike<number>
  number(key: string, message: string, options?: NumberOptions): PromiseLike<FormAnswer<number>>

  /** Asks the client's model (deprecated in 2026-07-28 and still served). */
  sample(
    key: string,
    params: CreateMessageRequestParams,
    options?: Pick<AskOptions, 'pin'>,
  ): PromiseLike<CreateMessageResult>

  /** Asks for the client's roots. */
  roots(key?: string): PromiseLike<ListRootsResult>
}
