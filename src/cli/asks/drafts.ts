import { type FormAsk } from '../../client/handlers.ts'
import { type FormValue } from '../../protocol/elicitation.ts'
import { isPutAgain, nameOf } from './asker.ts'

/** What was sent for each form of a call, to begin with when it is put again. */
export class Drafts {
  readonly #sent = new Map<string, ReadonlyMap<string, FormValue>>()

  /** What the fields hold to begin with: what was sent last, as far as the form still has it, over the defaults. */
  startOf(ask: FormAsk): Map<string, FormValue> {
    const content = new Map(Object.entries(ask.fill()))
    const sent = isPutAgain(ask.key) ? this.#sent.get(nameOf(ask.key)) : undefined
    for (const [name, value] of sent ?? []) {
      if (Object.hasOwn(ask.request.requestedSchema.properties, name)) content.set(name, value)
    }
    return content
  }

  keep(ask: FormAsk, content: ReadonlyMap<string, FormValue>): void {
    this.#sent.set(nameOf(ask.key), new Map(content))
  }
}
