import type { JsonObject } from '../jsonrpc/messages.ts'
import type { RequestedSchema } from '../protocol/elicitation.ts'
import type { AskSpec } from '../replay/ask.ts'
import type { Ask, AskOptions, ChoiceList, FormAnswer, OrEnd, UrlAnswer } from './ask.ts'
import { authoredForm, formSpec, rootsSpec, sampleSpec, urlSpec, valueForm } from './ask-specs.ts'
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
  /** Told of a form's schema, for warnings during development. */
  onForm(name: string, requestedSchema: RequestedSchema): void
}

type Loose = AskOptions & Partial<OrEnd>
type Value<T> = { readonly value: T }

/** The asks of one context: plain functions, so that they may be taken off it. */
export function createAsk(call: Asking): Ask {
  const put = <A>(spec: () => AskSpec<A>): PromiseLike<A> => {
    let ready: AskSpec<A>
    try {
      ready = spec()
    } catch (error) {
      return call.failed(error)
    }
    return call.ask(ready)
  }
  /** The answer itself or, with `orEnd`, what was accepted. */
  const settle = <C, A>(ask: PromiseLike<A>, options: Loose, accepted: (answer: A) => C | undefined) => {
    const { orEnd } = options
    if (orEnd === undefined) return ask
    return new MappedAsk(ask, (answer) =>
      (answer as { action: string }).action === 'accept' ? (accepted(answer) as C) : call.declined(orEnd),
    )
  }
  const form = (key: string, message: string, make: () => ReturnType<typeof valueForm>, options: Loose) =>
    put(() => {
      const name = call.named(key)
      const compiled = make()
      call.onForm(name, compiled.requestedSchema)
      return formSpec<unknown>(name, message, compiled, options)
    })
  const short = <T>(key: string, message: string, property: () => JsonObject, options: Loose) =>
    new MappedAsk(
      form(key, message, () => valueForm(property()), options),
      (answer): FormAnswer<T> =>
        answer.action === 'accept' ? { action: 'accept', content: (answer.content as Value<T>).value } : answer,
    )

  const ask = {
    form(key: string, question: Loose & { message: string; schema: never }) {
      const { message, schema } = question
      return settle(
        form(key, message, () => authoredForm(schema), question),
        question,
        contentOf,
      )
    },
    url(key: string, question: Loose & { message: string; url: string }) {
      const asked = put(() => urlSpec(call.named(key), question.message, question.url, question))
      return settle<void, UrlAnswer>(asked, question, () => undefined)
    },
    confirm(key: string, message: string, options: Loose & { title?: string; default?: boolean } = {}) {
      const asked = short<boolean>(
        key,
        message,
        () => ({ type: 'boolean', ...picked(options, ['title', 'default']) }),
        options,
      )
      return new MappedAsk(asked, (answer) => {
        if (answer.action === 'accept') return answer.content
        return options.orEnd === undefined ? false : call.declined(options.orEnd)
      })
    },
    choice(key: string, message: string, list: ChoiceList<string>, options: Loose & ChoiceShape = {}) {
      const property = () => (options.multiple === true ? multiProperty(list, options) : choiceProperty(list, options))
      return settle(short<unknown>(key, message, property, options), options, contentOf)
    },
    text(key: string, message: string, options: Loose & JsonObject = {}) {
      const property = () => ({
        type: 'string',
        ...picked(options, ['title', 'default', 'minLength', 'maxLength', 'format']),
      })
      return settle(short<string>(key, message, property, options), options, contentOf)
    },
    number(key: string, message: string, options: Loose & JsonObject = {}) {
      const property = () => ({
        type: options.integer === true ? 'integer' : 'number',
        ...picked(options, ['title', 'default', 'minimum', 'maximum']),
      })
      return settle(short<number>(key, message, property, options), options, contentOf)
    },
    sample: (key: string, params: Parameters<Ask['sample']>[1], options: AskOptions = {}) =>
      put(() => sampleSpec(call.named(key), params, options)),
    roots: (key = 'roots') => put(() => rootsSpec(call.named(key))),
  }
  return ask as unknown as Ask
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
