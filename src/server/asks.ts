import type { JsonObject } from '../jsonrpc/messages.ts'
import type { AskSpec } from '../replay/ask.ts'
import type { Ask, AskOptions, ChoiceList, FormAnswer, OrEnd, UrlAnswer } from './ask.ts'
import { authoredForm, type AskForm, formSpec, rootsSpec, sampleSpec, urlSpec, valueForm } from './ask-specs.ts'
import { MappedAsk } from './mapped-ask.ts'

/** What asks need of the call that puts them. */
export interface Asking {
  ask<A>(spec: AskSpec<A>): PromiseLike<A>
  /** Ends the call because of `error` and parks the caller (E4). */
  failed(error: unknown): PromiseLike<never>
  /** Ends the call because a person did not accept an ask with `orEnd`, and parks the caller. */
  declined(text: string): PromiseLike<never>
  /** `name` within its scope. */
  named(name: string): string
  /** Told of properties of a form that look like secrets. */
  onSecrets(name: string, fields: readonly string[]): void
}

type Loose = AskOptions & Partial<OrEnd>
type Value<T> = { readonly value: T }

/** The asks of one context. */
export function createAsk(call: Asking): Ask {
  return new Asks(call) as unknown as Ask
}

/** Its methods come from getters, so that they may be taken off it and only those that are used are made (E1). */
class Asks {
  readonly #call: Asking

  constructor(call: Asking) {
    this.#call = call
  }

  get form() {
    return (key: string, question: Loose & { message: string; schema: never }) => {
      const { message, schema } = question
      const asked = this.#form(key, message, () => authoredForm(schema), question)
      return this.#settle(asked, question, contentOf)
    }
  }

  get url() {
    return (key: string, question: Loose & { message: string; url: string }) => {
      const asked = this.#put(() => urlSpec(this.#call.named(key), question.message, question.url, question))
      return this.#settle<void, UrlAnswer>(asked, question, () => undefined)
    }
  }

  get confirm() {
    return (key: string, message: string, options: Loose & { title?: string; default?: boolean } = {}) => {
      const property = () => ({ type: 'boolean', ...picked(options, ['title', 'default']) })
      return new MappedAsk(this.#short<boolean>(key, message, property, options), (answer) => {
        if (answer.action === 'accept') return answer.content
        return options.orEnd === undefined ? false : this.#call.declined(options.orEnd)
      })
    }
  }

  get choice() {
    return (key: string, message: string, list: ChoiceList<string>, options: Loose & ChoiceShape = {}) => {
      const property = () => (options.multiple === true ? multiProperty(list, options) : choiceProperty(list, options))
      return this.#settle(this.#short<unknown>(key, message, property, options), options, contentOf)
    }
  }

  get text() {
    return (key: string, message: string, options: Loose & JsonObject = {}) => {
      const names = ['title', 'default', 'minLength', 'maxLength', 'format']
      const property = () => ({ type: 'string', ...picked(options, names) })
      return this.#settle(this.#short<string>(key, message, property, options), options, contentOf)
    }
  }

  get number() {
    return (key: string, message: string, options: Loose & JsonObject = {}) => {
      const property = () => ({
        type: options.integer === true ? 'integer' : 'number',
        ...picked(options, ['title', 'default', 'minimum', 'maximum']),
      })
      return this.#settle(this.#short<number>(key, message, property, options), options, contentOf)
    }
  }

  get sample() {
    return (key: string, params: Parameters<Ask['sample']>[1], options: AskOptions = {}) =>
      this.#put(() => sampleSpec(this.#call.named(key), params, options))
  }

  get roots() {
    return (key = 'roots') => this.#put(() => rootsSpec(this.#call.named(key)))
  }

  #put<A>(spec: () => AskSpec<A>): PromiseLike<A> {
    let ready: AskSpec<A>
    try {
      ready = spec()
    } catch (error) {
      return this.#call.failed(error)
    }
    return this.#call.ask(ready)
  }

  #form(key: string, message: string, make: () => AskForm, options: Loose) {
    return this.#put(() => {
      const name = this.#call.named(key)
      const form = make()
      if (form.secrets.length > 0) this.#call.onSecrets(name, form.secrets)
      return formSpec<unknown>(name, message, form, options)
    })
  }

  #short<T>(key: string, message: string, property: () => JsonObject, options: Loose) {
    return new MappedAsk(
      this.#form(key, message, () => valueForm(property()), options),
      (answer): FormAnswer<T> =>
        answer.action === 'accept' ? { action: 'accept', content: (answer.content as Value<T>).value } : answer,
    )
  }

  /** The answer itself or, with `orEnd`, what was accepted. */
  #settle<C, A>(ask: PromiseLike<A>, options: Loose, accepted: (answer: A) => C | undefined) {
    const { orEnd } = options
    if (orEnd === undefined) return ask
    return new MappedAsk(ask, (answer) =>
      (answer as { action: string }).action === 'accept' ? (accepted(answer) as C) : this.#call.declined(orEnd),
    )
  }
}

interface ChoiceShape {
  readonly multiple?: true
  readonly title?: string
  readonly default?: unknown
  readonly min?: number
  readonly max?: number
}

function contentOf<T>(answer: FormAnswer<T>): T | undefined {
  return answer.action === 'accept' ? answer.content : undefined
}

function picked(options: object, names: readonly string[]): JsonObject {
  const entries = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined)
  return Object.fromEntries(entries)
}

function choiceProperty(list: ChoiceList<string>, options: ChoiceShape): JsonObject {
  return { type: 'string', ...listed(list, 'oneOf'), ...picked(options, ['title', 'default']) }
}

function multiProperty(list: ChoiceList<string>, options: ChoiceShape): JsonObject {
  const items = Array.isArray(list) ? { type: 'string', enum: list } : listed(list, 'anyOf')
  return {
    type: 'array',
    items,
    ...picked(options, ['title', 'default']),
    ...(options.min === undefined ? {} : { minItems: options.min }),
    ...(options.max === undefined ? {} : { maxItems: options.max }),
  }
}

function listed(list: ChoiceList<string>, titled: 'oneOf' | 'anyOf'): JsonObject {
  if (Array.isArray(list)) return { enum: list }
  return { [titled]: Object.entries(list).map(([value, title]) => ({ const: value, title })) }
}
