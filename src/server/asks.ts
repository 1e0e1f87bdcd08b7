import { errorText } from '../errors/error-text.ts'
import { isRondoError } from '../errors/rondo-error.ts'
import { kindOf } from '../errors/value-text.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { AskSpec } from '../replay/ask.ts'
import { type AskName, checkAskOptions } from './ask-options.ts'
import type { Ask, AskOptions, ChoiceList, FormAnswer, OrEnd, UrlAnswer } from './ask.ts'
import { authoredForm, type AskForm, formSpec, rootsSpec, sampleSpec, urlSpec, valueForm } from './ask-specs.ts'
import { MappedAsk } from './mapped-ask.ts'
import { booleanProperty, choiceProperty, numberProperty, textProperty, unusable } from './short-forms.ts'

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

/** Options, and questions, that were not given. */
const NONE: Loose = Object.freeze({})

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
    return this.#guarded((key: string, question: (Loose & { message?: string; schema?: never }) | null = NONE) => {
      const given = question ?? NONE
      const { message, schema } = given as { message?: string; schema?: never }
      const asked = this.#form(key, message, 'form', () => authoredForm(schema as never), given)
      return this.#settle(asked, given, contentOf)
    })
  }

  get url() {
    return this.#guarded((key: string, question: (Loose & { message?: string; url?: string }) | null = NONE) => {
      const given = question ?? NONE
      const { message, url } = given as { message?: string; url?: string }
      const asked = this.#put(() => {
        checkAskOptions(given, 'url')
        return urlSpec(this.#call.named(key), textOf(message), url as string, given)
      })
      return this.#settle<void, UrlAnswer>(asked, given, () => undefined)
    })
  }

  get confirm() {
    return this.#guarded((key: string, message: string, given?: Loose | null) => {
      const options = given ?? NONE
      return new MappedAsk(this.#short<boolean>(key, message, 'confirm', booleanProperty, options), (answer) => {
        if (answer.action === 'accept') return answer.content
        return options.orEnd === undefined ? false : this.#call.declined(options.orEnd)
      })
    })
  }

  get choice() {
    return this.#guarded((key: string, message: string, list: ChoiceList<string>, given?: Loose | null) => {
      const options = given ?? NONE
      const property = () => choiceProperty(list, options)
      const ask = (options as { multiple?: unknown }).multiple === true ? 'choices' : 'choice'
      return this.#settle(this.#short<unknown>(key, message, ask, property, options), options, contentOf)
    })
  }

  get text() {
    return this.#guarded((key: string, message: string, given?: Loose | null) => {
      const options = given ?? NONE
      return this.#settle(this.#short<string>(key, message, 'text', textProperty, options), options, contentOf)
    })
  }

  get number() {
    return this.#guarded((key: string, message: string, given?: Loose | null) => {
      const options = given ?? NONE
      return this.#settle(this.#short<number>(key, message, 'number', numberProperty, options), options, contentOf)
    })
  }

  get sample() {
    return this.#guarded((key: string, params: Parameters<Ask['sample']>[1], options: AskOptions | null = NONE) =>
      this.#put(() => {
        const given = options ?? NONE
        checkAskOptions(given, 'sample')
        return sampleSpec(this.#call.named(key), params, given)
      }),
    )
  }

  get roots() {
    return this.#guarded((key?: string) => this.#put(() => rootsSpec(this.#call.named(key ?? 'roots'))))
  }

  /** What is thrown while a question is read, a getter's throw too, ends the call in place of reaching the handler (E4). */
  #guarded<A extends unknown[], R>(ask: (...args: A) => R): (...args: A) => R | PromiseLike<never> {
    return (...args) => {
      try {
        return ask(...args)
      } catch (error) {
        return this.#call.failed(isRondoError(error) ? error : unusable(errorText(error), error))
      }
    }
  }

  #put<A>(spec: () => AskSpec<A>): PromiseLike<A> {
    return this.#call.ask(spec())
  }

  #form(key: string, given: string | undefined, ask: AskName, make: () => AskForm, options: Loose) {
    return this.#put(() => {
      const name = this.#call.named(key)
      const message = textOf(given)
      checkAskOptions(options, ask)
      const form = make()
      if (form.secrets.length > 0) this.#call.onSecrets(name, form.secrets)
      return formSpec<unknown>(name, message, form, options)
    })
  }

  #short<T>(key: string, message: string, ask: AskName, property: (options: object) => JsonObject, options: Loose) {
    return new MappedAsk(
      this.#form(key, message, ask, () => valueForm(property(options)), options),
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

/** @throws RondoError `ASK_SCHEMA` for what is no text: it would not be JSON on the wire. */
function textOf(message: unknown): string {
  if (typeof message === 'string') return message
  throw unusable(`its message is ${message === undefined ? 'missing' : `no text but ${kindOf(message)}`}`)
}

function contentOf<T>(answer: FormAnswer<T>): T | undefined {
  return answer.action === 'accept' ? answer.content : undefined
}
