import { type FormAsk } from '../../client/handlers.ts'
import { type FormValue } from '../../protocol/elicitation.ts'
import { type Field, fieldsOf } from './field.ts'
import { type Prompter } from './prompter.ts'
import { putField } from './put-field.ts'

/** A form while a person fills it in. */
export class Filling {
  readonly fields: readonly Field[]
  /** What is filled in so far, by property: names come from the server, so not an object. */
  readonly content: Map<string, FormValue>
  readonly #typed = new Map<string, string>()
  readonly #ask: FormAsk
  readonly #prompter: Prompter

  constructor(ask: FormAsk, content: Map<string, FormValue>, prompter: Prompter) {
    this.fields = fieldsOf(ask.request.requestedSchema)
    this.content = content
    this.#ask = ask
    this.#prompter = prompter
  }

  /** Puts the fields one after another; leaving one goes back to the one before. False when the first one was left. */
  async all(): Promise<boolean> {
    const { fields } = this
    for (let at = 0; at < fields.length;) {
      const field = fields[at] as Field
      const title = fields.length === 1 ? field.title : `${at + 1} of ${fields.length}: ${field.title}`
      at += (await this.#one({ ...field, title })) ? 1 : -1
      if (at < 0) return false
    }
    return true
  }

  /** Puts one field that the person picks. */
  async some(): Promise<void> {
    const choices = this.fields.map(({ name, title }) => ({ value: name, label: title }))
    const chosen = await this.#prompter.one({ message: 'Which one?', signal: this.#ask.signal, choices })
    const field = this.fields.find(({ name }) => name === chosen)
    if (field !== undefined) await this.#one(field)
  }

  /** Puts one field. False when the person left it; what they had typed is kept. */
  async #one(field: Field): Promise<boolean> {
    const { name } = field
    const current = this.#typed.get(name) ?? this.content.get(name)
    const { value, left = false, typed } = await putField(this.#prompter, field, current, this.#ask.signal)
    if (typed !== undefined) this.#typed.set(name, typed)
    else if (!left || value !== undefined) this.#typed.delete(name)
    if (value !== undefined) this.content.set(name, value)
    else if (!left) this.content.delete(name)
    return !left
  }
}
